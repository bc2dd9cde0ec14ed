"""The games of an account, with the values that its news stream compares."""

from typing import NamedTuple

from sqlalchemy import Connection, or_, select

from store.tables import games, messages, seats


class Standing(NamedTuple):
    """A game in which an account has a seat."""

    game: str
    title: str
    status: str
    last_message: int
    """The number of the last message."""
    started: str | None
    finished: str | None
    decision_version: int | None
    """The version at which the account's open decision was opened; None if it has none."""


def standings(tx: Connection, account: str, since: str) -> list[Standing]:
    """Return games that the account has not left: unfinished, or finished after `since`."""
    rows = tx.execute(
        select(
            *games.c["id", "title", "status", "last_message", "started", "finished"],
            seats.c["decision_version"],
            seats.c["awaited_since"],
        )
        .join(seats, seats.c.game == games.c.id)
        .where(
            seats.c.account == account,
            seats.c.resigned.is_(None),
            or_(games.c.status.in_(("open", "running")), games.c.finished > since),
        )
        .order_by(games.c.created, games.c.id)
    )
    return [Standing(*row[:6], row[6] if row[7] else None) for row in rows]


def first_message_since(tx: Connection, game: str, since: str) -> int | None:
    """Return the number of the first message after this time."""
    number: int | None = tx.scalar(
        select(messages.c.number)
        .where(messages.c.game == game, messages.c.at > since)
        .order_by(messages.c.number)
        .limit(1)
    )
    return number
