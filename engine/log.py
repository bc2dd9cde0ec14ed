"""The log of a game: one JSON object a line, each tied to the lines before it by a hash.

The bytes are specified in docs/fairness.md, so that anyone can write a reader in any language.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.chance import blind_of
from engine.codec import Json, parse, read_action, read_event, write
from engine.errors import LogError, Unreadable
from engine.kinds import Action, Event
from engine.values import Seat

FORMAT = 1


class Opening(NamedTuple):
    """What is published when a game is opened, before anybody has joined."""

    game: str
    board: str
    variants: tuple[str, ...]
    seats: int
    commitment: str


class Move(NamedTuple):
    """One move: who asked for what, and what came of it. Move 0 sets the table."""

    number: int
    seat: Seat | None
    action: Action | None
    events: tuple[Event, ...]
    nonces: tuple[str, ...] = ()
    """Only in move 0: what each seat added to the seed, in the order of joining."""
    source: str | None = None
    """How it came: api, mail, link, clock, bot."""
    at: str | None = None
    """When it came, as the service writes times."""


class Log(NamedTuple):
    """A game from its opening to the reveal of its seed; without a seed it is still running."""

    opening: Opening
    moves: tuple[Move, ...]
    seed: bytes | None
    hashes: tuple[str, ...] = ()
    """The hash of every line, as it was read."""


def canonical(record: Mapping[str, Any]) -> bytes:
    """The bytes that are hashed: keys sorted, no spaces, UTF-8."""
    return json.dumps(
        record, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


class Chain:
    """The hash chain of a game as it grows; its head stands for everything so far."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.head = ""

    def opened(self, opening: Opening) -> Json:
        """The first line."""
        return self._tied({"format": FORMAT, **opening._asdict()}, b"")

    def moved(self, move: Move, secret: bytes) -> Json:
        """The line of a move.

        Its hash is blinded: a head that is shown while the game runs would otherwise let
        anybody try out which hidden card fits it.
        """
        return self._tied(record_of(move), blind_of(secret, self.game, move.number))

    def revealed(self, seed: bytes) -> Json:
        """The last line."""
        return self._tied({"seed": seed.hex()}, b"")

    def _tied(self, record: Json, blind: bytes) -> Json:
        told = bytes.fromhex(self.head) + blind + canonical(record)
        self.head = hashlib.sha256(told).hexdigest()
        return {**record, "hash": self.head}


def record_of(move: Move) -> Json:
    """A move as plain data; what it does not have is left out."""
    record: Json = {"move": move.number, "events": [write(event) for event in move.events]}
    if move.action is not None:
        record |= {"seat": move.seat, "action": write(move.action)}
    if move.number == 0:
        record["nonces"] = list(move.nonces)
    record |= {key: value for key in ("source", "at") if (value := getattr(move, key)) is not None}
    return record


def chained(log: Log, secret: bytes) -> list[Json]:
    """Every line of this log with the hash it ought to have."""
    chain = Chain(log.opening.game)
    lines = [chain.opened(log.opening)]
    lines += [chain.moved(move, secret) for move in log.moves]
    return lines if log.seed is None else [*lines, chain.revealed(log.seed)]


def lines_of(records: Iterable[Json]) -> list[str]:
    """Records as the lines of a file."""
    return [canonical(record).decode() for record in records]


def read_log(lines: Sequence[str]) -> Log:
    """A log from its lines; raises LogError with the first line that cannot be read."""
    records = [_record(number, line) for number, line in enumerate(lines, 1)]
    if not records:
        raise LogError(1, "the log is empty")
    opening = _opening(_Fields(1, records[0]))
    seed = _seed(_Fields(len(records), records[-1])) if "seed" in records[-1] else None
    body = records[1:] if seed is None else records[1:-1]
    moves = [_move(_Fields(at, record), at - 2) for at, record in enumerate(body, 2)]
    if moves and len(moves[0].nonces) != opening.seats:
        raise LogError(2, f"there are {opening.seats} seats and {len(moves[0].nonces)} nonces")
    return Log(opening, tuple(moves), seed, tuple(str(record.get("hash")) for record in records))


def _record(number: int, line: str) -> Json:
    try:
        record = parse(line)
    except Unreadable as refusal:
        raise LogError(number, f"is not JSON: {refusal.sentence}") from None
    if not isinstance(record, dict):
        raise LogError(number, "must be an object")
    return record


class _Fields:
    """The fields of one line, each checked when it is taken."""

    def __init__(self, line: int, record: Json) -> None:
        self.line = line
        self.left = dict(record)
        self.take("hash", str)

    def take(self, key: str, kind: type) -> Any:
        if key not in self.left:
            raise LogError(self.line, f"lacks “{key}”")
        return self.maybe(key, kind)

    def maybe(self, key: str, kind: type) -> Any:
        """The value, or None where the line does not have it."""
        value = self.left.pop(key, None)
        if value is not None and type(value) is not kind:
            raise LogError(self.line, f"“{key}” has the wrong type")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        found = self.take(key, list) or ()
        if not all(type(text) is str for text in found):
            raise LogError(self.line, f"“{key}” must be a list of texts")
        return tuple(found)

    def done(self) -> None:
        if self.left:
            raise LogError(self.line, f"“{min(self.left)[:40]}” is not known here")


def _opening(fields: _Fields) -> Opening:
    if (said := fields.take("format", int)) != FORMAT:
        raise LogError(1, f"has format {said}; this program reads format {FORMAT}")
    opening = Opening(
        _given(fields, "game", str),
        _given(fields, "board", str),
        fields.texts("variants"),
        _given(fields, "seats", int),
        _given(fields, "commitment", str),
    )
    fields.done()
    return opening


def _given(fields: _Fields, key: str, kind: type) -> Any:
    value = fields.take(key, kind)
    if value is None:
        raise LogError(fields.line, f"“{key}” must not be null")
    return value


def _move(fields: _Fields, expected: int) -> Move:
    number = _given(fields, "move", int)
    if number != expected:
        raise LogError(fields.line, f"move {number} stands where move {expected} should")
    try:
        seat = action = None
        if number:
            seat = _given(fields, "seat", int)
            action = read_action(_given(fields, "action", dict))
        events = tuple(read_event(body) for body in _given(fields, "events", list))
    except Unreadable as refusal:
        raise LogError(fields.line, refusal.sentence) from None
    nonces = fields.texts("nonces") if number == 0 else ()
    move = Move(
        number, seat, action, events, nonces, fields.maybe("source", str), fields.maybe("at", str)
    )
    fields.done()
    return move


def _seed(fields: _Fields) -> bytes:
    said = _given(fields, "seed", str)
    fields.done()
    try:
        return bytes.fromhex(said)
    except ValueError:
        raise LogError(fields.line, "the seed must be written in hexadecimal digits") from None
