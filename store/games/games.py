"""Games, their seats and their logs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Row,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    literal_column,
    select,
    tuple_,
    update,
)

from store.games.packing import packed, unpacked
from store.tables import accounts, games, moves, seats


class Stale(Exception):
    """The game has moved on since it was read; nothing was stored."""


class Seated(NamedTuple):
    """One seat of a table, with its player."""

    number: int
    account: str | None
    name: str | None
    kind: str | None
    house: str | None
    nonce: str
    joined: str
    resigned: str | None
    awaited_since: str | None
    """When its open decision was opened; None if it has none."""
    decision_version: int | None
    """The version at which its open decision was opened, which identifies it."""
    deadline: str | None
    bank: int | None
    """Seconds that are left of its bank."""
    missed: int
    """Deadlines missed in a row."""
    muted: str | None
    links: int
    """Counts up when the links in its letters are made void."""
    colour: str | None
    """The colour that its player has chosen; None without a choice."""
    hooks: int | None
    """The webhooks of its account."""
    settings: str | None
    """The account's settings as JSON, among them its absences."""
    time_zone: str | None


class Table(NamedTuple):
    """A game as it stands, without its log."""

    id: str
    board: str
    variants: tuple[str, ...]
    seats: int
    status: str
    version: int
    changes: int
    last_message: int
    commitment: str
    committed: str | None
    """When the commitment was published; None in games older than this column."""
    seed: bytes
    rules: int
    pace: str
    visibility: str
    title: str
    created: str
    started: str | None
    finished: str | None
    rated: int
    """1 if it counts for ratings."""
    default_visibility: int
    """1 if nobody has chosen who may see it; then the first invitation makes it private."""
    link: int
    """The number of its current link, which counts up when the link is made void."""
    rematch_of: str | None
    kept_seats: int
    """1 if the seats were not drawn by lot but follow from the game that is played again."""
    seated: tuple[Seated, ...]

    def seat_of(self, account: str | None) -> Seated | None:
        """Return the seat of this account, if it has one."""
        for seat in self.seated:
            if account is not None and seat.account == account:
                return seat
        return None

    @property
    def tag(self) -> str:
        """A tag that changes with everything that can be read at the table."""
        return tag_of(self.started, self.version, self.changes)


def tag_of(started: str | None, version: int, changes: int) -> str:
    """Return the tag of a table: its version, and the number of changes that were no moves."""
    state = "open" if started is None else str(version)
    return f"{state}-{changes}" if changes else state


class StoredMove(NamedTuple):
    """A line of a game's log, and the request that it came with."""

    number: int
    seat: int | None
    seq: int
    through: int
    key: bytes | None
    digest: bytes | None
    until: str | None
    """The deadline of its seat's next decision, for a repeated receipt."""
    record: str
    """The line itself; it is compressed in the database."""
    hash: bytes


class SeatWait(NamedTuple):
    """The new decision of a seat, with its times; without them the seat is not awaited."""

    number: int
    since: str | None = None
    decision_version: int | None = None
    deadline: str | None = None
    due: str | None = None
    bank: int | None = None
    missed: int = 0


class HouseTurn(NamedTuple):
    """When the house has to play in a game; never if `due` is None."""

    due: str | None = None
    claimed: bool = False
    """Whether a worker may have claimed the game already; then its lease stays."""


NEVER = HouseTurn()


WAITING = ("awaited_since", "decision_version", "deadline", "due")
"""The columns of a seat that say that it is awaited."""

