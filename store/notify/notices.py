"""The queue of notices, each stored in the transaction that caused it."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, insert, select

from store.tables import notices, seats


class Notice(NamedTuple):
    """News for one account."""

    account: str
    kind: str
    game: str | None = None
    seat: int | None = None
    version: int | None = None
    data: dict[str, Any] | None = None


class Owed(NamedTuple):
    """A stored notice."""

    id: int
    at: str
    notice: Notice


_ADD = insert(notices).inline()
_NOTICE = notices.c[Notice._fields]
_OLDEST = select(notices.c.id, notices.c.at, *_NOTICE).order_by(notices.c.id)


def add(tx: Connection, new_notices: Sequence[Notice], at: str) -> None:
    """Add notices to the queue."""
    if new_notices:
        rows = [{**row._asdict(), "data": _written(row.data), "at": at} for row in new_notices]
        tx.execute(_ADD, rows)


def any_owed(tx: Connection) -> bool:
    """Return whether the queue holds a notice."""
    return tx.scalar(select(notices.c.id).limit(1)) is not None


def take(tx: Connection, limit: int) -> list[Owed]:
    """Take the oldest notices from the queue, skipping those that another transaction is taking."""
    rows = tx.execute(_OLDEST.limit(limit).with_for_update(skip_locked=True)).all()
    tx.execute(delete(notices).where(notices.c.id.in_([row[0] for row in rows])))
    return [Owed(row.id, row.at, Notice(*row[2:])._replace(data=_read(row.data))) for row in rows]


def is_muted(tx: Connection, game: str, seat: int) -> bool:
    """Return whether the player at this seat wants no mail about this game."""
    statement = select(seats.c.muted).where(seats.c.game == game, seats.c.number == seat)
    return tx.scalar(statement) is not None


def _written(data: dict[str, Any] | None) -> str | None:
    return None if data is None else json.dumps(data)


def _read(data: str | None) -> dict[str, Any] | None:
    return None if data is None else json.loads(data)
