"""Rows of seat sessions."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from store.tables import seat_sessions

BEFORE_THE_GAME = -1
"""Instead of the version of a decision: the session waits for the first one."""


class SeatSession(NamedTuple):
    """A row of `seat_sessions`, without the hash."""

    id: str
    account: str
    game: str
    seat: int
    decision_version: int
    """The version that opened the decision it is for: that of its link, or one handed on to."""
    links: int
    """The generation of the seat's links when it was opened."""
    label: str
    created: str
    expires: str


_SESSION = select(*seat_sessions.c[SeatSession._fields])


def add(tx: Connection, session: SeatSession, digest: bytes) -> None:
    """Insert a session with the hash of its cookie."""
    tx.execute(insert(seat_sessions), [{**session._asdict(), "hash": digest}])


def by_hash(tx: Connection, digest: bytes) -> SeatSession | None:
    """Return the session whose cookie has this hash."""
    row = tx.execute(_SESSION.where(seat_sessions.c.hash == digest)).first()
    return SeatSession(*row) if row else None


def hand_on(tx: Connection, id: str, before: int, after: int) -> bool:
    """Hand a session on from one decision to another, and return whether it was for the first."""
    conditions = seat_sessions.c.id == id, seat_sessions.c.decision_version == before
    return bool(
        tx.execute(update(seat_sessions).where(*conditions).values(decision_version=after)).rowcount
    )


def begin(tx: Connection, game: str, account: str, seat: int, decision: int) -> None:
    """Hand the sessions that waited for the game to begin on to the seat's first decision."""
    waiting = seat_sessions.c.game == game, seat_sessions.c.account == account
    tx.execute(
        update(seat_sessions)
        .where(*waiting, seat_sessions.c.decision_version == BEFORE_THE_GAME)
        .values(seat=seat, decision_version=decision)
    )


def of_account(tx: Connection, account: str) -> list[SeatSession]:
    """Return the sessions of an account, the oldest first."""
    query = _SESSION.where(seat_sessions.c.account == account)
    rows = tx.execute(query.order_by(seat_sessions.c.created, seat_sessions.c.id))
    return [SeatSession(*row) for row in rows]


def end(tx: Connection, account: str, id: str) -> bool:
    """Delete a session of an account, and return whether there was one."""
    conditions = seat_sessions.c.account == account, seat_sessions.c.id == id
    return bool(tx.execute(delete(seat_sessions).where(*conditions)).rowcount)


def forget_expired(tx: Connection, now: str) -> None:
    """Delete the sessions that have expired."""
    tx.execute(delete(seat_sessions).where(seat_sessions.c.expires <= now))
