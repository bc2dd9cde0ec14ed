"""A clock that tests move by hand, and what is stored about deadlines."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select

from service.desk import Desk
from service.games import reading, table_lookup
from store import timestamps
from store.games.games import Seated, Table
from store.games.packing import unpacked
from store.tables import moves, notices, seats

BEGIN = datetime(2030, 1, 7, 10, 0, tzinfo=UTC)
"""A Monday."""
TURNS = ("decision_reminder", "decision_expired", "seat_caretaken")
"""The kinds of notices about deadlines."""


class Hands:
    """A desk's clock, which stands still until a test moves it."""

    def __init__(self, moment: datetime = BEGIN) -> None:
        self.moment = moment

    def __call__(self) -> str:
        """The current time in the stored format."""
        return timestamps.written(self.moment)

    def on(self, **by: float) -> None:
        """Move the clock."""
        self.moment += timedelta(**by)

    def to(self, moment: str) -> None:
        """Set the clock."""
        self.moment = timestamps.read(moment)


def at(moment: str) -> datetime:
    """A moment in UTC, such as 2030-01-07 10:00."""
    return datetime.fromisoformat(moment).replace(tzinfo=UTC)


def by_hand(desk: Desk, moment: datetime = BEGIN) -> tuple[Desk, Hands]:
    """The desk with a clock that is moved by hand."""
    hands = Hands(moment)
    return desk._replace(now=hands), hands


def table_at(desk: Desk, game: str) -> Table:
    """A game's table as it is stored now."""
    with desk.database.reading() as tx:
        return table_lookup.table_of(tx, game, None)


def seen_by(desk: Desk, game: str, account: str | None) -> dict[str, Any]:
    """A game as an account sees it."""
    seen: dict[str, Any] = json.loads(reading.game(desk, game, account)[1])
    return seen


def seat_at(desk: Desk, game: str, account: str) -> Seated:
    """The seat of an account."""
    seat = table_at(desk, game).seat_of(account)
    assert seat is not None
    return seat


def due_at(desk: Desk, game: str) -> list[str | None]:
    """The time at which the clock next checks each seat."""
    with desk.database.reading() as tx:
        rows = select(seats.c.due).where(seats.c.game == game).order_by(seats.c.number)
        return list(tx.scalars(rows))


def notices_of(desk: Desk, *kinds: str) -> list[dict[str, Any]]:
    """Notices of these kinds, the oldest first."""
    with desk.database.reading() as tx:
        rows = tx.execute(select(notices).order_by(notices.c.id)).mappings()
        return [dict(row) for row in rows if row["kind"] in kinds]


def sources(desk: Desk, game: str) -> list[str]:
    """The source of each move of a game, without the deal."""
    with desk.database.reading() as tx:
        rows = select(moves.c.record).where(moves.c.game == game, moves.c.number > 0)
        return [
            json.loads(unpacked(source))["source"]
            for source in tx.scalars(rows.order_by(moves.c.number))
        ]
