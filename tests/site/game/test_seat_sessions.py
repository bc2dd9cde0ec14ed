"""The pages in a session for one seat."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from service.links import seat_sessions
from store.people import accounts
from store.tables import games
from tests.api.serving import signed_in
from tests.site.visiting import Guest
from tests.support.mail_links import Place, placed


class Turn(Guest):
    """A browser in which the turn link of the awaited seat was used."""

    def __init__(self, place: Place) -> None:
        super().__init__(place.app)
        self.number = place.awaited()
        self.name = str(place.seat(self.number).name)
        self.path = f"/games/{place.game}"
        answer = self.web.post(place.turn(), data={"choice": "continue"})
        assert 303 == answer.status_code

    def sent(self, path: str, **fields: object) -> tuple[int, str]:
        """Send a form of the game; the status and the page."""
        answer = self.send(f"{self.path}{path}", self.path, **fields)
        return answer.status_code, answer.text

    def page(self) -> str:
        """The page of the game."""
        return self.web.get(self.path).text


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A game of two players in which one has a turn."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db") as opened:
        opened.past_tickets()
        yield opened


def test_a_turn_is_played_on_the_page(place: Place) -> None:
    """The page shows hand and options, says who is here, and plays both cards of a turn.

    Then the session has ended: the page says so kindly, and shows the game to a spectator.
    """
    turn = Turn(place)
    shown = turn.page()
    assert f"You are here as {turn.name} for this turn." in shown
    assert "Sign in for everything else" in shown
    assert "Your hand" in shown
    for _ in range(2):
        deck = turn.choices(turn.path)[0]
        assert 303 == turn.play(turn.path, deck).status_code

    shown = turn.page()
    assert "This move has been made. You now see what spectators see." in shown
    assert "Your hand" not in shown
    assert "You are here as" not in shown
    assert 200 == turn.web.get(turn.path).status_code
    assert [] == turn.choices(turn.path)


def test_a_form_that_is_sent_twice_keeps_the_session(place: Place) -> None:
    """The same form for the first card, sent again, is one move, and the second card is open."""
    turn = Turn(place)
    before, deck = place.version(), turn.choices(turn.path)[0]
    form = {"asked": place.seat(turn.number).decision_version, "seen": before}
    statuses = [turn.play(turn.path, deck, **form).status_code for _ in range(2)]

    assert ([303, 303], before + 1) == (statuses, place.version())
    assert f"You are here as {turn.name}" in turn.page()
    assert turn.choices(turn.path)


def test_two_tabs_go_on_together(place: Place) -> None:
    """A card that is drawn in one tab leads the other on, which draws the second one."""
    turn, before = Turn(place), place.version()
    tabs = Guest(place.app), Guest(place.app)
    cookie = turn.web.get_cookie(f"nightmail-{place.game}")
    assert cookie is not None
    for tab in tabs:
        tab.web.set_cookie(f"nightmail-{place.game}", cookie.value)
        assert 303 == tab.play(turn.path, tab.choices(turn.path)[0]).status_code

    assert before + 2 == place.version()


def test_a_move_by_mail_ends_it(place: Place) -> None:
    """When the first card is drawn elsewhere, the session does not see the second decision."""
    turn = Turn(place)
    place.move(turn.number)

    assert turn.number == place.awaited()
    shown = turn.page()
    assert "This move has been made. You now see what spectators see." in shown
    assert "Your hand" not in shown
    assert [] == turn.choices(turn.path)


def test_a_turn_can_be_talked_about(place: Place) -> None:
    """The talk form works until the turn is over; later nothing is posted, and a page says so."""
    turn = Turn(place)
    assert 303 == turn.sent("/say", text="good luck")[0]
    assert "good luck" in turn.page()
    late = turn.csrf_token(turn.path)
    for _ in range(2):
        turn.play(turn.path, "draw")
    answer = turn.web.post(f"{turn.path}/say", data={"csrf_token": late, "text": "too late"})

    assert (303, turn.path) == (answer.status_code, answer.headers["Location"])
    assert "This move has been made." in turn.page()
    assert "too late" not in turn.page()


def test_a_late_move_is_not_played(place: Place) -> None:
    """A form for a move that comes after the turn is over plays nothing, and leads to the game."""
    turn = Turn(place)
    token = turn.csrf_token(turn.path)
    for _ in range(2):
        turn.play(turn.path, "draw")
    before = place.version()
    data = {"csrf_token": token, "asked": "2", "seen": "9", "choice": "draw"}
    answer = turn.web.post(f"{turn.path}/move", data=data)

    assert (303, before) == (answer.status_code, place.version())


def test_what_an_account_decides_needs_the_usual_sign_in(place: Place) -> None:
    """Resigning, joining and inviting are refused with a page that leads to sign-in."""
    turn = Turn(place)
    assert "Resign" not in turn.page()
    for path, fields in {
        "/leave": {"sure": "yes"},
        "/join": {},
        "/guests": {"guests": "eve@example.org"},
    }.items():
        status, text = turn.sent(path, **fields)
        assert (403, path) == (status, path)
        assert "Please sign in for this" in text
        assert f'href="/sign-in?next={turn.path}"' in text
    assert place.seat(turn.number).resigned is None


def test_a_form_carries_the_token_of_its_session(place: Place) -> None:
    """A form with the CSRF token of a stranger, or of another session for the seat, is refused."""
    turn, other = Turn(place), Turn(place)
    for token in (Guest(place.app).csrf_token("/sign-in"), other.csrf_token(turn.path), ""):
        for path in ("/say", "/sign-out"):
            data = {"csrf_token": token, "text": "hello"}
            assert 403 == turn.web.post(f"{turn.path}{path}", data=data).status_code
    assert "hello" not in turn.page()
    assert f"You are here as {turn.name}" in turn.page()


def test_a_route_can_be_asked_about(place: Place) -> None:
    """The page's script learns why a route cannot be claimed, as long as the session lasts."""
    turn = Turn(place)
    assert 200 == turn.web.get(f"{turn.path}/why?route=boston-miami").status_code
    for _ in range(2):
        turn.play(turn.path, "draw")
    assert 303 == turn.web.get(f"{turn.path}/why?route=boston-miami").status_code


