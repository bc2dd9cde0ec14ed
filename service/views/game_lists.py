"""Lists of games on pages: an account's own, the most urgent first, and open tables."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import verdict
from engine.display import columns
from engine.text import signed
from engine.translate import say
from service.desk import Desk
from service.games import reading, seat_names, table_lookup
from service.games.seating import reservations
from service.links import signed_links
from store import timestamps
from store.database import Transaction
from store.games import game_lists, games, invitations
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


class OwnGames(NamedTuple):
    """An account's games."""

    invited: list[Document]
    """The tables to which it is invited."""
    your_turn: list[Document]
    """Those in which the account has an open decision; the first deadline first."""
    others: list[Document]
    """Those in which only other players have one."""
    waiting: list[Document]
    """Those whose table is not full yet."""
    over: list[Document]


def own_games(desk: Desk, account: str) -> OwnGames:
    """Return the games of an account: all that are not over, and the latest that are."""
    with desk.database.reading() as tx:
        running = _listed(desk, tx, account, "running", MOST)
        waiting = _listed(desk, tx, account, "open", MOST)
        over = _listed(desk, tx, account, "finished", MOST_OVER)
        invited = _invited(desk, tx, account)
    awaiting = [game for game in running if game["deadline"] is not None]
    others = [game for game in running if game["deadline"] is None]
    awaiting.sort(key=lambda game: str(game["deadline"]))
    return OwnGames(invited, awaiting, others, waiting, over)


def has_seat(desk: Desk, account: str, game: str) -> bool:
    """Return whether an account has a seat in a game."""
    with desk.database.reading() as tx:
        table = games.table(tx, game)
    return table is not None and table.seat_of(account) is not None


def _listed(desk: Desk, tx: Transaction, account: str, status: str, limit: int) -> list[Document]:
    filters = game_lists.GameFilter(
        account, mine=True, status=status, board=None, after=None, limit=limit
    )
    return _documents(desk, tx, account, game_lists.listed(tx, filters))


def _invited(desk: Desk, tx: Transaction, account: str) -> list[Document]:
    """Return the tables to which the account is invited; a seat may be reserved there or not."""
    since = timestamps.later(desk.now(), -signed_links.FOR_INVITATION)
    return _documents(desk, tx, account, invitations.open_for(tx, account, since)[:MOST])


def _documents(desk: Desk, tx: Transaction, account: str, ids: Sequence[str]) -> list[Document]:
    tables = games.tables(tx, ids)
    reserved = reservations.as_seen(tx, tables, account, desk.now())
    return [_own_game(table, account) | reserved[table.id]._asdict() for table in tables]


def scored(desk: Desk, own: OwnGames) -> OwnGames:
    """Return the same games with their scores, and the results of those that are over."""
    with desk.database.reading() as tx:
        for game in (*own.your_turn, *own.others, *own.over):
            game.update(_score(desk, tx, game["id"]))
    return own


def _score(desk: Desk, tx: Transaction, id: str) -> Document:
    """Return the points of each seat and the sentence about the result; empty without any."""
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


def _own_game(table: Table, account: str) -> Document:
    """Return a game with the reader's seat, and the deadline of their open decision, if any."""
    seat = table.seat_of(account)
    is_awaited = seat is not None and seat.awaited_since is not None and not seat.house
    deadline = (seat.deadline if seat else None) or NO_DEADLINE
    return reading.summary(table) | {
        "me": seat.number if seat else None,
        "deadline": deadline if is_awaited else None,
    }


def open_to(
    desk: Desk, account: str | None, limit: int, table_filter: TableFilter = ANY_TABLE
) -> list[Document]:
    """Return tables that wait for players, the newest first, except those joined already."""
    filters = game_lists.GameFilter(
        account,
        mine=False,
        status="open",
        board=table_filter.board,
        after=None,
        limit=MOST,
        pace=table_filter.pace,
        seats=table_filter.seats,
        known=table_filter.known and account is not None,
    )
    with desk.database.reading() as tx:
        tables = games.tables(tx, game_lists.listed(tx, filters))
        free = [table for table in tables if table.seat_of(account) is None][:limit]
        reserved = reservations.as_seen(tx, free, account, desk.now())
    return [reading.summary(table) | reserved[table.id]._asdict() for table in free]
