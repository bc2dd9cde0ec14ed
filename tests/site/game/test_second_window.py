"""Moves sent from an outdated page: the response says what has happened since."""

import html
import re
from datetime import timedelta

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from service.clocks import deadlines
from service.clocks.paces import AWAY_AFTER
from service.desk import Desk
from service.games import moves, reading, table_lookup
from service.games.move_requests import MoveRequest, from_body
from service.games.players import House
from service.views import game_page
from store import timestamps
from store.games import games
from tests.promises.support.database_checks import rows
from tests.site.visiting import Guest


def _stale(guest: Guest, game: str) -> dict[str, str]:
    """The fields `asked` and `seen` of a game page, which an outdated page would send later."""
    return dict(re.findall(r'name="(asked|seen)" value="(\d+)"', guest.web.get(game).text))


def _alert(answer: TestResponse) -> str:
    match = re.search(r'<p class="alert" role="alert">(.*?)</p>', answer.text)
    assert match is not None, answer.text
    return html.unescape(match[1])


def _two(app: Flask) -> tuple[Guest, Guest, str]:
    """Two players at one table, and the path of its page."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    game = ada.game(easy="0")
    ben.send(f"{game}/join", game)
    return ada, ben, game


def test_another_choice_in_a_second_window_is_explained(app: Flask, desk: Desk) -> None:
    """A second choice for the same decision gets 412 and a plain reason, and stores nothing."""
    ada, _, game = _two(app)
    first, second = ada.choices(game)[:2]
    form = _stale(ada, game)
    ada.play(game, first, **form)
    before = rows(desk.database)
    answer = ada.play(game, second, **form)
    assert 412 == answer.status_code
    assert "You have already moved, in another window or by email." in _alert(answer)
    assert "dempotency" not in answer.text
    assert before == rows(desk.database)


def test_who_has_moved_since_is_named(app: Flask) -> None:
    """A move from an outdated page gets 412, the name of who has moved, and the new decision."""
    ada, ben, game = _two(app)
    form = _stale(ada, game)
    choice = ada.choices(game)[0]
    ada.play(game, choice, **form)
    ben.play(game, ben.choices(game)[0])
    mover = next(guest for guest in (ada, ben) if guest.choices(game))
    other = ben if mover is ada else ada
    old = _stale(mover, game)
    for _ in range(2):
        mover.play(game, "draw")
    for _ in range(2):
        other.play(game, "draw")
    answer = mover.play(game, "tickets", **old)
    named = "Ben has moved since." if mover is ada else "Ada has moved since."
    assert (412, True) == (answer.status_code, named in _alert(answer))
    assert "What will you do?" in answer.text


def test_a_move_that_the_clock_has_made_is_said_to_be_so(app: Flask, desk: Desk) -> None:
    """A move after the deadline gets 412, and the page says that a move was made instead."""
    ada, _, game = _two(app)
    form, choice = _stale(ada, game), ada.choices(game)[0]
    later = timestamps.later(desk.now(), timedelta(days=4))
    deadlines.sweep(desk._replace(now=lambda: later))
    answer = ada.play(game, choice, **form)
    assert 412 == answer.status_code
    assert "Your time was up, and a move was made for you." in _alert(answer)


def test_a_game_that_is_over_is_said_to_be_so(app: Flask, desk: Desk) -> None:
    """A move after the end of the game gets 412, and the page shows the result."""
    ada, _, game = _two(app)
    id = game.rsplit("/", 1)[1]
    form = _stale(ada, game)
    with desk.database.reading() as tx:
        players = [str(seat.account) for seat in table_lookup.table_of(tx, id, None).seated]
    for _ in range(4000):
        open_to = [player for player in players if reading.decision(desk, id, player)]
        if not open_to:
            break
        decision = reading.decision(desk, id, open_to[0])
        assert decision is not None
        moved = from_body({"action": decision["default"]["action"]})
        moves.submit(desk, open_to[0], id, moved)
    assert "finished" == game_page.table(desk, id, None)["status"]
    answer = ada.play(game, "draw", **form)
    assert (412, True) == (answer.status_code, "sheet-title" in answer.text)


@pytest.mark.parametrize("seen", ["99999", "0"])
def test_a_form_that_was_tampered_with_says_nothing_odd(app: Flask, seen: str) -> None:
    """Forged `asked` and `seen` fields get 412 and a general explanation."""
    ada, _, game = _two(app)
    answer = ada.play(game, ada.choices(game)[0], asked="77777", seen=seen)
    assert (412, True) == (answer.status_code, "The game has moved on." in _alert(answer))


def test_the_same_form_twice_is_one_move(app: Flask, desk: Desk) -> None:
    """A form that one tab sends twice leads to the game both times, and makes one move."""
    ada, _, game = _two(app)
    first, form = ada.choices(game)[0], _stale(ada, game)
    assert 303 == ada.play(game, first, **form).status_code
    before = rows(desk.database)
    assert 303 == ada.play(game, first, **form).status_code
    assert before == rows(desk.database)


def test_a_seat_that_the_house_has_played_is_said_to_be_so(app: Flask, desk: Desk) -> None:
    """A choice from before the house moved for a player who was away gets 412 and the reason."""
    ada, ben, game = _two(app)
    id = game.rsplit("/", 1)[1]
    for guest in (ada, ben):
        guest.play(game, guest.choices(game)[0])
    mover = next(guest for guest in (ada, ben) if "slot" in guest.web.get(game).text)
    form = _stale(mover, game)
    with desk.database.writing() as tx:
        table = table_lookup.existing(tx, id)
        number = next(seat.number for seat in table.seated if seat.awaited_since)
        games.hand_over(tx, id, number, {"missed": AWAY_AFTER})
    for _ in range(2):
        moves.submit(desk, House(number), id, MoveRequest("draw", source="house"))
    answer = mover.play(game, "draw", **form)
    assert 412 == answer.status_code
    assert "Your time was up, and a move was made for you." in _alert(answer)
