"""Playing with a name alone, and giving a mail address where others depend on it."""

import re
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.desk import Desk
from service.people import names
from store.people import accounts
from store.people.accounts import Account
from tests.api.serving import fresh_app
from tests.promises.support.database_checks import rows
from tests.service.support.tables import owed
from tests.site.visiting import Guest

PLAY = "Play against a bot now"


def _form(text: str, action: str) -> dict[str, str]:
    """The fields of a page's form with this action, as the page has filled them in."""
    match = re.search(rf'<form [^>]*action="{re.escape(action)}".*?</form>', text, re.DOTALL)
    assert match is not None, action
    inputs = re.findall(r'<input\b[^>]*name="(\w+)"(?:[^>]*?value="([^"]*)")?', match[0])
    return dict(inputs)


def _start(guest: Guest, name: str) -> TestResponse:
    """Choose a name on the front page and press the button."""
    page = guest.web.get("/").text
    assert PLAY in page
    return guest.web.post("/play", data=_form(page, "/play") | {"name": name})


def _without_address(app: Flask, name: str = "Ada") -> Guest:
    guest = Guest(app)
    _start(guest, name)
    return guest


def _account(desk: Desk, name: str = "Ada") -> Account:
    with desk.database.reading() as tx:
        account = accounts.account(tx, accounts.id_by_name(tx, names.skeleton(name)) or "")
    assert account is not None
    return account


def test_a_name_is_enough_to_play_a_bot(app: Flask, desk: Desk) -> None:
    """A name on the front page starts a game, without an address and without a letter."""
    ada = Guest(app)
    answer = _start(ada, "Ada")
    assert 303 == answer.status_code, answer.text
    assert "Keep at least 2" in ada.web.get(answer.headers["Location"]).text
    assert (None, []) == (_account(desk).email, owed(desk, "confirm_address"))


def test_pressing_twice_is_one_player_and_one_game(app: Flask, desk: Desk) -> None:
    """Sending the form twice makes one account and one game, also without the cookie."""
    ada = Guest(app)
    fields = _form(ada.web.get("/").text, "/play") | {"name": "Ada"}
    first = ada.web.post("/play", data=fields)
    before = rows(desk.database)
    again = app.test_client()
    second = again.post("/play", data=fields)
    assert first.headers["Location"] == second.headers["Location"]
    assert before == rows(desk.database)
    assert "Keep at least 2" in again.get(second.headers["Location"]).text
    assert "/games" == ada.web.post("/play", data=fields).headers["Location"]
    assert before == rows(desk.database)


def test_a_name_that_cannot_be_is_refused_on_the_front_page(app: Flask, desk: Desk) -> None:
    """An empty, too long or taken name is refused on the front page, and nothing is stored."""
    Guest(app, "Ada")
    before = rows(desk.database)
    for name, status in {"": 400, "x" * 200: 400, "ADA": 409}.items():
        answer = _start(Guest(app), name)
        assert (status, True) == (answer.status_code, 'role="alert"' in answer.text), name
        assert (name, PLAY in answer.text) == (_form(answer.text, "/play")["name"], True)
    assert before == rows(desk.database)


