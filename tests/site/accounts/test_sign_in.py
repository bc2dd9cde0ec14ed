"""Signing up, signing in by mail, and signing out."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import Connection, Engine, event, select

from service.desk import Desk
from service.links import signed_links
from service.notify import outbox
from service.people import addresses, sessions, tokens
from store import timestamps
from store.people import accounts
from store.tables import deliveries, notices
from tests.api.serving import signed_in
from tests.promises.support.database_checks import rows
from tests.service.support.tables import owed
from tests.site.visiting import Guest, without_tokens
from tests.support.mail_links import choices, path

ADDRESS = "ada@example.org"


def _confirmed(desk: Desk, address: str = ADDRESS) -> str:
    """Confirm this address, and return the id of its account."""
    with desk.database.writing() as tx:
        (account,) = accounts.with_address(tx, address)
        accounts.change(tx, account.id, {"email_confirmed": desk.now()})
    return account.id


def _link(desk: Desk, account: str) -> str:
    return path(signed_links.sign_in(desk, account, ADDRESS, {"key": "k" * 32}, desk.now()))


def test_a_newcomer_is_in_at_once(app: Flask, desk: Desk) -> None:
    """Signing up begins a session at once, and owes a letter to confirm the address."""
    ada = Guest(app, "Ada")
    assert "My games" in ada.web.get("/games").text
    assert ["confirm_address"] == [kind for kind, _, _ in owed(desk)]
    with desk.database.reading() as tx:
        (account,) = accounts.with_address(tx, ADDRESS)
        kept = accounts.tokens_of(tx, account.id)
    assert [True] == [tokens.is_session(token) for token in kept]


def test_a_newcomer_is_in_or_is_nobody(
    app: Flask, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the session cannot begin, no account is stored either."""
    before = rows(desk.database)
    monkeypatch.setattr(sessions, "begin_session", lambda *_: 1 / 0)
    given = {"name": "Ada", "email": ADDRESS}
    assert 500 == Guest(app).send("/sign-up", "/sign-in", **given).status_code
    assert before == rows(desk.database)


def test_who_cannot_be_is_told_why(app: Flask, desk: Desk) -> None:
    """An invalid name or address gets 400 with the reason, and nothing is stored."""
    before = rows(desk.database)
    for name, email in [("", ADDRESS), ("Ada", "nobody"), ("", ""), ("x" * 200, ADDRESS)]:
        answer = Guest(app).send("/sign-up", "/sign-in", name=name, email=email)
        assert (400, True) == (answer.status_code, 'role="alert"' in answer.text)
    assert before == rows(desk.database)


def test_a_taken_name_is_refused(app: Flask) -> None:
    """Signing up with a name that differs from another only in case gets 409."""
    Guest(app, "Ada")
    answer = Guest(app).send("/sign-up", "/sign-in", name="ada", email="eve@example.org")
    assert (409, True) == (
        answer.status_code,
        "This name, or one very much like it, is taken." in answer.text,
    )


def test_a_letter_goes_only_to_a_confirmed_address(app: Flask, desk: Desk) -> None:
    """Only a confirmed address gets a sign-in letter; another is asked to confirm again.

    The page is the same for known and unknown addresses.
    """
    Guest(app, "Ada")
    stranger = Guest(app)
    pages = [
        without_tokens(stranger.send("/sign-in", "/sign-in", email=email).text).replace(email, "")
        for email in (ADDRESS, "nobody@example.org")
    ]
    assert pages[0] == pages[1]
    assert ["confirm_address"] * 2 == [kind for kind, _, _ in owed(desk)]
    account = _confirmed(desk)
    stranger.send("/sign-in", "/sign-in", email="ADA@example.org")
    assert ("sign_in", account, None) == owed(desk)[-1]


