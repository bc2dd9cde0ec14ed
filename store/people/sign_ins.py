"""The queue of requests for a sign-in link, which a worker answers."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from store.tables import sign_ins


class SignIn(NamedTuple):
    """A request for a sign-in letter to this address; `next` is the page to open afterwards."""

    email: str
    next: str
    at: str


def add(tx: Connection, request: SignIn) -> None:
    """Add a request to the queue."""
    tx.execute(insert(sign_ins), [request._asdict()])


def are_any(tx: Connection) -> bool:
    """Return whether the queue holds a request."""
    return tx.scalar(select(sign_ins.c.id).limit(1)) is not None


def take(tx: Connection, limit: int) -> list[SignIn]:
    """Take the oldest requests from the queue, skipping those that another worker is taking."""
    oldest = select(sign_ins).order_by(sign_ins.c.id).limit(limit)
    rows = tx.execute(oldest.with_for_update(skip_locked=True)).all()
    tx.execute(delete(sign_ins).where(sign_ins.c.id.in_([row.id for row in rows])))
    return [SignIn(row.email, row.next, row.at) for row in rows]
