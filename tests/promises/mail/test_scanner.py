"""Promise 21: opening, prefetching or scanning a link of any mail changes nothing."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask import Response
from playwright.sync_api import Browser

from api.http import headers
from api.link_pages import pages
from service.desk import Desk, open_desk
from service.games import lobby, table_lookup, talk
from service.games.inviting import invitations
from service.links import signed_links
from service.notify.telling import TALK_PAUSE
from service.people import accounts, sessions
from service.settings import Settings
from store import timestamps
from store.database import Database
from store.notify import deliveries, notices
from store.notify.notices import Notice
from store.people import accounts as account_rows
from tests.amounts import amount
from tests.api.serving import KEY
from tests.promises.mail.scanner import Mail, Scanner, mails
from tests.promises.support.database_checks import rows
from tests.promises.support.http_calls import Reachable, Request, send
from tests.promises.support.web_server import open_database, running_web, served_here
from tests.service.support import tables
from tests.support import servers
from tests.support.mail_links import choices
from tests.workers.correspondence import delivery, sat_down
from workers.channels.mail.channel import MailChannel

TIMES = amount(12, soak=100)
PURPOSES = {
    *("a", "commands", "confirm", "forwarded", "invitation", "letter", "never", "sign-in", "turn"),
    "unsubscribe",
}
FOR_MEMBERS = ("/games/new", "/games")
"""Pages for members: they ask strangers to sign in first."""
Answer = Callable[..., Response]


class Post:
    """A server, and all letters to its players."""

    def __init__(self, web: Reachable, folder: Path) -> None:
        environ = {"SECRET_KEYS": KEY, "DATABASE_URL": web.url, "DATA_DIR": str(folder)}
        self.web = web
        self.desk = open_desk(Settings.of(environ))
        self.mails = _mails(self.desk)

    @property
    def links(self) -> list[str]:
        """Every link in every letter, without duplicates."""
        return sorted({link for mail in self.mails for link in mail.links})

    def of_each_mail(self) -> list[str]:
        """Links to one page for each kind of letter and purpose."""
        links = {
            (mail.kind, _purpose(link)): link
            for mail in self.mails
            for link in mail.links
            if _purpose(link) in PURPOSES
        }
        return sorted(set(links.values()))

    def one_of_each(self) -> list[str]:
        """A link to one page for each purpose; of moves, the one that draws a card."""
        by_purpose = {_purpose(link): link for link in self.links}
        by_purpose["a"] = next(link for link in self.links if self._draws(link))
        return [link for purpose, link in by_purpose.items() if purpose in PURPOSES]

    def _draws(self, link: str) -> bool:
        payload = signed_links.read(self.desk, "action", link.rpartition("/")[2])
        return payload is not None and payload["entry"] == "draw"


def _purpose(link: str) -> str:
    return link.split("/")[1]


def _mails(desk: Desk) -> list[Mail]:
    """Letters of every kind, from games at the first tickets, in a turn, and at the end."""
    begun, early = tables.table(desk, "Eve", "Flo", "Gus")
    game, players = tables.table(desk, "Ada", "Ben", board="europe")
    for number, player in enumerate([*early, *players]):
        with desk.database.writing() as tx:
            address = {"email": f"p{number}@example.org", "email_confirmed": desk.now()}
            account_rows.change(tx, player, address)
    tables.keep_tickets(desk, game, players)
    with desk.database.reading() as tx:
        seats = table_lookup.table_of(tx, game, players[0]).seated
        name = account_rows.names_by_id(tx, [players[1]])[players[1]]
    seat = next(seat for seat in seats if seat.decision_version is not None)
    version, owner = seat.decision_version or 0, str(seat.account)
    lines = {"lines": ["draw"], "message_id": None}
    answered: dict[str, Any] = {"lines": [], "message_id": None}
    first, late = 0, {"deadline": desk.now()}
    hook = {"hook": "h", "host": "example.org", "reason": "gone"}
    sat_down(desk, players, "usa", ("dice",)).play(4000)
    with desk.database.writing() as tx:
        stored = [
            Notice(owner, "decision_reminder", game, seat.number, version),
            Notice(owner, "letter_unsure", game, seat.number, version, lines),
            Notice(owner, "letter_answered", game, seat.number, version, answered),
            Notice(owner, "decision_expired", game, seat.number, first, late),
            Notice(owner, "seat_caretaken", game, seat.number, version, {"away": seat.number}),
            Notice(owner, "hook_disabled", data=hook),
            Notice(owner, "hook_refused", data=hook),
            Notice(owner, "destination_paused", data={"label": "phone", "reason": "gone"}),
            Notice(owner, "address_replaced", data={"email": "old@example.org"}),
            Notice(owner, "commands_answered", data={"lines": [], "message_id": None}),
            Notice(owner, "commands_unsure", data=lines),
        ]
        notices.add(tx, stored, desk.now())
        stranger: dict[str, Any] = {
            "email": "eve@example.org",
            "locale": "en",
            "lines": [],
            "message_id": None,
        }
        deliveries.add(tx, [delivery("", "stranger_answered", data=stranger, at=desk.now())])
    lobby.leave(desk, early[1], begun)
    earlier = timestamps.later(desk.now(), -TALK_PAUSE)
    talk.say(desk._replace(now=lambda: earlier), players[0], game, "Good luck!", None)
    accounts.create(desk, {"name": "Cem", "email": "cem@example.org"}, None)
    sessions.request_link(desk, "p0@example.org")
    table = lobby.open_game(desk, players[0], lobby.NewGame("usa", (), 3), None)["id"]
    invitations.invite(desk, players[0], table, {"email": "dan@example.org"}, None)
    invitations.invite(desk, players[0], table, {"name": name}, None)
    return mails(desk)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def post(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Post]:
    """A running server on each database, and its letters."""
    folder = tmp_path_factory.mktemp("post")
    with ExitStack() as stack:
        url = f"sqlite:///{folder}/nightmail.db"
        if request.param == "postgres":
            cluster: servers.Cluster = request.getfixturevalue("postgres_cluster")
            url = stack.enter_context(cluster.fresh_database())
        opened = Post(stack.enter_context(running_web(url)), folder)
        yield opened
        opened.desk.close()


def _dump(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    return rows(database)


def test_every_mail_has_its_links(post: Post) -> None:
    """The scanned letters are of every kind, and link to pages of every purpose."""
    assert MailChannel.kinds == {mail.kind for mail in post.mails}
    assert PURPOSES <= {_purpose(link) for link in post.links}


def test_looking_changes_nothing(post: Post, browser: Browser) -> None:
    """GET, HEAD, OPTIONS and prefetching change nothing for any link, nor do repeated GETs."""
    scanner = Scanner(post.web, browser)
    before = _dump(post.desk.database)

    for link in post.links:
        redirects = {303} if link in FOR_MEMBERS else set()
        assert {200} == scanner.look(link) - redirects, link
    for link in post.one_of_each():
        assert {200} == {send(post.web, Request("GET", link)).status for _ in range(TIMES)}
    assert before == _dump(post.desk.database)


def unmasked(page: bytes) -> bytes:
    """A page without its CSRF token, which is masked differently each time."""
    return re.sub(rb'name="csrf_token" value="[0-9a-f]*"', b"", page)


def test_pressing_changes_nothing(post: Post, browser: Browser) -> None:
    """A browser that runs scripts, presses every button and submits every form changes nothing.

    Afterwards each page is the same and still has all its choices. The pages do not depend on the
    database, so only SQLite covers every kind of letter.
    """
    scanner = Scanner(post.web, browser)
    before = _dump(post.desk.database)
    links = post.of_each_mail() if post.desk.database.is_sqlite else post.one_of_each()
    shown = {link: send(post.web, Request("GET", link)).body for link in links}

    for link in shown:
        scanner.press(link)
    assert before == _dump(post.desk.database)
    for link, page in shown.items():
        response = send(post.web, Request("GET", link))
        assert (200, unmasked(page)) == (response.status, unmasked(response.body))
        form = b"<form" in response.body  # the page that lists all moves only has links to theirs
        assert form == (len(choices(response.body.decode())) >= 2)


def _faulty(shown: Answer, mend: Callable[[str], str]) -> Answer:
    def answer(*args: Any) -> Response:
        response = shown(*args)
        if response.status_code == 200:  # a refused form would submit itself for ever
            response.set_data(mend(response.get_data(as_text=True)))
        return response

    return answer


def _chosen(text: str) -> str:
    """Select the first choice in advance."""
    return text.replace('type="radio"', 'type="radio" checked', 1)


def _by_itself(text: str) -> str:
    """Submit the form by a script when the page loads."""
    values = choices(text)
    if not values:
        return text
    script = "<script>document.forms[0].submit()</script>"
    hidden = f'<input type="hidden" name="choice" value="{values[0]}">'
    return text.replace('type="radio" name="choice"', 'type="radio"').replace(
        "</form>", f"{hidden}</form>{script}"
    )


LOOSE = headers.PAGE | {"Content-Security-Policy": "default-src 'self' 'unsafe-inline'"}


@pytest.mark.parametrize("mend", [_chosen, _by_itself])
def test_faulty_pages_are_noticed(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch, mend: Callable[[str], str]
) -> None:
    """Planted faults: a choice selected in advance, or a form that submits itself, changes rows."""
    monkeypatch.setattr(pages, "_shown", _faulty(pages._shown, mend))
    monkeypatch.setattr(headers, "PAGE", LOOSE)
    with served_here(f"sqlite:///{tmp_path}/nightmail.db") as web:
        post = Post(web, tmp_path)
        before = _dump(post.desk.database)
        # The turn first: another link may end it.
        for link in sorted(post.one_of_each(), key=lambda link: _purpose(link) != "turn"):
            Scanner(web, browser).press(link)

        after = _dump(post.desk.database)
        changed = {name for name, value in after.items() if value != before[name]}
        assert {"moves", "seats", "accounts", "seat_sessions"} <= changed
        post.desk.close()


def test_scripts_do_not_run(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a script got into a page, the Content-Security-Policy would keep it from running."""
    monkeypatch.setattr(pages, "_shown", _faulty(pages._shown, _by_itself))
    with served_here(f"sqlite:///{tmp_path}/nightmail.db") as web:
        post = Post(web, tmp_path)
        before = _dump(post.desk.database)
        page = browser.new_page()
        for link in post.one_of_each():
            page.goto(f"http://127.0.0.1:{web.port}{link}", wait_until="networkidle")

        assert before == _dump(post.desk.database)
        page.close()
        post.desk.close()


def test_acting_on_get_is_noticed(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: if a GET counts as a choice, scanning changes rows."""
    monkeypatch.setattr(pages, "_choice", lambda: "all")
    with served_here(f"sqlite:///{tmp_path}/nightmail.db") as web:
        post = Post(web, tmp_path)
        before = _dump(post.desk.database)
        for link in post.one_of_each():
            Scanner(web, browser).look(link)

        assert before != _dump(post.desk.database)
        post.desk.close()


def test_the_database_is_looked_at(tmp_path: Path) -> None:
    """The comparison that the tests above use notices one new row."""
    with open_database(f"sqlite:///{tmp_path}/nightmail.db") as database:
        before = _dump(database)
        with database.writing() as tx:
            tx.exec_driver_sql("insert into answers values ('a', 'b', x'00', 'c', 'd')")

        assert before != _dump(database)
