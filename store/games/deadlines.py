"""The seats at which the clock has something to do."""

from typing import NamedTuple

from sqlalchemy import Connection, func, literal, select, tuple_, update

from store.tables import seats


class Due(NamedTuple):
    """A seat at which a reminder or a default is due, with its open decision."""

    due: str
    """When the clock has to look at the seat."""
    game: str
    number: int
    decision_version: int
    """The version at which the decision was opened."""
    deadline: str


_DUE = select(*seats.c[Due._fields])
_PLACE = seats.c["due", "game", "number"]


def due(tx: Connection, now: str, after: Due | None, limit: int) -> list[Due]:
    """Return seats that are due, the longest due first, those after `after` in this order."""
    query = _DUE.where(seats.c.due <= now)
    if after:
        query = query.where(tuple_(*_PLACE) > tuple_(*map(literal, after[: len(_PLACE)])))
    rows = tx.execute(query.order_by(*_PLACE).limit(limit))
    return [Due(*row) for row in rows]


def next_due(tx: Connection) -> str | None:
    """Return when the next seat is due."""
    moment: str | None = tx.scalar(select(func.min(seats.c.due)).where(seats.c.due.is_not(None)))
    return moment


def look_again(tx: Connection, due: Due, when: str | None) -> bool:
    """Set when the clock looks at a seat next; False if the seat has changed since it was read.

    Of two clocks that have read the same row, only one gets True.
    """
    same = [seats.c[name] == value for name, value in due._asdict().items()]
    return tx.execute(update(seats).where(*same).values(due=when)).rowcount == 1


def set_time(tx: Connection, game: str, number: int, deadline: str | None, due: str | None) -> None:
    """Give an open decision another deadline."""
    conditions = (seats.c.game == game, seats.c.number == number)
    tx.execute(update(seats).where(*conditions).values(deadline=deadline, due=due))
