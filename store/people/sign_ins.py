"""Requests for a link to sign in, until a worker has answered them."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from store.tables import sign_ins


class SignIn(NamedTuple):
    """A request for a link to sign in by this address, and to go on to this page."""

    email: str
    next: str
    at: str


def add(tx: Connection, request: SignIn) -> None:
    """Store a request."""
    tx.execute(insert(sign_ins), [request._asdict()])


def are_any(tx: Connection) -> bool:
    """Whether there is a request to answer."""
    return tx.scalar(select(sign_ins.c.id).limit(1)) is not None


def take(tx: Connection, limit: int) -> list[SignIn]:
    """The oldest requests, which only this transaction answers from now on."""
    oldest = select(sign_ins).order_by(sign_ins.c.id).limit(limit)
    rows = tx.execute(oldest.with_for_update(skip_locked=True)).all()
    tx.execute(delete(sign_ins).where(sign_ins.c.id.in_([row.id for row in rows])))
    return [SignIn(row.email, row.next, row.at) for row in rows]
