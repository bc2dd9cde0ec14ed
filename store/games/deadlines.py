"""What the clock looks for: seats whose time has come."""

from typing import NamedTuple

from sqlalchemy import Connection, func, literal, select, tuple_, update

from store.tables import seats


class Due(NamedTuple):
    """A seat at which the clock has to look, and the decision for which."""

    due: str
    game: str
    number: int
    asked: int
    deadline: str


_DUE = select(*seats.c[Due._fields])
_PLACE = seats.c["due", "game", "number"]


def due(tx: Connection, now: str, after: Due | None, limit: int) -> list[Due]:
    """Seats whose time has come, the longest due first, from after this one on."""
    wanted = _DUE.where(seats.c.due <= now)
    if after:
        wanted = wanted.where(tuple_(*_PLACE) > tuple_(*map(literal, after[: len(_PLACE)])))
    rows = tx.execute(wanted.order_by(*_PLACE).limit(limit))
    return [Due(*row) for row in rows]


def next_due(tx: Connection) -> str | None:
    """When the next seat of all is due."""
    found: str | None = tx.scalar(select(func.min(seats.c.due)).where(seats.c.due.is_not(None)))
    return found


def look_again(tx: Connection, one: Due, when: str | None) -> bool:
    """Move on when the clock looks at a seat; whether it was still as it was seen.

    Of two clocks that see the same only one is told yes.
    """
    seen = [seats.c[name] == value for name, value in one._asdict().items()]
    return tx.execute(update(seats).where(*seen).values(due=when)).rowcount == 1


def set_time(tx: Connection, game: str, number: int, deadline: str | None, due: str | None) -> None:
    """Give an open decision another deadline."""
    here = (seats.c.game == game, seats.c.number == number)
    tx.execute(update(seats).where(*here).values(deadline=deadline, due=due))
