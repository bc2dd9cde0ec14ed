"""A clock that a test moves, and what the store says about time."""

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
"""What is told about time."""


class Hands:
    """What a desk's clock says; it stands still until it is moved."""

    def __init__(self, moment: datetime = BEGIN) -> None:
        self.moment = moment

    def __call__(self) -> str:
        """This moment, as it is stored."""
        return timestamps.written(self.moment)

    def on(self, **by: float) -> None:
        """Move the clock."""
        self.moment += timedelta(**by)

    def to(self, said: str) -> None:
        """Set the clock."""
        self.moment = timestamps.read(said)


def at(said: str) -> datetime:
    """A moment in UTC, such as 2030-01-07 10:00."""
    return datetime.fromisoformat(said).replace(tzinfo=UTC)


def by_hand(desk: Desk, moment: datetime = BEGIN) -> tuple[Desk, Hands]:
    """The desk with a clock that is moved by hand."""
    hands = Hands(moment)
    return desk._replace(now=hands), hands


def table_at(desk: Desk, game: str) -> Table:
    """A game as it stands."""
    with desk.database.reading() as tx:
        return table_lookup.table_of(tx, game, None)


def seen_by(desk: Desk, game: str, account: str | None) -> dict[str, Any]:
    """A game as an account sees it."""
    seen: dict[str, Any] = json.loads(reading.game(desk, game, account)[1])
    return seen


def seat_at(desk: Desk, game: str, account: str) -> Seated:
    """Where somebody sits."""
    found = table_at(desk, game).seat_of(account)
    assert found is not None
    return found


def due_at(desk: Desk, game: str) -> list[str | None]:
    """When the clock looks at each seat next."""
    with desk.database.reading() as tx:
        rows = select(seats.c.due).where(seats.c.game == game).order_by(seats.c.number)
        return list(tx.scalars(rows))


def told(desk: Desk, *kinds: str) -> list[dict[str, Any]]:
    """Notices of these kinds, the oldest first."""
    with desk.database.reading() as tx:
        rows = tx.execute(select(notices).order_by(notices.c.id)).mappings()
        return [dict(row) for row in rows if row["kind"] in kinds]


def sources(desk: Desk, game: str) -> list[str]:
    """How each move of a game came, the deal left out."""
    with desk.database.reading() as tx:
        rows = select(moves.c.record).where(moves.c.game == game, moves.c.number > 0)
        return [
            json.loads(unpacked(said))["source"]
            for said in tx.scalars(rows.order_by(moves.c.number))
        ]