_GAME = list(games.c[Table._fields[:-1]])
_SEAT = [
    seats.c.number,
    seats.c.account,
    accounts.c.name,
    accounts.c.kind,
    seats.c.house,
    *seats.c["nonce", "joined", "resigned"],
    *seats.c["awaited_since", "decision_version", "deadline", "bank", "missed", "muted", "links"],
    seats.c.colour,
    *accounts.c["hooks", "settings", "time_zone"],
]
# Two flat joins and no nested one, or SQLite reads all seats.
_SEATED = games.outerjoin(seats, seats.c.game == games.c.id).outerjoin(
    accounts, seats.c.account == accounts.c.id
)
_TABLE = (
    select(*_GAME, *_SEAT)
    .select_from(_SEATED)
    .where(games.c.id == bindparam("game"))
    .order_by(seats.c.number)
)
_BETWEEN = (
    select(*moves.c[StoredMove._fields])
    .where(moves.c.game == bindparam("game"))
    .where(moves.c.number.between(bindparam("first"), bindparam("last")))
    .order_by(moves.c.number)
)
_LAST = 2**31 - 1
_BY_KEY = select(*moves.c[StoredMove._fields]).where(
    moves.c.game == bindparam("game"),
    moves.c.seat == bindparam("seat"),
    moves.c.key == bindparam("key"),
)
_advanced = (
    update(games)
    .where(games.c.id == bindparam("game"), games.c.version == bindparam("expected"))
    .where(games.c.changes == bindparam("table"), games.c.status == literal_column("'running'"))
    .values(version=bindparam("number"))
)
_ADVANCE = _advanced.values(house_due=bindparam("due"))
# A worker that plays for the house keeps its lease until the house is not awaited any more.
_ADVANCE_CLAIMED = _advanced.values(house_due=func.coalesce(games.c.house_due, bindparam("due")))
_APPEND = insert(moves)
_RECORD = StoredMove._fields.index("record")
_AWAIT = (
    update(seats)
    .where(seats.c.game == bindparam("of"), seats.c.number == bindparam("at"))
    .values({name: bindparam(f"new_{name}") for name in (*WAITING, "bank", "missed")})
)


def table(tx: Connection, game: str) -> Table | None:
    """Return a game with its seats; None if there is none."""
    return _table(tx.execute(_TABLE, {"game": game}).all())


def tables(tx: Connection, ids: Sequence[str]) -> list[Table]:
    """Return several games, in the order of these ids."""
    query = select(*_GAME, *_SEAT).select_from(_SEATED)
    rows = tx.execute(query.where(games.c.id.in_(ids)).order_by(seats.c.number)).all()
    by_id: dict[str, list[Row[Any]]] = {}
    for row in rows:
        by_id.setdefault(row[0], []).append(row)
    return [table for id in ids if (table := _table(by_id.get(id, ())))]


def _table(rows: Sequence[Row[Any]]) -> Table | None:
    if not rows:
        return None
    width = len(_GAME)
    id, board, variants, *others = rows[0][:width]
    seated = tuple([Seated(*row[width:]) for row in rows if row[width] is not None])
    return Table._make([id, board, tuple(json.loads(variants)), *others, seated])


def version(tx: Connection, game: str) -> int | None:
    """Return the number of the last move; None if there is no such game."""
    number: int | None = tx.scalar(select(games.c.version).where(games.c.id == game))
    return number


def open_game(tx: Connection, values: Mapping[str, Any]) -> None:
    """Store a new game."""
    tx.execute(insert(games), [{**values, "variants": json.dumps(values["variants"])}])


def take_seat(tx: Connection, values: Mapping[str, Any]) -> None:
    """Store who has a seat; raises Clash if the seat is taken."""
    tx.execute(insert(seats), [dict(values)])


def free_seat(tx: Connection, game: str, number: int) -> None:
    """Free a seat of a game that has not begun."""
    tx.execute(delete(seats).where(seats.c.game == game, seats.c.number == number))


def drop(tx: Connection, game: str) -> None:
    """Delete a game that never began."""
    tx.execute(delete(games).where(games.c.id == game))


def lock(tx: Connection, game: str) -> Table | None:
    """Return the table, locked until the transaction ends; counts as a change."""
    tx.execute(update(games).where(games.c.id == game).values(changes=games.c.changes + 1))
    return table(tx, game)


def next_message(tx: Connection, game: str) -> int:
    """Return the number of a new message; those of deleted messages are not used again."""
    tx.execute(
        update(games).where(games.c.id == game).values(last_message=games.c.last_message + 1)
    )
    return tx.scalar(select(games.c.last_message).where(games.c.id == game)) or 0


def touch_all_of(tx: Connection, account: str, *statuses: str) -> None:
    """Change the tag of every table at which this account has a seat."""
    sits = select(seats.c.game).where(seats.c.account == account)
    condition = and_(games.c.id.in_(sits), *([games.c.status.in_(statuses)] if statuses else []))
    # Always in the same order, or two accounts with common tables could deadlock.
    tx.execute(select(games.c.id).where(condition).order_by(games.c.id).with_for_update())
    tx.execute(update(games).where(condition).values(changes=games.c.changes + 1))


def start(tx: Connection, game: str, at: str, values: Mapping[str, Any]) -> None:
    """Mark a game as running, with these values; moves can be appended from now on."""
    running = {"status": "running", "started": at, "changes": 0}
    tx.execute(update(games).where(games.c.id == game).values(**running, **values))