@pytest.mark.parametrize("kind", ["sign_in", "confirm_address"])
def test_who_asks_is_written_to_though_mail_came_back(app: Flask, desk: Desk, kind: str) -> None:
    """After a bounce a sign-in request still owes its letter, and signing in clears the bounce."""
    Guest(app, "Ada")
    with desk.database.reading() as tx:
        (account_now,) = accounts.with_address(tx, ADDRESS)
    confirmed = kind == "sign_in"
    account = _confirmed(desk) if confirmed else account_now.id
    addresses.record_complaint(desk, account, ADDRESS)
    stranger = Guest(app)
    stranger.send("/sign-in", "/sign-in", email=ADDRESS)
    assert (kind, account, None) == owed(desk)[-1]

    outbox.spread(desk)
    with desk.database.reading() as tx:
        assert kind in tx.scalars(select(deliveries.c.kind)).all()
        account_now = accounts.account(tx, account) or account_now
    reached = [
        addresses.deliverable_address(account_now, notice)
        for notice in ("sign_in", "decision_opened")
    ]
    assert ([ADDRESS, None] if confirmed else [None, None]) == reached
    if confirmed:
        stranger.send(_link(desk, account), _link(desk, account), choice=account)
        with desk.database.reading() as tx:
            account_now = accounts.account(tx, account) or account_now
        assert account_now.bounced is None


def test_asking_tells_nobody_who_is_here(app: Flask, desk: Desk) -> None:
    """A sign-in request runs the same SQL for known and for unknown addresses.

    So its response time reveals nothing. A worker looks the address up later.
    """
    Guest(app, "Ada")
    _confirmed(desk)
    stranger = Guest(app)
    traces: list[tuple[list[str], set[str]]] = []
    token = stranger.csrf_token("/sign-in")
    for email in ("warm@example.org", ADDRESS, "bob@example.org"):
        before, trace = rows(desk.database), list[str]()
        with _tracing(desk, trace):
            answer = stranger.web.post("/sign-in", data={"csrf_token": token, "email": email})
        assert (200, True) == (answer.status_code, email in answer.text)
        after = rows(desk.database)
        changed = {name for name, value in after.items() if value != before[name]}
        traces.append((trace, changed))
    _, known, unknown = traces
    assert known == unknown
    assert {"sign_ins", "mail_counts"} == known[1]
    assert ["sign_in"] == [kind for kind, *_ in owed(desk, "sign_in")]


@contextmanager
def _tracing(desk: Desk, trace: list[str]) -> Iterator[None]:
    """Record the text of every SQL statement for this desk's database inside the block.

    Other tests of the same process may have left a server running that polls its own database.
    """

    def note(connection: Connection, _: object, statement: str, *__: object) -> None:
        if connection.engine.url == desk.database.url:
            trace.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def test_letters_are_rare(app: Flask) -> None:
    """The sixth sign-in request for the same address gets 429 with Retry-After."""
    stranger = Guest(app)
    for email in (ADDRESS, "nobody@example.org"):
        answers = [stranger.send("/sign-in", "/sign-in", email=email) for _ in range(6)]
        assert [200] * 5 + [429] == [answer.status_code for answer in answers]
        assert "You have asked for too many emails" in answers[-1].text
        assert 0 < int(answers[-1].headers["Retry-After"]) <= 3600


def test_nobody_is_locked_out_by_somebody_elsewhere(app: Flask, desk: Desk) -> None:
    """Sign-in requests are limited per client address, so that nobody can lock others out.

    An address gets no more than 20 letters in all, and the response does not reveal that.
    """
    Guest(app, "Ada")
    _confirmed(desk)
    statuses = []
    for place in range(5):
        guest = Guest(app)
        guest.web.environ_base["REMOTE_ADDR"] = f"127.0.1.{place}"
        statuses += [guest.send("/sign-in", "/sign-in", email=ADDRESS) for _ in range(6)]
    codes = [answer.status_code for answer in statuses]
    assert ([200] * 5 + [429]) * 5 == codes
    assert 20 == len(owed(desk, "sign_in"))


def test_where_somebody_wanted_to_go_is_kept(app: Flask, desk: Desk) -> None:
    """`next` survives a refused form and the sign-in letter, unless it leads to another site."""
    Guest(app, "Ada")
    account, stranger = _confirmed(desk), Guest(app)
    target = "/games/new?board=uk"
    for form in ("/sign-up", "/sign-in"):
        answer = stranger.send(form, "/sign-in", email="nobody", next=target)
        assert 2 == answer.text.count(f'name="next" value="{target}"')
    for url, led in {target: target, "//evil.example": "/games"}.items():
        stranger = Guest(app)
        stranger.send("/sign-in", "/sign-in", email=ADDRESS, next=url)
        sessions.answer_requests(desk)
        letters = select(notices.c.data).where(notices.c.kind == "sign_in")
        with desk.database.reading() as tx:
            kind = tx.execute(letters.order_by(notices.c.id.desc())).scalars().first()
        document = json.loads(kind or "")
        link = path(signed_links.sign_in(desk, account, ADDRESS, document, desk.now()))
        assert led == stranger.send(link, link, choice=account).headers["Location"]


