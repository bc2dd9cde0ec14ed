"""Pages in the reader's language: all their texts come from the catalogue."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask, template_rendered

from engine.translate import say
from service.boards import atlas
from service.i18n import catalogue
from service.links import signed_links
from service.notify import mail_folder
from service.people import opt_outs, tokens
from service.replies import held_mail, incoming_mail, sorting
from service.replies.mailboxes import Mailbox
from service.setting_values import Rate
from service.views import game_lists
from tests.api.oauth.playing_apps import PlayingApp, Service
from tests.api.resources.mail.test_mailbox import put
from tests.api.serving import signed_in
from tests.service.support.newcomers import newcomer
from tests.service.support.owing import change
from tests.service.support.timing import Hands
from tests.site.foreign_visitors import Visitors, visitors
from tests.site.visiting import Guest
from tests.support.foreign_readers import foreign
from tests.support.mail_links import answer, hosted, path
from tests.workers.correspondence import sat_down

__all__ = ["foreign", "visitors"]

FRAMES = {"base", "page", "parts", "options", "waiting", "rematch"}
FRAMES |= {"notebook", "orders", "colours", "connected_apps", "channel_parts"}
"""Parts of pages, which are included and not rendered by themselves."""
TEMPLATES = Path(__file__).parents[2] / "api/templates"
DAY = timedelta(days=1)
MOST_ENTRIES = 20
"""Pages of moves that are looked at."""
_HOOKS = "/settings/webhooks"
_CHANNELS = "/settings/channels"


@pytest.fixture
def shown(visitors: Visitors) -> Iterator[set[str]]:
    """The names of the templates that are rendered."""
    seen: set[str] = set()

    def note(_: Flask, template: object, **__: object) -> None:
        seen.add(str(getattr(template, "name", "")))

    with template_rendered.connected_to(note, visitors.app):
        yield seen


def test_every_page_is_said_in_the_language_of_its_reader(
    visitors: Visitors, shown: set[str]
) -> None:
    """All page templates are rendered, and only names, addresses and codes are untranslated."""
    _for_everybody(visitors)
    _for_members(visitors)
    _without_address(visitors)
    _hooks(visitors)
    _held_mail(visitors)
    _apps(visitors)
    _channels(visitors)
    _documentation(visitors)
    _at_a_table(visitors)
    _in_a_game(visitors)
    _behind_links(visitors)
    _for_one_turn(visitors)
    assert {} == visitors.left
    assert shown >= {
        template.relative_to(TEMPLATES).as_posix()
        for template in TEMPLATES.rglob("*.html")
        if template.stem not in FRAMES
    }


def _for_everybody(all_: Visitors) -> None:
    put(all_.desk, "first", "Ada")
    pages = (
        "/",
        "/offline",
        "/sign-in",
        "/games/open",
        "/boards",
        "/rules",
        "/ladder",
        "/ladder?board=uk",
    )
    wrong = ("/nowhere", "/boards/nowhere", "/games/nowhere", "/sign-in/nowhere", "/sign-out")
    all_.get(*pages, *wrong, *(f"/boards/{board}" for board in atlas.board_ids()))
    all_.get(*pages, *wrong, "/settings", who=all_.stranger)
    (letter,) = mail_folder.listed(all_.desk.settings)
    all_.get("/mailbox", f"/mailbox/{letter.name}", who=all_.stranger)
    stranger = all_.stranger
    for email in ("nothing", "ada@example.org"):
        all_.look(stranger.send("/sign-in", "/sign-in", email=email))
        all_.look(stranger.send("/sign-up", "/sign-in", name="Ada", email=email))
    all_.look(stranger.web.post("/sign-in", data={"email": "ada@example.org"}))
    all_.look(stranger.send("/play", "/", name=""))
    body = {"key": "key", "next": "/"}
    (ada, *_), at = all_.place.players, all_.desk.now()
    link = path(signed_links.sign_in(all_.desk, ada, "ada@example.org", body, at))
    token = stranger.csrf_token("/sign-in")
    for chosen in ("later", "nothing"):
        all_.look(stranger.web.post(link, data={"csrf_token": token, "choice": chosen}))
    with all_.place.later(DAY):
        all_.look(stranger.web.get(link))
    all_.look(stranger.web.get(link))


def _for_members(all_: Visitors) -> None:
    all_.get(
        "/games", "/settings", *(f"/games/new?board={board_id}" for board_id in atlas.board_ids())
    )
    all_.send("/settings/profile", name="Ada")
    all_.send("/settings/profile", name="", locale="?", time_zone="?")
    all_.send("/settings/profile", locale="nl")
    all_.get("/settings?saved=mail")
    all_.send("/settings/address", email="?")
    all_.send("/settings/mail", mode="?")
    all_.send("/settings/absences", **{"from": "2020-01-01"})
    all_.send("/settings/absences", **{"from": "2030-01-01", "to": "2030-12-01"})
    all_.send("/settings/tokens", label="Ada", scopes="read")
    all_.send("/settings/tokens", label="", scopes="read")
    all_.send("/settings/tokens/nothing/revoke")
    all_.send("/settings/delete", name="nobody")
    all_.send("/settings/confirm")
    all_.look(all_.member.web.post("/settings/profile", data={"name": "Dan"}))


def _without_address(all_: Visitors) -> None:
    dan = Guest(all_.app)
    dan.web.environ_base["HTTP_ACCEPT_LANGUAGE"] = "nl"
    dan.send("/play", "/", name="Dan")
    all_.get("/games", "/settings", "/games/new", who=dan)
    all_.look(dan.send("/games/new", "/games/new", board="usa", seats="2"))
    all_.look(dan.send("/sign-out", "/games"))
    all_.look(dan.send("/settings/delete", name="Dan"))
    dan.send("/settings/delete", name="Dan", sure="yes")


def _hooks(all_: Visitors) -> None:
    all_.get(_HOOKS, f"{_HOOKS}/nothing")
    for url in ("nothing", "https://example.org/"):
        all_.send(_HOOKS, url=url, types="game.started")
    (hook,) = set(re.findall(r"/settings/webhooks/\w+", all_.member.web.get(_HOOKS).text))
    for choice in ("ping", "again", "rotate", "off", "again"):
        all_.send(hook, choice=choice, delivery="nothing")
        all_.get(hook, _HOOKS)
    (delivery,) = set(re.findall(hook + r"/deliveries/\w+", all_.member.web.get(hook).text))
    all_.get(delivery, f"{hook}/deliveries/nothing")
    all_.send(hook, choice="delete")


def _channels(all_: Visitors) -> None:
    """Add a destination, change and remove it; wrong addresses are refused."""
    for where in ("nothing", "http://127.0.0.1/api/webhooks/1/x"):
        all_.send(_CHANNELS, channel="discord", url=where, label="Cem", types="decision.opened")
    (destination,) = set(re.findall(_CHANNELS + r"/\w+", all_.member.web.get(_CHANNELS).text))
    all_.get(destination, _CHANNELS, f"{destination}?saved=save", f"{_CHANNELS}/nothing")
    for choice in ("test", "off", "on", "save", "remove"):
        all_.send(destination, choice=choice, label="")
        all_.get(destination)
    all_.send(destination, choice="remove", sure="yes")
    all_.get(f"{_CHANNELS}?removed=yes")


def _documentation(all_: Visitors) -> None:
    """Open the list of guides and one of them; guides themselves are in English."""
    all_.get("/docs", "/docs/nothing")
    all_.look(all_.member.web.get("/docs/orders"), "Standing orders")


def _apps(all_: Visitors) -> None:
    """Connect an app and two devices, and look at the pages on the way."""
    app = PlayingApp(Service(all_.app, all_.desk, Hands()), "Cem")
    all_.get("/oauth/authorize", app.url(), app.url(scope="manage"), "/device")
    all_.send("/device", user_code="nothing")
    for choice in ("allow", "deny"):
        device = app.web.post("/oauth/device-authorization", data={"client_id": "Cem"}).json
        assert isinstance(device, dict)
        all_.send("/device", user_code="")
        page = all_.member.send("/device", user_code=device["user_code"])
        all_.look(page, device["user_code"])
        all_.send("/device", user_code=device["user_code"], choice=choice)
        app.poll(device["device_code"])
    all_.get("/settings")


def _held_mail(all_: Visitors) -> None:
    """Open the page of mail that was not carried out: without any, and with every reason."""
    all_.get("/settings/held-mail")
    place, ada = all_.place, all_.place.players[0]
    box = Mailbox("reply", ada, place.game, 0, place.seat(0).decision_version)
    letter = incoming_mail.read(b"From: ada@example.org\r\n\r\nAda\r\n")
    with place.desk.database.writing() as tx:
        for number, rule in enumerate(sorting.RULES):
            held_mail.hold(tx, box, letter, bytes([number]), rule, place.desk.now())
    reader = Guest(all_.app)
    reader.web.set_cookie("nightmail", signed_in(place.desk, ada))
    page = all_.look(reader.web.get("/settings/held-mail", headers={"Accept": "text/html"}))
    assert len(sorting.RULES) == page.count("/letter/")


def _at_a_table(all_: Visitors) -> None:
    table = all_.member.game(easy="0", seats="3", variants="dice")
    all_.get(table, "/games", "/games/open")
    all_.get(table, "/games/open", "/", who=all_.stranger)
    all_.send(f"{table}/guests", table, guests="nobody\nAda")
    all_.send(f"{table}/guests", table, guests="\n".join(f"a{n}@example.org" for n in range(12)))
    all_.get(f"{table}/link", "/games/open?board=uk&seats=2")
    link = path(signed_links.table(all_.desk, table.rsplit("/", 1)[1], 0))
    all_.get(link, who=all_.stranger)
    all_.send(f"{table}/bots", table, strength="mighty")
    all_.send(f"{table}/link", table)
    all_.get(link, who=all_.stranger)
    all_.send(f"{table}/leave", table)
    all_.send(f"{table}/join", table)
    all_.send(f"{table}/say", table, text="")
    body = {"board": "europe", "seats": "2", "easy": "1", "guests": "nobody"}
    all_.send("/games/new", "/games/new", **body)
    all_.send("/games/new", "/games/new", **{**body, "easy": "2"})


def _in_a_game(all_: Visitors) -> None:
    chosen = [(board, more) for board in atlas.board_ids() for more in ({}, {"variants": "dice"})]
    tables = [all_.member.game(board=board, **more) for board, more in chosen]
    for table_id in tables:
        all_.member.play(table_id, all_.member.choices(table_id)[0])
        all_.get(table_id, f"{table_id}?at=0", "/games")
        all_.get(table_id, who=all_.stranger)
    table = tables[0]
    all_.send(f"{table}/move", table)
    all_.send(f"{table}/move", table, asked="1", seen="1", choice="1")
    all_.send(f"{table}/leave", table, sure="yes")
    over = sat_down(all_.desk, all_.place.players, "usa", ("dice",))
    over.play(4000)
    all_.get(
        table, f"/games/{over.game}", f"/games/{over.game}?at=9", f"/games/{over.game}/history"
    )


def _behind_links(all_: Visitors) -> None:
    """Open the pages behind links.

    Players' links are opened without Accept-Language, so that the account's locale decides.
    """
    place = all_.place
    desk, game, (ada, ben) = place.desk, place.game, place.players
    dan = newcomer(desk, "Dan", email="dan@example.org", locale="nl").account
    pages = [
        place.action(),
        place.letter("keep all", "help"),
        place.commands("Ada", "Ben"),
        path(signed_links.forwarded(desk, game, 0)),
        path(signed_links.confirm_address(desk, dan, "dan@example.org")),
        path(signed_links.unsubscribe(desk, ada, game)),
        path(signed_links.unsubscribe(desk, ada, None)),
        hosted(desk, ben, {"name": "Dan"})[1],
    ]
    web = place.web
    for page in pages:
        first = web.get(page)
        all_.look(first)
        for form in ({"choice": ""}, {"choice": "later"}, answer(first)):
            all_.look(web.post(page, data=form))
        all_.look(web.get(page))
        with place.later(400 * DAY):
            all_.look(web.get(page))
    place.move(1)
    number = place.awaited()
    texts = [signed_links.WHOLE_MENU, *(entry.text for entry in place.entries(number))]
    for text in texts[:MOST_ENTRIES]:
        all_.look(web.get(place.action(text, number)))
    stranger = all_.stranger.web
    all_.look(stranger.get(hosted(desk, ben, {"email": "cem@example.org"})[1]))
    never = path(opt_outs.link(desk, "cem@example.org"))
    for choice in ("", "keep", "never", "again"):
        all_.look(stranger.get(never))
        all_.look(stranger.post(never, data={"choice": choice}))
    all_.look(stranger.get("/a/nothing"))


def _for_one_turn(all_: Visitors) -> None:
    """Open a turn and play it, without Accept-Language, so that the account's locale decides."""
    place = all_.place
    link, number, table = place.turn(), place.awaited(), f"/games/{place.game}"
    all_.get(link)
    guest = Guest(all_.app)
    for choice in ("", "later", "continue"):
        all_.look(guest.web.post(link, data={"choice": choice}))
    all_.look(guest.web.get(table))
    all_.look(guest.send(f"{table}/leave", table, sure="yes"))
    while place.awaited() == number:
        place.move(number)
    all_.get(table, link, who=guest)
    place.void(number)
    all_.get(table, who=guest)


