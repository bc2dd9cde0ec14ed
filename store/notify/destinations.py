"""Destinations: where the messages of a channel go, for each account."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, and_, bindparam, delete, insert, or_, select, update

from store.tables import deliveries, destinations, seats


class Destination(NamedTuple):
    """A row of `destinations`."""

    id: str
    account: str
    channel: str
    label: str
    address: bytes
    """Encrypted."""
    place: str
    """A keyed hash of where it leads."""
    located: bool
    """Whether its service has named the place."""
    shared: bool
    """Whether it is a room in which others read, too."""
    game: str | None
    types: tuple[str, ...]
    created: str
    code: str | None = None
    """What has to be sent from the chat to connect it; None once it is connected."""
    code_until: str | None = None
    last_success: str | None = None
    last_failure: str | None = None
    last_error: str | None = None
    failing_since: str | None = None
    held_until: str | None = None
    off_since: str | None = None
    off_reason: str | None = None


class Subscribed(NamedTuple):
    """A destination that receives a notice."""

    id: str
    account: str
    seat: int | None
    """The seat of its account at the table."""


class LastTest(NamedTuple):
    """The latest test message to a destination."""

    at: str
    state: str
    attempts: int
    error: str | None


_DESTINATION = select(*destinations.c[Destination._fields])
_BY_ID = _DESTINATION.where(destinations.c.id == bindparam("id"))
_IN_USE = and_(destinations.c.off_since.is_(None), destinations.c.code.is_(None))
_ABOUT_GAME = or_(destinations.c.game.is_(None), destinations.c.game == bindparam("game"))
_AT_TABLE = and_(
    seats.c.game == bindparam("game"),
    seats.c.account == destinations.c.account,
    seats.c.resigned.is_(None),
)
# A room hears of everybody at the table; any other destination of its own account alone.
_SUBSCRIBED = (
    select(*destinations.c["id", "account", "types"], seats.c.number)
    .join_from(destinations, seats, _AT_TABLE)
    .where(destinations.c.channel == bindparam("channel"), _IN_USE, _ABOUT_GAME)
    .where(or_(destinations.c.shared == 1, destinations.c.account == bindparam("account")))
    # Locked, so that none is deleted before the delivery that refers to it is stored.
    .with_for_update(read=True, key_share=True, of=destinations)
)


def subscribed(
    tx: Connection, channel: str, account: str, game: str, message_type: str
) -> list[Subscribed]:
    """Return the destinations that receive messages of this type about an account in a game."""
    known = {"channel": channel, "account": account, "game": game}
    return [
        Subscribed(row.id, row.account, row.number)
        for row in tx.execute(_SUBSCRIBED, known)
        if message_type in json.loads(row.types)
    ]


def games_followed(tx: Connection, channel: str, games: Collection[str]) -> set[str]:
    """Return those of these games in which an account with a destination on a channel plays."""
    statement = (
        select(seats.c.game)
        .distinct()
        .join_from(destinations, seats, seats.c.account == destinations.c.account)
        .where(destinations.c.channel == channel, _IN_USE, seats.c.game.in_(games))
    )
    return set(tx.scalars(statement))


def add(tx: Connection, row: Destination) -> None:
    """Store a new destination."""
    tx.execute(insert(destinations), [_values(row._asdict())])


def destination(tx: Connection, id: str) -> Destination | None:
    """Return the destination with this id."""
    row = tx.execute(_BY_ID, {"id": id}).first()
    return _read(row) if row else None


def of_account(tx: Connection, account: str) -> list[Destination]:
    """Return an account's destinations, the oldest first."""
    statement = _DESTINATION.where(destinations.c.account == account)
    rows = tx.execute(statement.order_by(destinations.c.created, destinations.c.id))
    return [_read(row) for row in rows]


def unconnected(tx: Connection, channel: str, now: str) -> list[Destination]:
    """Return the destinations on a channel whose codes may still arrive."""
    conditions = destinations.c.channel == channel, destinations.c.code_until > now
    rows = tx.execute(_DESTINATION.where(*conditions, destinations.c.code.is_not(None)))
    return [_read(row) for row in rows]


def change(tx: Connection, id: str, values: Mapping[str, Any]) -> bool:
    """Change these columns; False if the destination does not exist any more."""
    statement = update(destinations).where(destinations.c.id == id)
    return bool(tx.execute(statement.values(**_values(values))).rowcount)


def remove(tx: Connection, id: str) -> None:
    """Delete a destination with its deliveries."""
    tx.execute(delete(destinations).where(destinations.c.id == id))


def give_up(tx: Connection, id: str, but: Collection[str], now: str, error: str) -> None:
    """Fail all waiting deliveries to a destination, except some that are being sent."""
    waiting = deliveries.c.destination == id, deliveries.c.state == "waiting"
    statement = update(deliveries).where(*waiting, deliveries.c.id.not_in(but))
    tx.execute(statement.values(state="failed", done=now, error=error))


def last_test(tx: Connection, id: str, kind: str) -> LastTest | None:
    """Return the latest test message to a destination."""
    columns = deliveries.c["at", "state", "attempts", "error"]
    statement = select(*columns).where(deliveries.c.destination == id, deliveries.c.kind == kind)
    newest = statement.order_by(deliveries.c.at.desc(), deliveries.c.id.desc())
    row = tx.execute(newest.limit(1)).first()
    return LastTest(*row) if row else None


def _values(values: Mapping[str, Any]) -> dict[str, Any]:
    stored = dict(values)
    if "types" in stored:
        stored["types"] = json.dumps(stored["types"])
    for name in ("shared", "located"):
        if name in stored:
            stored[name] = int(stored[name])
    return stored


def _read(row: Sequence[Any]) -> Destination:
    stored = Destination(*row)
    return stored._replace(
        address=bytes(stored.address),
        types=tuple(json.loads(str(stored.types))),
        shared=bool(stored.shared),
        located=bool(stored.located),
    )
