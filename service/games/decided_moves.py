"""A move that the engine has decided: its events, its line of the log, the position after it."""

from typing import NamedTuple

from engine import Action, Chance, Event, Move, decide
from engine.log import canonical, record_of, tied_move
from engine.values import Seat
from service.memory.positions import Position
from store.games.games import StoredMove, Table


class ChosenMove(NamedTuple):
    """A move that a seat has chosen, before the engine decides it."""

    seat: Seat
    action: Action
    source: str
    key: bytes | None = None
    """The hash of the Idempotency-Key that came with it."""
    digest: bytes | None = None
    """The digest of the body that came with the key."""


class DecidedMove(NamedTuple):
    """A move that was decided, ready to be stored."""

    table: Table
    """The table for which it was decided."""
    before: Position
    rows: list[StoredMove]
    """One line of the log; in old games several were stored together."""
    events: list[tuple[Event, ...]]
    """The events of each row."""
    after: Position
    at: str
    choice: ChosenMove | None = None
    """None for the deal, which no seat has chosen."""


def decide_move(table: Table, before: Position, choice: ChosenMove, at: str) -> DecidedMove:
    """Decide a move in this position; raises the engine's Refusal if it is not legal."""
    number = before.version + 1
    chance = Chance(before.secret, table.id, number)
    outcome = decide(before.rules, before.state, choice.seat, choice.action, chance)
    move = Move(number, choice.seat, choice.action, outcome.events, source=choice.source, at=at)
    row = log_row(table, before, move)._replace(key=choice.key, digest=choice.digest)
    after = before.after(row, outcome.events, outcome.state)
    return DecidedMove(table, before, [row], [outcome.events], after, at, choice)


def log_row(table: Table, before: Position, move: Move) -> StoredMove:
    """Return a move as it is stored: its line of the log, and the hash that chains the lines."""
    line = canonical(record_of(move))
    return StoredMove(
        number=move.number,
        seat=move.seat,
        seq=before.seq + len(move.events),
        through=move.number,
        key=None,
        digest=None,
        until=None,
        record=line.decode(),
        hash=tied_move(before.head, line, move.number, table.id, before.secret),
    )