def test_a_forwarded_mail_ends_the_session(place: Place) -> None:
    """After “this mail was forwarded” the page is a spectator’s, and no form does anything."""
    turn = Turn(place)
    token, version = turn.csrf_token(turn.path), place.version()
    place.void(turn.number)
    shown = turn.page()
    assert "reported as forwarded" in shown
    assert "Your hand" not in shown
    decision = place.seat(turn.number).decision_version
    data = {
        "csrf_token": token,
        "asked": decision,
        "seen": version,
        "choice": "draw",
        "text": "hello",
    }
    for path in ("/move", "/say"):
        assert 303 == turn.web.post(f"{turn.path}{path}", data=data).status_code

    assert (version, False) == (place.version(), "hello" in turn.page())


def test_signing_out_ends_it(place: Place) -> None:
    """“Sign out” on the page ends the session and deletes its cookie; an old cookie is nothing."""
    turn = Turn(place)
    name = f"nightmail-{place.game}"
    cookie = turn.web.get_cookie(name)
    assert cookie is not None
    assert 303 == turn.sent("/sign-out")[0]
    assert turn.web.get_cookie(name) is None
    turn.web.set_cookie(name, cookie.value)

    assert "Your hand" not in turn.page()
    assert "You are here as" not in turn.page()


def test_signing_in_and_out_ends_it(place: Place) -> None:
    """A browser that signs up, in or out leaves no session for a seat behind."""
    turn = Turn(place)
    turn.send("/sign-up", "/sign-in", name="Cem", email="cem@example.org")
    assert turn.web.get_cookie(f"nightmail-{place.game}") is None
    assert "Your hand" not in turn.page()
    turn.send("/sign-out")

    assert "Your hand" not in turn.page()
    assert [] == seat_sessions.list_open(place.desk, place.players[turn.number])


def test_whoever_is_signed_in_is_nobody_else(place: Place) -> None:
    """With a full session the cookie for a seat is left alone, also on the page of its game."""
    turn, cem = Turn(place), Guest(place.app, "Cem")
    cookie = cem.web.get_cookie("nightmail")
    assert cookie is not None
    turn.web.set_cookie("nightmail", cookie.value)
    shown = turn.page()

    assert "Your hand" not in shown
    assert "You are here as" not in shown
    assert "Cem" in turn.web.get("/settings").text


def test_the_settings_list_it(place: Place) -> None:
    """The player's settings list the session with its game, and can end it."""
    turn, ada = Turn(place), Guest(place.app)
    ada.web.set_cookie("nightmail", signed_in(place.desk, place.players[turn.number]))
    match = re.search(r'action="(/settings/seats/[^"]+)"', ada.web.get("/settings").text)
    assert match is not None
    assert 303 == ada.send(match[1]).status_code

    assert "for one turn of" not in ada.web.get("/settings").text
    assert "Your hand" not in turn.page()


def _make_private(place: Place) -> None:
    with place.desk.database.writing() as tx:
        tx.execute(update(games).values(visibility="private"))


def test_a_private_table_stays_private(place: Place) -> None:
    """At a private table the session shows the game; afterwards a kind page leads to sign-in."""
    _make_private(place)
    turn = Turn(place)
    assert "Your hand" in turn.page()
    for _ in range(2):
        assert 303 == turn.play(turn.path, "draw").status_code
    answer = turn.web.get(turn.path)

    assert 404 == answer.status_code
    assert "This move has been made." in answer.text
    assert f'href="/sign-in?next={turn.path}"' in answer.text
    assert "If this is your table" in Guest(place.app).web.get(turn.path).text


def test_the_stream_knows_the_seat(place: Place) -> None:
    """The stream of news tells a seat of a private table its tag, and then that it is gone."""
    _make_private(place)
    turn = Turn(place)
    address = f"/news?game={place.game}"
    assert '"tag":"' in turn.web.get(address).text
    assert "event: gone" in Guest(place.app).web.get(address).text
    for _ in range(2):
        turn.play(turn.path, "draw")
    assert "event: gone" in turn.web.get(address).text


def test_times_are_the_players(place: Place) -> None:
    """In a session for a seat the deadline is in the time zone of the player's account."""
    turn = Turn(place)
    with place.desk.database.writing() as tx:
        accounts.change(tx, place.players[turn.number], {"time_zone": "Asia/Tokyo"})
    assert " JST" in turn.page()


def test_over_https_the_cookie_is_locked_to_its_host(tmp_path: Path) -> None:
    """With an https PUBLIC_URL the cookie is Secure and has the prefix __Host-."""
    url = f"sqlite:///{tmp_path}/nightmail.db"
    with placed(url, PUBLIC_URL="https://play.example.org") as place:
        answer = place.web.post(place.turn(), data={"choice": "continue"})
        cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith(f"__Host-nightmail-{place.game}=")
        assert {"Secure", "Path=/"} <= set(cookie.split("; "))
