"""How strong bots are, as it is stored."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, literal, select, text, tuple_, update

from store.tables import accounts, ratings


class Rating(NamedTuple):
    """One player's strength on one board, or over all of them if the board is empty."""

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


# Both databases understand it; without it two first games at once would stand in each other's way.
_BEGIN = text(
    "INSERT INTO ratings (player, board, account, rating, deviation, standing, games, wins) "
    "VALUES (:player, :board, :account, :rating, :deviation, :standing, :games, :wins) "
    "ON CONFLICT DO NOTHING"
)


def hold(tx: Connection, players: Mapping[str, str | None], new: Sequence[Rating]) -> list[Rating]:
    """What these ratings are by now, which nobody else changes until this transaction ends.

    Players are named with their account, if they have one; new ones begin as is said here.
    """
    wanted = sorted(new)  # always in the same order, or two could wait for each other
    tx.execute(_BEGIN, [{**one._asdict(), "account": players[one.player]} for one in wanted])
    place = tuple_(ratings.c.player, ratings.c.board)
    rows = tx.execute(
        select(*ratings.c[Rating._fields])
        .where(place.in_([(one.player, one.board) for one in wanted]))
        .order_by(ratings.c.player, ratings.c.board)
        .with_for_update()
    )
    return [Rating(*row) for row in rows]


def keep(tx: Connection, rows: Sequence[Rating]) -> None:
    """Store what these ratings are from now on."""
    for player, board, *values in rows:
        mine = update(ratings).where(ratings.c.player == player, ratings.c.board == board)
        tx.execute(mine.values(dict(zip(Rating._fields[2:], values, strict=True))))


def ladder(tx: Connection, board: str, after: tuple[int, str] | None, limit: int) -> list[Rung]:
    """The strongest first."""
    joined = ratings.outerjoin(accounts, ratings.c.account == accounts.c.id)
    columns = ratings.c.player, accounts.c.name, *ratings.c[Rung._fields[2:]]
    place = ratings.c["standing", "player"]
    wanted = select(*columns).select_from(joined).where(ratings.c.board == board)
    if after:
        wanted = wanted.where(tuple_(*place) < tuple_(*map(literal, after)))
    rows = tx.execute(wanted.order_by(*(column.desc() for column in place)).limit(limit))
    return [Rung(*row) for row in rows]