def test_programs_are_spoken_to_in_english(visitors: Visitors) -> None:
    """The API answers in English, whatever the account's locale and Accept-Language are."""
    table = visitors.member.game()
    account = newcomer(visitors.desk, "Dan", locale="nl")
    made = tokens.create(visitors.desk, account, {"label": "x", "scopes": ["read", "play"]}, None)
    asks = {"Authorization": f"Bearer {made['token']}", "Accept-Language": "nl"}
    visitors.get(table, "/boards/usa", "/games/new")
    web = visitors.app.test_client()
    for where in (table, f"{table}/events", f"{table}/log", f"{table}/decision", "/boards", "/me"):
        answer = web.get(f"/v1{where}", headers=asks)
        assert "⟦" not in answer.text, where
        assert "⟦" in visitors.member.web.get(table).text


def test_a_refusal_before_somebody_is_known_is_said_as_their_browser_asks(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rate-limited request gets its 429 page in the language of Accept-Language."""
    limiter = visitors.app.extensions["nightmail.state"].limiter
    spent = replace(visitors.desk.settings, rate_limit_address=Rate(0, 60))
    monkeypatch.setattr(limiter, "_settings", spent)
    answer = visitors.stranger.web.get("/")
    visitors.look(answer)
    assert (429, {}) == (answer.status_code, visitors.left)


def test_the_language_of_a_request_ends_with_it(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The language is reset to English after each request, also after one that gets 500."""
    visitors.member.web.get("/games")
    assert "en" == catalogue.current_language()

    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(game_lists, "own_games", broken)
    answer = visitors.member.web.get("/games", headers={"Accept": "text/html"})
    visitors.look(answer)
    assert (500, {}) == (answer.status_code, visitors.left)
    assert ("en", "Card") == (catalogue.current_language(), say("Card"))


def test_a_calendar_is_written_for_its_owner(visitors: Visitors) -> None:
    """The texts of a calendar are in the language of its owner's account."""
    ada, ben = visitors.place.players
    change(visitors.desk, ben, locale="en")
    for account, summary in ((ada, "⟦Your move in USA⟧"), (ben, "SUMMARY:Your move in USA")):
        link = path(signed_links.calendar(visitors.desk, account, 0))
        assert summary in visitors.app.test_client().get(link).text
