"""The page of the link “Open my turn”, and the session that it opens."""

import re

import pytest
from werkzeug.test import TestResponse

from service import account_deletion
from service.games import lobby
from service.people.tokens import Caller
from tests.api.serving import newcomer, signed_in
from tests.promises.support.database_checks import rows
from tests.site.visiting import Guest
from tests.support.mail_links import Place, choices

SECURE = {"PUBLIC_URL": "https://play.example.org"}


@pytest.fixture
def turn(place: Place) -> Place:
    """A game of two players in which one has a turn."""
    place.past_tickets()
    return place


def _name(place: Place) -> str:
    return str(place.seat(place.awaited()).name)


def _cookies(answer: TestResponse) -> list[str]:
    return [cookie.partition("=")[0] for cookie in answer.headers.getlist("Set-Cookie")]


def test_the_page_asks_who_is_there(turn: Place) -> None:
    """The page names game, player, what is awaited and the deadline; it sets no cookie."""
    before = rows(turn.desk.database)
    page = turn.web.get(turn.turn())

    assert (200, ["continue", "later"]) == (page.status_code, choices(page))
    assert f"Continue as {_name(turn)}" in page.text
    assert "The table is waiting for" in page.text
    assert "Deadline: " in page.text
    assert [] == _cookies(page)
    assert before == rows(turn.desk.database)


def test_the_page_tells_no_secrets(turn: Place) -> None:
    """The page shows neither hand, tickets nor options, and is the same in a private game."""
    page = turn.web.get(turn.turn()).text

    assert not re.search(r"hand|ticket|draw|claim|locomotive", page, re.IGNORECASE)


def test_continuing_leads_to_the_game(turn: Place) -> None:
    """Continuing sets a cookie for this game alone, and leads to the seat's page of it."""
    web, link = turn.web, turn.turn()
    answer = web.post(link, data={"choice": "continue"})
    where = f"/games/{turn.game}"

    assert (303, where) == (answer.status_code, answer.headers["Location"])
    assert [f"nightmail-{turn.game}"] == _cookies(answer)
    cookie = answer.headers["Set-Cookie"].split("; ")
    assert {"HttpOnly", "Path=/", "SameSite=Lax", "Max-Age=86400"} <= set(cookie)
    assert "Your hand" in web.get(where).text
    assert "Your hand" not in turn.web.get(where).text


def test_pressing_twice_is_one_session(turn: Place) -> None:
    """A browser that presses again goes on with its session; another browser gets its own."""
    web, link = turn.web, turn.turn()
    first, second = (web.post(link, data={"choice": "continue"}) for _ in range(2))
    other = turn.web.post(link, data={"choice": "continue"})

    assert [303] * 3 == [answer.status_code for answer in (first, second, other)]
    assert [1, 0, 1] == [len(_cookies(answer)) for answer in (first, second, other)]
    assert 2 == len(rows(turn.desk.database)["seat_sessions"])


def test_a_signed_in_player_keeps_the_session(turn: Place) -> None:
    """Whoever is signed in as the player goes to the game, and nothing is stored or set."""
    web = turn.web
    web.set_cookie("nightmail", signed_in(turn.desk, turn.players[turn.awaited()]))
    before = rows(turn.desk.database)
    answer = web.post(turn.turn(), data={"choice": "continue"})

    assert (303, []) == (answer.status_code, _cookies(answer))
    assert before == rows(turn.desk.database)
    assert 200 == web.get("/settings").status_code


def test_somebody_else_is_asked(turn: Place) -> None:
    """A browser that is signed in as another account is told so, and becomes nobody else unasked.

    Staying leads to the game as that account; continuing as the player signs it out.
    """
    web, link = turn.web, turn.turn()
    other = turn.players[1 - turn.awaited()]
    web.set_cookie("nightmail", signed_in(turn.desk, other))
    page = web.get(link)
    assert ["instead", "stay", "later"] == choices(page)
    assert f"signed in as {turn.seat(1 - turn.awaited()).name}" in page.text
    before = rows(turn.desk.database)
    assert 400 == web.post(link, data={"choice": "continue"}).status_code
    stayed = web.post(link, data={"choice": "stay"})
    assert (303, []) == (stayed.status_code, _cookies(stayed))
    assert before == rows(turn.desk.database)

    answer = web.post(link, data={"choice": "instead"})
    assert (303, ["nightmail", f"nightmail-{turn.game}"]) == (
        answer.status_code,
        _cookies(answer),
    )
    assert web.get_cookie("nightmail") is None
    assert 303 == web.get("/settings").status_code
    assert f"You are here as {_name(turn)}" in web.get(f"/games/{turn.game}").text


