"""Moves that the engine has decided, before they are stored."""

import json

import pytest

from engine import Refusal
from engine.codec import read_action
from service.desk import Desk
from service.games import table_lookup
from service.games.decided_moves import ChosenMove, DecidedMove, decide_move
from service.memory.positions import folded
from store.games.games import moves_after
from tests.service.support.tables import keep_tickets, play, table
from tests.service.support.timing import table_at

DRAW = read_action({"type": "draw_blind"})


def _decided(desk: Desk, game: str, choice: ChosenMove) -> DecidedMove:
    with desk.database.reading() as tx:
        table, position = table_lookup.settled(desk, tx, table_at(desk, game))
    return decide_move(table, position, choice, "2030-01-07T10:00:00.000Z")


def test_a_decided_move_is_the_next_line_of_the_log(desk: Desk) -> None:
    """The row has number, seat, key, digest and hash; its record has action, source and time."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)
    decided = _decided(desk, game, ChosenMove(0, DRAW, "mail", b"key", b"digest"))
    (row,) = decided.rows
    record = json.loads(row.record)

    assert (3, 0, b"key", b"digest") == (row.number, row.seat, row.key, row.digest)
    assert ("mail", decided.at) == (record["source"], record["at"])
    assert {"type": "draw_blind"} == record["action"]
    assert row.seq == decided.before.seq + len(decided.events[0])
    assert (row.number, row.hash) == (decided.after.version, decided.after.head)


def test_the_position_after_it_is_what_the_log_folds_to(desk: Desk) -> None:
    """Folding the new row onto the position before the move gives the position after it."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)
    decided = _decided(desk, game, ChosenMove(0, DRAW, "api"))
    again = folded(decided.table, decided.rows, decided.before)

    assert decided.after == again


def test_deciding_stores_nothing(desk: Desk) -> None:
    """Deciding the same move twice stores nothing and gives the same rows."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)
    first, second = (_decided(desk, game, ChosenMove(0, DRAW, "api")) for _ in range(2))
    with desk.database.reading() as tx:
        assert 3 == len(moves_after(tx, game, -1))
    assert first.rows == second.rows
    receipt = play(desk, game, players[0], "draw")
    assert first.after.version == receipt["version"]


def test_an_illegal_move_is_refused(desk: Desk) -> None:
    """An illegal move is refused with the engine's code."""
    game, _ = table(desk, "Ada", "Ben")
    with pytest.raises(Refusal) as refusal:
        _decided(desk, game, ChosenMove(0, DRAW, "api"))
    assert "illegal" == refusal.value.code
