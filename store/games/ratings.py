"""Stored ratings of bots."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, literal, select, text, tuple_, update

from store.tables import accounts, ratings


class Rating(NamedTuple):
    """A player's rating on one board; over all boards if `board` is empty."""

    player: str
    board: str
    rating: float
    deviation: float
    standing: int
    games: int
    wins: int


class Rung(NamedTuple):
    """A place on the ladder."""

    player: str
    name: str | None
    """None for a house bot."""
    rating: float
    deviation: float
    standing: int
    games: int
    wins: int


# Both databases accept it. Without ON CONFLICT two first games at once would clash.
_BEGIN = text(
    "INSERT INTO ratings (player, board, account, rating, deviation, standing, games, wins) "
    "VALUES (:player, :board, :account, :rating, :deviation, :standing, :games, :wins) "
    "ON CONFLICT DO NOTHING"
)


def hold(tx: Connection, players: Mapping[str, str | None], new: Sequence[Rating]) -> list[Rating]:
    """Return the current ratings of these players, locked until the transaction ends.

    `players` maps each to its account, if it has one; `new` are the ratings to begin with.
    """
    sorted_rows = sorted(new)  # always in the same order, or two transactions could deadlock
    tx.execute(_BEGIN, [{**row._asdict(), "account": players[row.player]} for row in sorted_rows])
    place = tuple_(ratings.c.player, ratings.c.board)
    rows = tx.execute(
        select(*ratings.c[Rating._fields])
        .where(place.in_([(row.player, row.board) for row in sorted_rows]))
        .order_by(ratings.c.player, ratings.c.board)
        .with_for_update()
    )
    return [Rating(*row) for row in rows]


def keep(tx: Connection, rows: Sequence[Rating]) -> None:
    """Store these ratings."""
    for player, board, *values in rows:
        statement = update(ratings).where(ratings.c.player == player, ratings.c.board == board)
        tx.execute(statement.values(dict(zip(Rating._fields[2:], values, strict=True))))


def ladder(tx: Connection, board: str, after: tuple[int, str] | None, limit: int) -> list[Rung]:
    """Return the ladder of a board, the highest standing first."""
    joined = ratings.outerjoin(accounts, ratings.c.account == accounts.c.id)
    columns = ratings.c.player, accounts.c.name, *ratings.c[Rung._fields[2:]]
    place = ratings.c["standing", "player"]
    query = select(*columns).select_from(joined).where(ratings.c.board == board)
    if after:
        query = query.where(tuple_(*place) < tuple_(*map(literal, after)))
    rows = tx.execute(query.order_by(*(column.desc() for column in place)).limit(limit))
    return [Rung(*row) for row in rows]