def test_newcomers_without_an_address_are_counted(tmp_path: Path) -> None:
    """Beyond RATE_LIMIT_ACCOUNTS, a new account without an address gets 429 and Retry-After."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", RATE_LIMIT_ACCOUNTS="2/day")
    statuses = [_start(Guest(app), name) for name in ("Ada", "Ben", "Cem")]
    assert [303, 303, 429] == [answer.status_code for answer in statuses]
    assert int(statuses[-1].headers["Retry-After"]) > 0
    desk.close()


def test_a_foreign_form_makes_nobody(app: Flask, desk: Desk) -> None:
    """A cross-site form, or one without a CSRF token, gets 403 and stores nothing."""
    before = rows(desk.database)
    guest = Guest(app)
    fields = _form(guest.web.get("/").text, "/play") | {"name": "Ada"}
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    answers = [
        guest.web.post("/play", data=fields, headers=elsewhere),
        guest.web.post("/play", data={"name": "Ada"}),
    ]
    assert [403, 403] == [answer.status_code for answer in answers]
    assert before == rows(desk.database)


def test_an_address_can_be_left_out_when_signing_up(app: Flask, desk: Desk) -> None:
    """Signing up with an empty address makes an account without one."""
    answer = Guest(app).send("/sign-up", "/sign-in", name="Ada", email="", next="/games/open")
    assert (303, "/games/open") == (answer.status_code, answer.headers["Location"])
    assert _account(desk).email is None


@pytest.mark.parametrize("page", ["/games", "/settings"])
def test_who_has_no_address_is_told_what_that_means(app: Flask, page: str) -> None:
    """Pages warn an account without an address that it can be lost, and no other account."""
    text = _without_address(app).web.get(page).text
    assert "Ada is lost" in text
    assert 'href="/settings#address"' in text
    assert "is lost" not in Guest(app, "Ben").web.get(page).text


def test_signing_out_without_an_address_asks_first(app: Flask) -> None:
    """Signing out of an account without an address must be confirmed."""
    ada = _without_address(app)
    answer = ada.send("/sign-out", "/games")
    assert (200, True) == (answer.status_code, "no way back" in answer.text)
    assert 200 == ada.web.get("/games").status_code
    assert 303 == ada.send("/sign-out", "/games", sure="yes").status_code
    assert 303 == ada.web.get("/games").status_code


SLOW: dict[str, str] = {"board": "usa", "seats": "2", "easy": "0", "title": "A quiet evening"}


@pytest.mark.parametrize("pace", ["days", "daily", "week", "none"])
def test_a_slow_game_with_people_needs_an_address(app: Flask, desk: Desk, pace: str) -> None:
    """A slow game with people is refused without an address, and opened with one."""
    ada = _without_address(app)
    before = rows(desk.database)
    body = {**SLOW, "pace": pace}
    answer = ada.send("/games/new", "/games/new", **body)
    assert (400, True) == (answer.status_code, "A quiet evening" in answer.text)
    assert 'aria-invalid="true"' in answer.text[answer.text.index('name="email"') :][:80]
    assert 400 == ada.send("/games/new", "/games/new", **body, email="nobody").status_code
    assert before == rows(desk.database)
    ada.game(**body, email="ada@example.org")
    assert "ada@example.org" == _account(desk).email
    assert ["confirm_address"] == [kind for kind, _, _ in owed(desk, "confirm_address")]


def test_what_cannot_be_opened_keeps_no_address(app: Flask, desk: Desk) -> None:
    """A form that is refused because of its table does not store its address."""
    ada = _without_address(app)
    before = rows(desk.database)
    body = {**SLOW, "seats": "9", "email": "ada@example.org"}
    assert 400 == ada.send("/games/new", "/games/new", **body).status_code
    assert before == rows(desk.database)


@pytest.mark.parametrize("more", [{"pace": "live"}, {"easy": "1"}])
def test_nobody_waits_for_who_plays_live_or_with_bots(app: Flask, more: dict[str, str]) -> None:
    """A live game, or one against bots only, is opened without an address."""
    assert _without_address(app).game(**{**SLOW, **more})


def test_sitting_down_at_a_slow_table_needs_an_address(app: Flask, desk: Desk) -> None:
    """Joining a slow table is refused without an address; with one, the form stores both."""
    host, ada = Guest(app, "Ben"), _without_address(app)
    table = host.game(easy="0", pace="days")
    assert 'name="email"' in ada.web.get(table).text
    answer = ada.send(f"{table}/join", "/games/open")
    assert (400, True) == (answer.status_code, 'name="email"' in answer.text)
    assert "we email you when" in answer.text
    assert 400 == ada.send(f"{table}/join", table, email="nobody").status_code
    assert 303 == ada.send(f"{table}/join", table, email="ada@example.org").status_code
    assert "ada@example.org" == _account(desk).email
    assert "Your move" in ada.web.get("/games").text


def test_inviting_needs_an_address(app: Flask, desk: Desk) -> None:
    """Inviting without an address is refused, also to a live table, and nobody is invited."""
    ada = _without_address(app)
    form = {"board": "usa", "seats": "2", "pace": "live", "visibility": "public"}
    answer = ada.send("/games/new", "/games/new", **form, guests="friend@example.org")
    assert (400, True) == (answer.status_code, "add an email address first" in answer.text)
    table = ada.game(easy="0", pace="live")
    answer = ada.send(f"{table}/guests", table, guests="friend@example.org")
    assert (400, True) == (answer.status_code, "add an email address" in answer.text)
    assert [] == rows(desk.database)["invitations"]


def test_sitting_down_at_a_live_table_needs_none(app: Flask) -> None:
    """Joining a live table needs no address, and members who have one see no field for it."""
    host, ada = Guest(app, "Ben"), _without_address(app)
    table = host.game(easy="0", pace="live")
    assert 'name="email"' not in ada.web.get(table).text
    assert 303 == ada.send(f"{table}/join", table).status_code
    slow = host.game(easy="0", pace="days")
    assert 'name="email"' not in Guest(app, "Cem").web.get(slow).text
