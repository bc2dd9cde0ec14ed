"""The cache of positions: the same answers with it and without it."""

from collections.abc import Sequence

import pytest

from engine import log_seen_by, replay
from service.desk import Desk
from service.memory import positions
from service.memory.positions import BEFORE, Position, Positions, action_of, events_of, folded
from store.database import Transaction
from store.games import games
from store.games.games import StoredMove, moves_after
from tests.service.games.test_lobby import finish
from tests.service.support.tables import keep_tickets, play, table
from tests.service.support.timing import table_at


def _log(desk: Desk, game: str) -> list[StoredMove]:
    with desk.database.reading() as tx:
        return list(moves_after(tx, game, BEFORE))


def _position(desk: Desk, game: str, cache: Positions | None = None) -> Position:
    with desk.database.reading() as tx:
        return (cache or Positions()).of(tx, table_at(desk, game))


def test_a_log_folds_alike_from_every_place(each_desk: Desk) -> None:
    """Promise 7: whatever a process remembered, the rest of the log leads to the same position."""
    game, players = table(each_desk, "Ada", bots={"easy": 1}, board="europe")
    finish(each_desk, game, players[0])
    row, log = table_at(each_desk, game), _log(each_desk, game)
    whole = folded(row, log)

    for at in range(1, len(log)):
        assert whole == folded(row, log[at:], folded(row, log[:at]))


def test_nothing_is_before_the_first_move(desk: Desk) -> None:
    """The position before move 0 has no events; folding no moves leaves a position as it is."""
    game, _ = table(desk, "Ada", "Ben")
    row = table_at(desk, game)
    start = positions.opening(row, ["a", "b"], [None])

    assert (BEFORE, 0, None) == (start.version, start.seq, start.ended)
    assert start.rules.initial == start.state == start.view(None)
    assert start.view(0) is None
    assert start is folded(row, [], start)


def test_stored_moves_are_read(desk: Desk) -> None:
    """The action that a player made, and the events that came of it."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    play(desk, game, ada, "keep all")
    position, (deal, keep) = _position(desk, game), _log(desk, game)

    assert "KeepTickets" == type(action_of(keep)).__name__
    assert position.state == replay(position.rules, [*events_of(deal), *events_of(keep)])


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The version after which each query has read the log."""
    after: list[int] = []

    def counted(tx: Transaction, game: str, version: int) -> Sequence[StoredMove]:
        after.append(version)
        return moves_after(tx, game, version)

    monkeypatch.setattr(games, "moves_after", counted)
    return after


def test_only_the_moves_since_are_read(desk: Desk, queries: list[int]) -> None:
    """The first time the whole log is read, then what is new, and nothing if nothing is."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    cache = Positions()
    queries.clear()
    first = _position(desk, game, cache)
    assert first is _position(desk, game, cache)
    assert [BEFORE] == queries

    play(desk, game, ada, "keep all")
    queries.clear()
    assert _position(desk, game) == _position(desk, game, cache)
    assert [BEFORE, 0] == queries


def test_an_earlier_position_does_not_replace_a_later_one(desk: Desk) -> None:
    """A slow thread that comes back with an old position changes nothing."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    cache = Positions()
    early = _position(desk, game)
    play(desk, game, ada, "keep all")
    late = _position(desk, game, cache)
    cache.keep(game, early)

    assert (0, 1) == (early.version, late.version)
    assert late is _position(desk, game, cache)


def test_the_least_recently_used_position_is_evicted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, queries: list[int]
) -> None:
    """A position that is read stays in the cache, like one that was just stored."""
    monkeypatch.setattr(positions, "REMEMBERED", 2)
    first, second, third = (table(desk, f"Ada {n}", f"Ben {n}")[0] for n in range(3))
    cache = Positions()
    for game in (first, second, first, third):
        _position(desk, game, cache)
    queries.clear()

    for game in (first, third):
        _position(desk, game, cache)
    assert [] == queries
    _position(desk, second, cache)
    assert [BEFORE] == queries


@pytest.mark.parametrize("eyes", [(), (0, 1, None)], ids=["later", "in advance"])
def test_a_view_is_folded_from_what_the_seat_sees(desk: Desk, eyes: tuple[int | None, ...]) -> None:
    """Whether it is folded with the position or on demand; then it is in the cache."""
    game, players = table(desk, "Ada", "Ben")
    cache, row = Positions(), table_at(desk, game)
    keep_tickets(desk, game, players)
    with desk.database.reading() as tx:
        cache.of(tx, row, *eyes)
    row = table_at(desk, game)
    events = [event for move in _log(desk, game) for event in events_of(move)]

    for seat in (0, 1, None):
        with desk.database.reading() as tx:
            position = cache.of(tx, row)
            view = cache.view(tx, row, position, seat)
            assert view is cache.of(tx, row).view(seat)
        assert replay(position.rules, log_seen_by(events, seat)) == view
        assert position.state != view


def test_when_a_game_is_over_everybody_sees_everything(desk: Desk) -> None:
    """Every view is the whole state."""
    game, (ada,) = table(desk, "Ada", bots={"easy": 1})
    finish(desk, game, ada)
    position = _position(desk, game)

    assert position.ended is not None
    assert all(position.view(seat) is position.state for seat in (0, 1, None))
