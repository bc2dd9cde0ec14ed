"""Tables that wait for players: their settings, rematches, and invitations without a seat."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select, update

from store.games.games import Table, table
from store.tables import games, invitations, seats


def change(tx: Connection, game: str, values: Mapping[str, Any]) -> None:
    """Change the settings of an open table."""
    tx.execute(update(games).where(games.c.id == game).values(**values))


def rematch_of(tx: Connection, game: str) -> Table | None:
    """Return the latest table that was opened as a rematch of this game, unless it is over."""
    going = games.c.status.in_(("open", "running"))
    rematches = select(games.c.id).where(games.c.rematch_of == game, going)
    id = tx.scalar(rematches.order_by(games.c.created.desc(), games.c.id.desc()).limit(1))
    return table(tx, id) if id else None


def with_waiting_guests(tx: Connection, limit: int) -> list[str]:
    """Open tables with an invitation that waits for a seat to be reserved."""
    query = (
        select(games.c.id)
        .join(invitations, invitations.c.game == games.c.id)
        .where(games.c.status == "open", invitations.c.waits_since.is_not(None))
    )
    return list(tx.scalars(query.distinct().limit(limit)))


def reseat(tx: Connection, game: str, drawn: Mapping[int, int]) -> None:
    """Move players to the seats that were drawn, via negative numbers, which are free."""
    here = seats.c.game == game
    for place, seat in drawn.items():
        tx.execute(update(seats).where(here, seats.c.number == place).values(number=-1 - seat))
    tx.execute(update(seats).where(here).values(number=-1 - seats.c.number))
