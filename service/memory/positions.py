"""A cache of positions: games folded up to a version, kept in this process.

A log only grows, so a cached position needs only the moves since. Nothing depends on the cache:
without it every answer is the same, only slower.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import orjson

from engine import Action, Event, GameEnded, Opening, Ruleset, State, log_seen_by, replay, secret_of
from engine.codec import read_action, read_event
from engine.log import KEPT, opening_record, tied
from engine.values import Seat
from service.boards import atlas
from store.database import Transaction
from store.games import games
from store.games.games import StoredMove, Table

REMEMBERED = 400
"""Positions in the cache; the least recently used is evicted first."""
BEFORE = -1
"""The version of a game before its first move."""


class Position(NamedTuple):
    """A game at a version."""

    rules: Ruleset
    secret: bytes
    version: int
    seq: int
    head: bytes
    state: State
    views: dict[Seat | None, State]
    """The state as some seats see it, None for spectators; other views are folded on demand."""
    ended: GameEnded | None

    def view(self, seat: Seat | None) -> State | None:
        """Return the state as this seat sees it, if it is cached."""
        return self.state if self.ended else self.views.get(seat)

    def after(self, move: StoredMove, events: tuple[Event, ...], state: State) -> "Position":
        """Return the position after a move that led to this state."""
        last = events[-1]
        ended = last if isinstance(last, GameEnded) else None
        views = (
            {}
            if ended
            else {
                seat: replay(self.rules, log_seen_by(events, seat), view)
                for seat, view in self.views.items()
            }
        )
        return Position(
            self.rules, self.secret, move.number, move.seq, move.hash, state, views, ended
        )


def events_of(move: StoredMove) -> tuple[Event, ...]:
    """Return the events of a stored move."""
    body: dict[str, Any] = orjson.loads(move.record)
    return tuple([read_event(event) for event in body["events"]])


def action_of(move: StoredMove) -> Action:
    """Return the action of a stored move that a player made."""
    return read_action(orjson.loads(move.record)["action"])


def opening_of(table: Table) -> Opening:
    """Return the first line of the log of a game that has begun."""
    seating = KEPT if table.kept_seats else None
    return Opening(
        table.id, table.board, table.variants, table.seats, table.commitment, table.rules, seating
    )


def opening(table: Table, nonces: Sequence[str], eyes: Iterable[Seat | None] = ()) -> Position:
    """Return the position before move 0: no event yet, but seed and nonces are fixed."""
    rules = atlas.ruleset(table.board, table.variants, table.seats)
    head = tied(b"", opening_record(opening_of(table)), table.id, b"")
    secret, views = secret_of(table.seed, nonces), dict.fromkeys(eyes, rules.initial)
    return Position(rules, secret, BEFORE, 0, head, rules.initial, views, None)


def folded(
    table: Table,
    log: Sequence[StoredMove],
    start: Position | None = None,
    eyes: Iterable[Seat | None] = (),
) -> Position:
    """Return the position after these moves, which begin with move 0 if there is no start.

    From move 0 on, the views of these seats are folded as well.
    """
    position = start or opening(table, orjson.loads(log[0].record)["nonces"], eyes)
    if not log:
        return position
    events = tuple(_all(log))
    return position.after(log[-1], events, replay(position.rules, events, position.state))


class Positions:
    """An LRU cache of positions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: OrderedDict[str, Position] = OrderedDict()

    def keep(self, game: str, position: Position) -> None:
        """Cache a position, unless a later one is known."""
        with self._lock:
            cached = self._cached.get(game)
            if cached is None or cached.version <= position.version:
                self._cached[game] = position
                self._cached.move_to_end(game)
            if len(self._cached) > REMEMBERED:
                self._cached.popitem(last=False)

    def of(self, tx: Transaction, table: Table, *eyes: Seat | None) -> Position:
        """Return the latest position of a game that has begun, at least as late as the table's.

        Naming the seats whose views are needed next saves folding the log twice.
        """
        cached = self._used(table.id)
        if cached is not None and cached.version >= table.version:
            return cached
        log = games.moves_after(tx, table.id, cached.version if cached else BEFORE)
        position = folded(table, log, cached, eyes)
        self.keep(table.id, position)
        return position

    def _used(self, game: str) -> Position | None:
        """Return a cached position, which is now the most recently used."""
        with self._lock:
            cached = self._cached.get(game)
            if cached is not None:
                self._cached.move_to_end(game)
            return cached

    def view(self, tx: Transaction, table: Table, position: Position, seat: Seat | None) -> State:
        """Return the state as this seat sees it."""
        cached = position.view(seat)
        if cached is not None:
            return cached
        log = games.moves_between(tx, table.id, 0, position.version)
        view = replay(position.rules, log_seen_by(_all(log), seat))
        self.keep(table.id, position._replace(views={**position.views, seat: view}))
        return view


def _all(log: Iterable[StoredMove]) -> Iterable[Event]:
    return (event for move in log for event in events_of(move))
