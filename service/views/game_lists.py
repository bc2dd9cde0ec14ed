"""Lists of games on pages: an account's own, the most urgent first, and open tables."""

from typing import Any, NamedTuple

from engine import verdict
from engine.display import columns
from engine.text import signed
from engine.translate import say
from service.desk import Desk
from service.games import reading, seat_names, table_lookup
from service.games.seating import reservations
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


class TableFilter(NamedTuple):
    """Which open tables a visitor wants to see."""

    board: str | None = None
    pace: str | None = None
    seats: int | None = None
    known: bool = False
    """Only tables of people with whom the visitor has played."""


ANY_TABLE = TableFilter()


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
        running = _listed(desk, tx, account, "running", MOST)
        waiting = _listed(desk, tx, account, "open", MOST)
        over = _listed(desk, tx, account, "finished", MOST_OVER)
    awaiting = [game for game in running if game["deadline"] is not None]
    others = [game for game in running if game["deadline"] is None]
    return Mine(sorted(awaiting, key=lambda game: str(game["deadline"])), others, waiting, over)


def has_seat(desk: Desk, account: str, game: str) -> bool:
    """Whether an account has a seat in a game."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    return table is not None and table.seat_of(account) is not None


def _listed(desk: Desk, tx: Transaction, account: str, status: str, limit: int) -> list[Document]:
    filters = game_lists.GameFilter(
        account, mine=True, status=status, board=None, after=None, limit=limit
    )
    tables = games.tables(tx, game_lists.listed(tx, filters))
    reserved = reservations.ends(tx, tables, desk.now())
    return [_mine(table, account) | {"reserved": reserved.get(table.id, [])} for table in tables]


def scored(desk: Desk, mine: Mine) -> Mine:
    """The same games with their scores, and the results of those that are over."""
    with desk.database.reading() as tx:
        for game in (*mine.your_turn, *mine.others, *mine.over):
            game.update(_score(desk, tx, game["id"]))
    return mine


def _score(desk: Desk, tx: Transaction, id: str) -> Document:
    """The points of each seat as text, and the sentence about the result; empty without any."""
    table, position = table_lookup.settled(desk, tx, table_lookup.existing(tx, id))
    if position.ended is not None:
        sentence = verdict(position.ended, seat_names.names_of(table))
        return {
            "points": [signed(result.total) for result in position.ended.results],
            "result": sentence,
        }
    view = desk.positions.view(tx, table, position, None)
    points = [column for column in columns(position.rules, view) if column.label == say("Points")]
    return {"points": list(points[0].cells) if points else [], "result": ""}


def _mine(table: Table, account: str) -> Document:
    """A game with the reader's seat, and the deadline of their open decision; None without one."""
    seat = table.seat_of(account)
    is_awaited = seat is not None and seat.awaited_since is not None and not seat.house
    deadline = (seat.deadline if seat else None) or NO_DEADLINE
    return reading.summary(table) | {
        "me": seat.number if seat else None,
        "deadline": deadline if is_awaited else None,
    }


def open_to(
    desk: Desk, account: str | None, limit: int, wanted: TableFilter = ANY_TABLE
) -> list[Document]:
    """Tables that wait for players, the newest first, without those the account has joined."""
    filters = game_lists.GameFilter(
        account,
        mine=False,
        status="open",
        board=wanted.board,
        after=None,
        limit=MOST,
        pace=wanted.pace,
        seats=wanted.seats,
        known=wanted.known and account is not None,
    )
    with desk.database.reading() as tx:
        tables = games.tables(tx, game_lists.listed(tx, filters))
        free = [table for table in tables if table.seat_of(account) is None][:limit]
        reserved = reservations.ends(tx, free, desk.now())
    return [reading.summary(table, reserved.get(table.id, ())) for table in free]