def test_looking_at_a_link_does_nothing(app: Flask, desk: Desk) -> None:
    """Opening a sign-in link, or sending its form without an account, stores nothing."""
    Guest(app, "Ada")
    link, stranger = _link(desk, _confirmed(desk)), Guest(app)
    before = rows(desk.database)
    shown = stranger.web.get(link)
    assert 200 == shown.status_code
    assert "checked" not in shown.text
    assert "later" == choices(shown)[-1]
    for choice, status in {"": 400, "later": 200, "somebody": 400}.items():
        answer = stranger.send(link, link, choice=choice)
        assert (status, None) == (answer.status_code, answer.headers.get("Set-Cookie"))
    assert before == rows(desk.database)


def test_a_link_counts_once(app: Flask, desk: Desk) -> None:
    """A sign-in link works once; a second browser gets 410, even after the first signs out."""
    Guest(app, "Ada")
    account = _confirmed(desk)
    link, first, second = _link(desk, account), Guest(app), Guest(app)
    answer = first.send(link, link, choice=account)
    assert (303, "/games") == (answer.status_code, answer.headers["Location"])
    assert "My games" in first.web.get("/games").text
    first.send("/sign-out")
    answer = second.send(link, link, choice=account)
    assert (410, True) == (answer.status_code, "already been used" in answer.text)
    assert 303 == second.web.get("/games").status_code


def test_a_link_ends_after_an_hour(app: Flask, desk: Desk) -> None:
    """The page of a sign-in link that is an hour old gets 410."""
    Guest(app, "Ada")
    account = _confirmed(desk)
    before = timestamps.later(desk.now(), -timedelta(hours=1))
    link = path(signed_links.sign_in(desk, account, ADDRESS, {"key": "k"}, before))
    assert 410 == Guest(app).web.get(link).status_code


def test_a_link_dies_with_the_address(app: Flask, desk: Desk) -> None:
    """A sign-in link works until the account has confirmed a new address, and then gets 410."""
    ada = Guest(app, "Ada")
    account = _confirmed(desk)
    link = _link(desk, account)
    ada.send("/settings/address", email="new@example.org")
    assert 200 == Guest(app).web.get(link).status_code
    new = path(signed_links.confirm_address(desk, account, "new@example.org"))
    app.test_client().post(new, data={"choice": "yes"})
    assert 410 == Guest(app).web.get(link).status_code


def test_a_link_opens_no_other_address(app: Flask, desk: Desk) -> None:
    """An old sign-in link does not open accounts with the address that replaced its own."""
    Guest(app, "Ben")
    ben = _confirmed(desk, "ben@example.org")
    ada = Guest(app, "Ada")
    account = _confirmed(desk)
    link = _link(desk, account)
    ada.send("/settings/address", email="ben@example.org")
    app.test_client().post(
        path(signed_links.confirm_address(desk, account, "ben@example.org")), data={"choice": "yes"}
    )
    stranger = Guest(app)
    assert 410 == stranger.web.get(link).status_code
    answer = stranger.send(link, "/sign-in", choice=ben)
    assert (410, None) == (answer.status_code, answer.headers.get("Set-Cookie"))


def test_a_wrong_link_is_not_found(app: Flask) -> None:
    """A malformed sign-in link gets 404."""
    assert 404 == Guest(app).web.get("/sign-in/nonsense").status_code


def test_there_are_never_too_many_sessions(app: Flask, desk: Desk) -> None:
    """When an account has too many sessions, the oldest one ends."""
    ada = Guest(app, "Ada")
    account = _confirmed(desk)
    for _ in range(sessions.MOST_SESSIONS):
        signed_in(desk, account)
    assert 303 == ada.web.get("/games").status_code


