"""Lists of games as pages show them: somebody's own, the most urgent first, and open ones."""

from typing import Any, NamedTuple

from service.desk import Desk
from service.games import reading
from store.database import Transaction
from store.games import game_lists, games
from store.games.games import Table

Document = dict[str, Any]

MOST = 100
MOST_OVER = 20
NO_HURRY = "9999"
"""Later than any deadline."""


class Mine(NamedTuple):
    """Somebody's games, by what is to be done."""

    asked: list[Document]
    """Something is asked of them; the first deadline first."""
    others: list[Document]
    """Others are awaited."""
    waiting: list[Document]
    """The table is not full yet."""
    over: list[Document]


def mine(desk: Desk, account: str) -> Mine:
    """All games of an account, and the last ones that are over."""
    with desk.database.reading() as tx:
        running = _listed(tx, account, "running", MOST)
        waiting = _listed(tx, account, "open", MOST)
        over = _listed(tx, account, "finished", MOST_OVER)
    asked = [one for one in running if one["deadline"] is not None]
    others = [one for one in running if one["deadline"] is None]
    return Mine(sorted(asked, key=lambda one: str(one["deadline"])), others, waiting, over)


def _listed(tx: Transaction, account: str, status: str, limit: int) -> list[Document]:
    wanted = game_lists.Wanted(
        account, mine=True, status=status, board=None, after=None, limit=limit
    )
    return [_mine(table, account) for table in games.tables(tx, game_lists.listed(tx, wanted))]


def _mine(table: Table, account: str) -> Document:
    """A game with the reader's seat, and until when they are asked; None if they are not."""
    seat = table.seat_of(account)
    asked = seat is not None and seat.awaited_since is not None and not seat.house
    deadline = (seat.deadline if seat else None) or NO_HURRY
    return reading.summary(table) | {
        "me": seat.number if seat else None,
        "deadline": deadline if asked else None,
    }


def open_to(desk: Desk, account: str | None, limit: int) -> list[Document]:
    """Tables that wait for players, the newest first; somebody's own are not among them."""
    wanted = game_lists.Wanted(
        account, mine=False, status="open", board=None, after=None, limit=MOST
    )
    with desk.database.reading() as tx:
        tables = games.tables(tx, game_lists.listed(tx, wanted))
    free = [table for table in tables if table.seat_of(account) is None]
    return [reading.summary(table) for table in free[:limit]]
