"""Sweeps of several clocks at once, during other changes, and after a crash."""

from datetime import timedelta
from typing import Any

import pytest

from service.clocks import deadlines
from service.desk import Desk
from service.games import lobby, reading, table_lookup
from service.memory.positions import Positions
from store import timestamps
from store.games import deadlines as deadline_rows
from store.games import games
from tests.service.support.meanwhile import meanwhile
from tests.service.support.tables import play, play_default, table
from tests.service.support.threads import at_once
from tests.service.support.timing import (
    BEGIN,
    TURNS,
    by_hand,
    notices_of,
    seat_at,
    sources,
    table_at,
)


def test_two_clocks_do_everything_once(each_desk: Desk) -> None:
    """Four concurrent clocks send each reminder once and make one default move for each seat."""
    desk, hands = by_hand(each_desk)
    tables = [table(desk, f"Ada {n}", f"Ben {n}", pace="daily")[0] for n in range(4)]
    others = [desk._replace(positions=Positions()) for _ in range(4)]
    for hours in (12, 9.6, 2.4):
        hands.on(hours=hours)
        assert 8 == sum(at_once(4, lambda n: deadlines.sweep(others[n])))

    assert 16 == len(notices_of(desk, "decision_reminder"))
    assert 8 == len(notices_of(desk, "decision_expired"))
    assert [["clock", "clock"]] * 4 == [sources(desk, game) for game in tables]


def test_an_unguarded_reminder_is_noticed(each_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a clock that does not check for another one reminds twice."""
    unguarded = deadline_rows.look_again

    def always(*args: Any) -> bool:
        unguarded(*args)
        return True

    monkeypatch.setattr(deadline_rows, "look_again", always)
    with pytest.raises(AssertionError):
        test_two_clocks_do_everything_once(each_desk)


def test_a_game_that_cannot_go_on_stops_no_other(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that fails is tried again a minute later, and delays no other game."""
    desk, hands = by_hand(desk)
    broken, _ = table(desk, "Ada", "Ben", pace="daily")
    sound, _ = table(desk, "Cem", "Dan", pace="daily")
    settled = table_lookup.settled

    def failing(desk: Desk, tx: Any, due: Any) -> Any:
        if due.id == broken:
            raise ZeroDivisionError
        return settled(desk, tx, due)

    monkeypatch.setattr(table_lookup, "settled", failing)
    hands.on(days=1)
    assert 2 == deadlines.sweep(desk)
    assert ([], ["clock"] * 2) == (sources(desk, broken), sources(desk, sound))
    assert 0 == deadlines.sweep(desk)
    monkeypatch.undo()
    hands.on(minutes=1)
    assert 2 == deadlines.sweep(desk)
    assert ["clock"] * 2 == sources(desk, broken)


def test_a_default_is_decided_again_after_a_move_of_another(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If another seat moves before the clock commits, both moves count, in order."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=1)
    meanwhile(monkeypatch, lambda: play(desk, game, ben, "keep all"))
    deadlines.sweep(desk)

    assert ["api", "clock"] == sources(desk, game)
    assert [ada] == [notice["account"] for notice in notices_of(desk, "decision_expired")]


def test_a_player_who_resigns_meanwhile_is_not_told(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player who resigns before the clock commits gets no notice of the default move."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=1)
    meanwhile(monkeypatch, lambda: lobby.leave(desk, ada, game))

    assert 2 == deadlines.sweep(desk)
    assert [ben] == [notice["account"] for notice in notices_of(desk, "decision_expired")]


def test_a_deadline_that_moves_meanwhile_is_kept(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a deadline is moved before the clock commits, no default move is made."""
    desk, hands = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=1)
    later = timestamps.later(hands(), timedelta(days=3))

    def postpone() -> None:
        with desk.database.writing() as tx:
            games.lock(tx, game)
            deadline_rows.set_time(tx, game, seat_at(desk, game, ada).number, later, later)

    meanwhile(monkeypatch, postpone)

    assert 1 == deadlines.sweep(desk)
    assert [ben] == [notice["account"] for notice in notices_of(desk, "decision_expired")]
    assert later == seat_at(desk, game, ada).deadline


def test_a_crash_before_the_end_leaves_nothing_half_done(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A crash before the commit stores neither moves nor notices; the next sweep makes them."""
    desk, hands = by_hand(each_desk)
    game, _ = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=1)

    def crash(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(deadlines, "_expiry_notices", crash)
    with pytest.raises(KeyboardInterrupt):
        deadlines.sweep(desk)
    assert ([], []) == (sources(desk, game), notices_of(desk, *TURNS))
    monkeypatch.undo()
    assert 2 == deadlines.sweep(desk)


def test_clocks_that_disagree_change_only_the_schedule(each_desk: Desk) -> None:
    """Processes whose clocks differ by an hour play one game to its end, with a complete log."""
    desk, hands = by_hand(each_desk)
    ahead, behind = (by_hand(desk, BEGIN) for _ in range(2))
    game, players = table(desk, "Ada", "Ben", pace={"per_decision": 3600, "bank": 600})
    turn = 0
    while table_at(desk, game).status == "running":
        turn += 1
        hands.on(minutes=20)
        ahead[1].moment, behind[1].moment = hands.moment, hands.moment
        ahead[1].on(hours=1)
        behind[1].on(hours=-1)
        for other in (ahead[0], behind[0], desk):
            deadlines.sweep(other)
        for player in players:
            if turn % 3 and seat_at(desk, game, player).awaited_since:
                play_default(behind[0], game, player)
    lines = reading.log(desk, game, None)

    assert {"api", "clock"} <= set(sources(desk, game))  # and the house, if a seat was away
    assert len(lines) == table_at(desk, game).version + 3
