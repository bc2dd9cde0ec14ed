"""The log of a game: one JSON object per line, each chained to the lines before it by a hash.

docs/fairness.md specifies the bytes, so that anyone can write a reader in any language.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.chance import blind_of
from engine.codec import Json, parse, read_action, read_event, write
from engine.errors import LogError, Unreadable
from engine.kinds import Action, Event
from engine.values import Seat

FORMAT = 1
RULES = 1
"""The version of the rules; grows when a rule is fixed, so that older games do not look forged."""
SEED = re.compile("[0-9a-f]{64}")
KEPT = "kept"
"""The seating of a game whose seats were not drawn by lot: they are the places at the table."""


class Opening(NamedTuple):
    """The first line: the game and the commitment to its seed, fixed before any draw."""

    game: str
    board: str
    variants: tuple[str, ...]
    seats: int
    commitment: str
    rules: int = RULES
    seating: str | None = None
    """KEPT, or None if the seats were drawn by lot."""

    @property
    def keeps_seats(self) -> bool:
        """Whether the seats were not drawn by lot."""
        return self.seating == KEPT


class Move(NamedTuple):
    """One move: who did what, and the events it caused. Move 0 is the set-up."""

    number: int
    seat: Seat | None
    action: Action | None
    events: tuple[Event, ...]
    nonces: tuple[str, ...] = ()
    """Only in move 0: each player's nonce, in the order of places at the table."""
    source: str | None = None
    """How the move came in: api, page, mail, link, webhook, order, clock or house."""
    at: str | None = None
    """When the move came in, formatted by the service."""


class Log(NamedTuple):
    """A whole game: the opening, the moves, and the seed if the game is over."""

    opening: Opening
    moves: tuple[Move, ...]
    seed: bytes | None
    lines: tuple[Json, ...] = ()
    """Every line as it was read; the hashes are computed from these."""
    abandoned: bool = False
    """Whether the last line says that everybody left before the game was played to its end."""


def canonical(record: Mapping[str, Any]) -> bytes:
    """The bytes of a line that are hashed: sorted keys, no spaces, UTF-8."""
    return _CANONICAL(record).encode()


_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode


def linked(records: Iterable[Json], game: str, secret: bytes) -> Iterator[str]:
    """The hash of each of these lines; a hash commits to the game up to its line.

    The hash of a move is blinded. Otherwise anybody could guess hidden cards and check the guess
    against the latest hash, which is public while the game runs.
    """
    head = b""
    for record in records:
        head = tied(head, record, game, secret)
        yield head.hex()


def tied(head: bytes, record: Json, game: str, secret: bytes) -> bytes:
    """The hash of one line, after the hash of the line before it."""
    line = canonical({key: value for key, value in record.items() if key != "hash"})
    if "move" in record:
        return tied_move(head, line, record["move"], game, secret)
    return hashlib.sha256(head + line).digest()


def tied_move(head: bytes, line: bytes, number: int, game: str, secret: bytes) -> bytes:
    """The hash of a move whose line is already in canonical form."""
    return hashlib.sha256(head + blind_of(secret, game, number) + line).digest()


def opening_record(opening: Opening) -> Json:
    """The first line of a log; the seating is left out if it was drawn by lot."""
    fields = {key: value for key, value in opening._asdict().items() if value is not None}
    return {"format": FORMAT, **fields}


def record_of(move: Move) -> Json:
    """A move as plain data, without the fields that it does not have."""
    record: Json = {"move": move.number, "events": [write(event) for event in move.events]}
    if move.action is not None:
        record |= {"seat": move.seat, "action": write(move.action)}
    if move.number == 0:
        record["nonces"] = list(move.nonces)
    record |= {key: value for key in ("source", "at") if (value := getattr(move, key)) is not None}
    return record


def reveal_record(seed: bytes, *, abandoned: bool = False) -> Json:
    """The last line of a log: the seed, and whether the game was abandoned."""
    return {"seed": seed.hex()} | ({"abandoned": True} if abandoned else {})