def test_nobody_is_lost(turn: Place) -> None:
    """An account without an address, which could not come back, is never signed out here."""
    account, _ = newcomer(turn.web, "Cem")
    web, link = turn.web, turn.turn()
    web.set_cookie("nightmail", signed_in(turn.desk, account["id"]))
    page = web.get(link)

    assert ["stay", "later"] == choices(page)
    assert "in another browser" in page.text
    before = rows(turn.desk.database)
    for choice in ("instead", "continue"):
        assert 400 == web.post(link, data={"choice": choice}).status_code
    assert before == rows(turn.desk.database)


def test_two_players_share_a_browser(place: Place) -> None:
    """A browser that is at another seat of the same game is asked, and changes seats."""
    web = place.web
    web.post(place.turn(0), data={"choice": "continue"})
    link = place.turn(1)

    assert ["instead", "stay", "later"] == choices(web.get(link))
    assert 303 == web.post(link, data={"choice": "instead"}).status_code
    assert f"You are here as {place.seat(1).name}" in web.get(f"/games/{place.game}").text
    assert 1 == len(rows(place.desk.database)["seat_sessions"])


def test_another_site_opens_no_session(turn: Place) -> None:
    """A form that another site has sent is refused, so nobody is made to act for its owner."""
    link, data = turn.turn(), {"choice": "continue"}
    for name, value, status in (
        ("Sec-Fetch-Site", "cross-site", 403),
        ("Sec-Fetch-Site", "same-site", 403),
        ("Origin", "https://evil.example", 403),
        ("Sec-Fetch-Site", "same-origin", 303),
        ("Origin", "null", 303),  # the page sends no referrer
        ("Origin", "http://localhost", 303),
    ):
        answer = turn.web.post(link, data=data, headers={name: value})
        assert (status, value) == (answer.status_code, value)
        assert (status == 303) == bool(_cookies(answer))


def test_a_link_that_is_not_open_says_why(turn: Place) -> None:
    """A link whose decision is made, or whose player has resigned, has a page that says so."""
    link, number = turn.turn(), turn.awaited()
    turn.move(number)
    assert number == turn.awaited()  # the turn goes on, but not for this link
    made = turn.web.get(link)
    assert "What has happened since" in made.text

    link = turn.turn()
    lobby.leave(turn.desk, turn.players[turn.awaited()], turn.game)
    left = turn.web.get(link)
    assert 404 == turn.web.get("/turn/nothing").status_code
    for answer in (made, left):
        assert (409, "The game has moved on") == (answer.status_code, _heading(answer))
        assert [] == choices(answer)
        assert "the latest email" in answer.text
        assert f'href="/games/{turn.game}"' in answer.text


@pytest.mark.parametrize("session", ["seat", "full"])
def test_a_browser_that_plays_already_can_go_on(turn: Place, session: str) -> None:
    """The page of an old link leads a browser with an open session of the player to the game."""
    web, link, number = turn.web, turn.turn(), turn.awaited()
    if session == "full":
        web.set_cookie("nightmail", signed_in(turn.desk, turn.players[number]))
        turn.move(number)
    else:
        web.post(link, data={"choice": "continue"})
        page = Guest(turn.app)
        page.web = web
        assert 303 == page.play(f"/games/{turn.game}", "draw").status_code
    here, elsewhere = web.get(link), turn.web.get(link)

    assert (409, 409) == (here.status_code, elsewhere.status_code)
    for text in ("You can go on with the game in this browser.", "Go on with the game</a>"):
        assert (True, False) == (text in here.text, text in elsewhere.text)
    web.set_cookie("nightmail", signed_in(turn.desk, turn.players[1 - number]))
    assert "Go on with the game" not in web.get(link).text


def test_a_void_link_opens_nothing(turn: Place) -> None:
    """After “this mail was forwarded” a link answers 403 and shows nothing; a new one works."""
    link, number = turn.turn(), turn.awaited()
    turn.void(number)

    for answer in (turn.web.get(link), turn.web.post(link, data={"choice": "continue"})):
        assert (403, []) == (answer.status_code, _cookies(answer))
        assert _name(turn) not in answer.text
    assert 303 == turn.web.post(turn.turn(), data={"choice": "continue"}).status_code


def test_a_link_of_a_deleted_account_is_gone(turn: Place) -> None:
    """The link of a deleted account answers 410."""
    link = turn.turn()
    caller = Caller(turn.players[turn.awaited()], "", frozenset())
    account_deletion.delete(turn.desk, caller)

    assert 410 == turn.web.get(link).status_code


def _heading(answer: TestResponse) -> str:
    match = re.search("<h1>(.*?)</h1>", answer.text)
    assert match is not None
    return match[1]
