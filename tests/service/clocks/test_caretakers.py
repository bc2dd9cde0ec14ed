"""After three missed deadlines a caretaker plays, until the owner comes back."""

import json
from typing import Any

import pytest

from engine import Action, Ruleset, State, default_for
from service.clocks import deadlines
from service.desk import Desk
from service.games import lobby, moves, reading
from service.games.bots import house
from service.games.move_requests import MoveRequest
from tests.service.support.tables import let_house_play, owed, play, play_default, table
from tests.service.support.timing import (
    TURNS,
    by_hand,
    notices_of,
    seat_at,
    seen_by,
    sources,
    table_at,
)


def _miss(desk: Desk, hands: Any, game: str, account: str, times: int) -> None:
    """Let a player miss this many deadlines in a row, while the others play."""
    while seat_at(desk, game, account).missed < times:
        for seat in table_at(desk, game).seated:
            if seat.account and seat.account != account and seat.awaited_since:
                play_default(desk, game, seat.account)
        hands.on(days=1)
        deadlines.sweep(desk)


def test_after_three_misses_the_seat_is_looked_after(each_desk: Desk) -> None:
    """All players are notified once; from then on the house plays after ten minutes."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    _miss(desk, hands, game, ada, 2)
    assert [False, False] == [player["away"] for player in seen_by(desk, game, ben)["players"]]
    _miss(desk, hands, game, ada, 3)

    notices = notices_of(desk, "seat_caretaken")
    assert {ada, ben} == {notice["account"] for notice in notices}
    assert [{"away": 0}] * 2 == [json.loads(notice["data"]) for notice in notices]
    assert [True, False] == [player["away"] for player in seen_by(desk, game, None)["players"]]
    while not seat_at(desk, game, ada).awaited_since:
        play_default(desk, game, ben)
    seat, before = seat_at(desk, game, ada), len(notices_of(desk, *TURNS))
    hands.on(minutes=10, milliseconds=-1)
    assert not house.play_next(desk)
    hands.on(milliseconds=1)
    assert 0 == deadlines.sweep(desk)
    assert house.play_next(desk)
    assert seat.decision_version != seat_at(desk, game, ada).decision_version
    assert before == len(notices_of(desk, *TURNS))
    assert (ada, seat.decision_version) in [notice[1:] for notice in owed(desk, "decision_opened")]
    assert 3 == seat_at(desk, game, ada).missed
    assert "house" == sources(desk, game)[-1]


def _deserted(desk: Desk, hands: Any, **more: Any) -> tuple[str, str]:
    """Play a game against a house bot until its player is away and awaited; return both."""
    game, (ada,) = table(desk, "Ada", pace="daily", bots={"easy": 1}, **more)
    while not (seat_at(desk, game, ada).missed == 3 and seat_at(desk, game, ada).awaited_since):
        hands.on(days=1)
        deadlines.sweep(desk)
        let_house_play(desk, game)
    assert not house.play_next(desk)
    return game, ada


def test_a_seat_is_given_back_and_taken_over_again(each_desk: Desk) -> None:
    """After the owner has moved, the house plays its own seat and no longer the owner's."""
    desk, hands = by_hand(each_desk)
    game, ada = _deserted(desk, hands)
    hands.on(minutes=9)
    while reading.decision(desk, game, ada):
        moves.submit(desk, ada, game, MoveRequest("draw"))
    assert house.play_next(desk)
    assert 0 == seat_at(desk, game, ada).missed
    hands.on(minutes=30)
    before = sources(desk, game)

    assert not house.play_next(desk)
    assert before == sources(desk, game)


def test_an_owner_who_is_quicker_than_a_caretaker(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the owner moves while the caretaker thinks, only the owner's move counts."""
    desk, hands = by_hand(each_desk)
    game, ada = _deserted(desk, hands)
    hands.on(minutes=10)

    def slow(rules: Ruleset, view: State, seat: int) -> Action:
        moves.submit(desk, ada, game, MoveRequest("draw"))
        return default_for(rules, view, seat)

    monkeypatch.setitem(house.PLAYERS, house.CARETAKER, slow)
    before = sources(desk, game)
    assert house.play(desk, game)

    assert [*before, "api"] == sources(desk, game)


def test_whoever_is_away_and_resigns_is_not_waited_for(desk: Desk) -> None:
    """When a player who is away resigns, the house plays the seat at once."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    _miss(desk, hands, game, ada, 3)
    while not seat_at(desk, game, ada).awaited_since:
        play_default(desk, game, ben)
    assert not house.play_next(desk)
    lobby.leave(desk, ada, game)

    assert house.play_next(desk)


@pytest.mark.parametrize("source", ["api", "mail", "link", "webhook"])
def test_the_owner_comes_back_with_any_move(desk: Desk, source: str) -> None:
    """A move from any source ends being away, and the next decision has its full time."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    _miss(desk, hands, game, ada, 3)
    while not seat_at(desk, game, ada).awaited_since:
        play_default(desk, game, ben)
    tag = reading.game(desk, game, ben)[0]
    made = moves.submit(desk, ada, game, MoveRequest("draw", source=source))

    assert tag != reading.game(desk, game, ben)[0]
    assert [False, False] == [player["away"] for player in seen_by(desk, game, ben)["players"]]
    assert 0 == seat_at(desk, game, ada).missed
    hands.on(days=1)
    assert made["decision"]["deadline"] == hands()


def test_two_misses_and_a_move_begin_anew(desk: Desk) -> None:
    """A move resets the number of missed deadlines."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    _miss(desk, hands, game, ada, 2)
    play(desk, game, ada, "draw")
    while not seat_at(desk, game, ada).awaited_since:
        play_default(desk, game, ben)
    hands.on(days=1)
    deadlines.sweep(desk)

    assert 1 == seat_at(desk, game, ada).missed
    assert [] == notices_of(desk, "seat_caretaken")
