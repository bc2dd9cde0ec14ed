"""Lists of games on pages: an account's own, the most urgent first, and open tables."""

from typing import Any, NamedTuple

from service.desk import Desk
from service.games import reading
from store.database import Transaction
from store.games import game_lists, games
from store.games.games import Table

Document = dict[str, Any]

MOST = 100
"""Games in a list."""
MOST_OVER = 20
"""Finished games in a list."""
NO_DEADLINE = "9999"
"""Sorts after every deadline."""


class Mine(NamedTuple):
    """An account's games."""

    your_turn: list[Document]
    """Those in which the account has an open decision; the first deadline first."""
    others: list[Document]
    """Those in which only other players have one."""
    waiting: list[Document]
    """Those whose table is not full yet."""
    over: list[Document]


def mine(desk: Desk, account: str) -> Mine:
    """The games of an account: all that are not over, and the latest that are."""
    with desk.database.reading() as tx:
        running = _listed(tx, account, "running", MOST)
        waiting = _listed(tx, account, "open", MOST)
        over = _listed(tx, account, "finished", MOST_OVER)
    awaiting = [game for game in running if game["deadline"] is not None]
    others = [game for game in running if game["deadline"] is None]
    return Mine(sorted(awaiting, key=lambda game: str(game["deadline"])), others, waiting, over)


def has_seat(desk: Desk, account: str, game: str) -> bool:
    """Whether an account has a seat in a game."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    return table is not None and table.seat_of(account) is not None


def _listed(tx: Transaction, account: str, status: str, limit: int) -> list[Document]:
    filters = game_lists.GameFilter(
        account, mine=True, status=status, board=None, after=None, limit=limit
    )
    return [_mine(table, account) for table in games.tables(tx, game_lists.listed(tx, filters))]


def _mine(table: Table, account: str) -> Document:
    """A game with the reader's seat, and the deadline of their open decision; None without one."""
    seat = table.seat_of(account)
    is_awaited = seat is not None and seat.awaited_since is not None and not seat.house
    deadline = (seat.deadline if seat else None) or NO_DEADLINE
    return reading.summary(table) | {
        "me": seat.number if seat else None,
        "deadline": deadline if is_awaited else None,
    }


def open_to(desk: Desk, account: str | None, limit: int) -> list[Document]:
    """Tables that wait for players, the newest first, without those the account has joined."""
    filters = game_lists.GameFilter(
        account, mine=False, status="open", board=None, after=None, limit=MOST
    )
    with desk.database.reading() as tx:
        tables = games.tables(tx, game_lists.listed(tx, filters))
    free = [table for table in tables if table.seat_of(account) is None]
    return [reading.summary(table) for table in free[:limit]]
