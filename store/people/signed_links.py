"""Columns of a seat on which signed links depend: the generation of its links, and muted mail."""

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from store.tables import seats


class SeatLinks(NamedTuple):
    """The values on which the links of a seat depend."""

    links: int
    """The generation of the seat's links: how often its older links were made void."""
    awaited_since: str | None


_SEAT_LINKS = select(*seats.c[SeatLinks._fields]).where(
    seats.c.game == bindparam("game"), seats.c.number == bindparam("number")
)


def seat_links(tx: Connection, game: str, number: int) -> SeatLinks | None:
    """Return the values on which the links of a seat depend; None if there is no such seat."""
    rows = tx.execute(_SEAT_LINKS, {"game": game, "number": number}).all()
    return SeatLinks(*rows[0]) if rows else None


def void_links(tx: Connection, game: str, number: int, before: int) -> bool:
    """Void the links of a seat, if this is still their generation; return whether it was."""
    seat = seats.c.game == game, seats.c.number == number, seats.c.links == before
    result = tx.execute(update(seats).where(*seat).values(links=before + 1))
    return bool(result.rowcount)


def mute(tx: Connection, game: str, account: str, since: str | None) -> None:
    """Mute mail about a game for an account at its table; None as `since` unmutes it."""
    seat = seats.c.game == game, seats.c.account == account
    tx.execute(update(seats).where(*seat).values(muted=since))