def close(tx: Connection, game: str, status: str, at: str) -> None:
    """End a game; no seat is awaited any more."""
    over = {"status": status, "finished": at, "house_due": None}
    tx.execute(update(games).where(games.c.id == game).values(**over))
    unawaited = dict.fromkeys(WAITING)
    tx.execute(update(seats).where(seats.c.game == game).values(**unawaited))


def hand_over(tx: Connection, game: str, number: int, values: Mapping[str, Any]) -> None:
    """Change who plays at a seat."""
    at = and_(seats.c.game == game, seats.c.number == number)
    tx.execute(update(seats).where(at).values(**values))


def append(
    tx: Connection,
    game: str,
    added: Sequence[StoredMove],
    waits: Sequence[SeatWait],
    expected: tuple[int, int],
    house: HouseTurn = NEVER,
) -> None:
    """Append moves to a game's log; raises Stale if the game has changed since it was read.

    `expected` are the version and the changes of the table that was read: a player who has left
    since must not be awaited.
    """
    (version, changes), number = expected, added[-1].number
    values = {"game": game, "expected": version, "table": changes, "number": number}
    advance = _ADVANCE_CLAIMED if house.claimed else _ADVANCE
    if tx.execute(advance, values | {"due": house.due}).rowcount != 1:
        raise Stale
    rows = [{"game": game, **move._asdict(), "record": packed(move.record)} for move in added]
    tx.execute(_APPEND, rows)
    if waits:
        rows = [
            {"of": game, "at": number, "new_awaited_since": since}
            | {"new_decision_version": decision_version, "new_deadline": deadline, "new_due": due}
            | {"new_bank": bank, "new_missed": missed}
            for number, since, decision_version, deadline, due, bank, missed in waits
        ]
        tx.execute(_AWAIT, rows)


def moves_after(tx: Connection, game: str, number: int) -> list[StoredMove]:
    """Return the log after this move."""
    return moves_between(tx, game, number + 1, _LAST)


def moves_between(tx: Connection, game: str, first: int, last: int) -> list[StoredMove]:
    """Return the moves with these numbers, both included."""
    return [
        _move(row) for row in tx.execute(_BETWEEN, {"game": game, "first": first, "last": last})
    ]


def _move(row: Sequence[Any]) -> StoredMove:
    record = unpacked(row[_RECORD])
    return StoredMove._make((*row[:_RECORD], record, *row[_RECORD + 1 :]))


def move_with_event(tx: Connection, game: str, seq: int) -> int | None:
    """Return the number of the move that holds the event with this number."""
    number: int | None = tx.scalar(
        select(func.min(moves.c.number)).where(moves.c.game == game, moves.c.seq >= seq)
    )
    return number


def move_by_key(tx: Connection, game: str, seat: int, key: bytes) -> StoredMove | None:
    """Return the move that this seat made with the Idempotency-Key of this hash."""
    rows = tx.execute(_BY_KEY, {"game": game, "seat": seat, "key": key}).all()
    return _move(rows[0]) if rows else None


def awaited(
    tx: Connection, account: str, after: tuple[str, str] | None, limit: int | None
) -> list[tuple[str, str]]:
    """Return the open decisions of this account, the nearest deadline first: (deadline, game)."""
    until = func.coalesce(seats.c.deadline, "9")
    query = select(until, seats.c.game).where(
        seats.c.account == account, seats.c.awaited_since.is_not(None), seats.c.house.is_(None)
    )
    if after:
        query = query.where(tuple_(until, seats.c.game) > tuple_(*map(literal, after)))
    rows = tx.execute(query.order_by(until, seats.c.game).limit(limit))
    return [(row[0], row[1]) for row in rows]


def tables_of(tx: Connection, account: str) -> dict[str, int]:
    """Return the number of this account's tables by status."""
    joined = games.join(seats, seats.c.game == games.c.id)
    counted = select(games.c.status, func.count()).select_from(joined)
    rows = tx.execute(counted.where(seats.c.account == account).group_by(games.c.status))
    return {"open": 0, "running": 0} | {row[0]: row[1] for row in rows}


def running_of(tx: Connection, account: str) -> list[tuple[str, str]]:
    """Return the games of this account that are not over: (game, status)."""
    joined = games.join(seats, seats.c.game == games.c.id)
    going = games.c.status.in_(("open", "running"))
    rows = tx.execute(
        select(games.c.id, games.c.status)
        .select_from(joined)
        .where(seats.c.account == account, going)
        .order_by(case((games.c.status == "open", 0), else_=1), games.c.id)
    )
    return [(row[0], row[1]) for row in rows]