def chained(log: Log, secret: bytes) -> list[Json]:
    """Every line of this log, with its hash."""
    records: list[Json] = [opening_record(log.opening)]
    records += map(record_of, log.moves)
    records += [reveal_record(log.seed, abandoned=log.abandoned)] if log.seed is not None else []
    hashes = linked(records, log.opening.game, secret)
    return [{**record, "hash": hash_} for record, hash_ in zip(records, hashes, strict=True)]


def lines_of(records: Iterable[Json]) -> list[str]:
    """Records as the lines of a file."""
    return [canonical(record).decode() for record in records]


def read_log(lines: Sequence[str]) -> Log:
    """Read a log from its lines; raises LogError with the first line that cannot be read."""
    records = [_record(number, line) for number, line in enumerate(lines, 1)]
    if not records:
        raise LogError(1, "the log is empty")
    opening = _opening(_Fields(1, records[0]))
    revealed = "seed" in records[-1]
    seed, abandoned = _seed(_Fields(len(records), records[-1])) if revealed else (None, False)
    body = records[1:-1] if revealed else records[1:]
    moves = [_move(_Fields(at, record), at - 2) for at, record in enumerate(body, 2)]
    return Log(opening, tuple(moves), seed, tuple(records), abandoned)


def _record(number: int, line: str) -> Json:
    try:
        record = parse(line)
    except Unreadable as refusal:
        raise LogError(number, f"is not JSON: {refusal.sentence}") from None
    if not isinstance(record, dict):
        raise LogError(number, "must be an object")
    return record


class _Fields:
    """The fields of one line; each is checked when it is taken."""

    def __init__(self, line: int, record: Json) -> None:
        self.line = line
        self.left = dict(record)
        self.given("hash", str)

    def take(self, key: str, kind: type) -> Any:
        if key not in self.left:
            raise LogError(self.line, f"“{key}” is missing")
        return self.maybe(key, kind)

    def maybe(self, key: str, kind: type) -> Any:
        """The value, or None if the line does not have it."""
        value = self.left.pop(key, None)
        if value is not None and type(value) is not kind:
            raise LogError(self.line, f"“{key}” has the wrong type")
        return value

    def given(self, key: str, kind: type) -> Any:
        """The value, which must not be null."""
        value = self.take(key, kind)
        if value is None:
            raise LogError(self.line, f"“{key}” must not be null")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        texts = self.given(key, list)
        if not all(type(text) is str for text in texts):
            raise LogError(self.line, f"“{key}” must be a list of texts")
        return tuple(texts)

    def done(self) -> None:
        if self.left:
            raise LogError(self.line, f"“{min(self.left)[:40]}” is not a known field")


def _opening(fields: _Fields) -> Opening:
    if (version := fields.take("format", int)) != FORMAT:
        raise LogError(1, f"has format {version}; this program reads format {FORMAT}")
    opening = Opening(
        fields.given("game", str),
        fields.given("board", str),
        fields.texts("variants"),
        fields.given("seats", int),
        fields.given("commitment", str),
        fields.given("rules", int),
        fields.maybe("seating", str),
    )
    if opening.seating not in (None, KEPT):
        raise LogError(1, f"“seating” must be “{KEPT}”, if there is one")
    fields.done()
    return opening


def _move(fields: _Fields, expected: int) -> Move:
    number = fields.given("move", int)
    if number != expected:
        raise LogError(fields.line, f"this is move {number}, but move {expected} comes next")
    try:
        seat = action = None
        if number:
            seat = fields.given("seat", int)
            action = read_action(fields.given("action", dict))
        events = tuple(read_event(body) for body in fields.given("events", list))
    except Unreadable as refusal:
        raise LogError(fields.line, refusal.sentence) from None
    nonces = fields.texts("nonces") if number == 0 else ()
    move = Move(
        number, seat, action, events, nonces, fields.maybe("source", str), fields.maybe("at", str)
    )
    fields.done()
    return move


def _seed(fields: _Fields) -> tuple[bytes, bool]:
    """The seed, and whether the game was abandoned."""
    seed = fields.given("seed", str)
    abandoned = fields.maybe("abandoned", bool)
    fields.done()
    if not SEED.fullmatch(seed):
        raise LogError(fields.line, "the seed must be 64 hexadecimal digits, in lower case")
    return bytes.fromhex(seed), abandoned is True