def test_a_session_ends_by_itself(app: Flask, desk: Desk) -> None:
    """A session ends after 90 days."""
    ada = Guest(app, "Ada")
    later = timestamps.later(desk.now(), timedelta(days=90, seconds=1))
    app.extensions["nightmail"] = desk._replace(now=lambda: later)
    assert 303 == ada.web.get("/games").status_code


def test_signing_in_ends_the_session_before(app: Flask, desk: Desk) -> None:
    """Signing in or signing up as another account ends the browser's previous session."""
    Guest(app, "Ada")
    account = _confirmed(desk)
    ben = Guest(app, "Ben")
    cookie = ben.web.get_cookie("nightmail")
    assert cookie is not None
    link = _link(desk, account)
    ben.send(link, link, choice=account)
    assert "Ada" in ben.web.get("/settings").text
    assert sessions.visitor_of(desk, cookie.value) is None
    cookie = ben.web.get_cookie("nightmail")
    assert cookie is not None
    ben.send("/sign-up", "/games", name="Cem", email="cem@example.org")
    assert sessions.visitor_of(desk, cookie.value) is None


def test_an_unconfirmed_account_is_entered_by_the_letter_of_another(app: Flask, desk: Desk) -> None:
    """A sign-in link offers every account with its address, and confirms the chosen one's."""
    Guest(app, "Ada")
    account = _confirmed(desk)
    Guest(app).send("/sign-up", "/sign-in", name="Second", email=ADDRESS)
    with desk.database.reading() as tx:
        second = accounts.with_address(tx, ADDRESS)[1]
    link, stranger = _link(desk, account), Guest(app)
    assert [account, second.id, "later"] == choices(stranger.web.get(link))
    stranger.send(link, link, choice=second.id)
    assert "Second" in stranger.web.get("/settings").text
    with desk.database.reading() as tx:
        assert all(row.email_confirmed for row in accounts.with_address(tx, ADDRESS))


def test_one_letter_asks_for_all_who_wait(app: Flask, desk: Desk) -> None:
    """One letter, to the newest account, offers to confirm any account with the address."""
    for name in ("Eve", "Ada"):
        Guest(app).send("/sign-up", "/sign-in", name=name, email=ADDRESS)
    before = len(owed(desk))
    Guest(app).send("/sign-in", "/sign-in", email=ADDRESS)
    ((kind, account, _),) = owed(desk)[before:]
    with desk.database.reading() as tx:
        eve, ada = accounts.with_address(tx, ADDRESS)
    assert ("confirm_address", ada.id) == (kind, account)
    shown = app.test_client().get(path(signed_links.confirm_address(desk, ada.id, ADDRESS)))
    assert ["yes", f"as {eve.id}", "no", "never", "later"] == choices(shown)


@pytest.mark.parametrize("whose", ["Ada", "Ben"])
def test_an_address_that_changes_meanwhile_opens_nothing(
    app: Flask, desk: Desk, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    """No session begins if the address of the account changes while it is signing in.

    Ada has confirmed the address and Ben has not; nothing else in their accounts changes.
    """
    Guest(app, "Ada")
    mine = _confirmed(desk)
    Guest(app).send("/sign-up", "/sign-in", name="Ben", email=ADDRESS)
    with desk.database.reading() as tx:
        (entered,) = (
            person for person in accounts.with_address(tx, ADDRESS) if person.name == whose
        )
    mint = tokens.mint

    def meanwhile(desk: Desk, account: str, key: str | None) -> tokens.Minted:
        with desk.database.writing() as tx:
            accounts.change(tx, account, {"email": "other@example.org"})
        return mint(desk, account, key)

    monkeypatch.setattr(tokens, "mint", meanwhile)
    payload = signed_links.read(desk, "sign_in", _link(desk, mine).rpartition("/")[2])
    assert payload is not None
    shown, session = sessions.sign_in(desk, payload, entered.id, "a browser")
    assert ({"Ada": "gone", "Ben": "unchosen"}[whose], None) == (shown["stands"], session)
    with desk.database.reading() as tx:
        row = accounts.account(tx, entered.id)
    assert entered._replace(email="other@example.org") == row
