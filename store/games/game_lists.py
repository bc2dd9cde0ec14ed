"""Lists of games: which games an account may see, and how many it plays."""

from typing import Any, NamedTuple

from sqlalchemy import Connection, func, literal, or_, select, tuple_

from store.tables import games, seats


class GameFilter(NamedTuple):
    """Which games are listed."""

    account: str | None
    """The reader, who sees public games and those in which they have a seat."""
    mine: bool
    """Only games in which the reader has a seat."""
    status: str | None
    board: str | None
    after: tuple[str, str] | None
    """The place of the last game of the page before: when it was created, and its id."""
    limit: int
    pace: str | None = None
    """The name of a preset."""
    seats: int | None = None
    known: bool = False
    """Only games with somebody with whom the reader has played."""


def listed(tx: Connection, filters: GameFilter) -> list[str]:
    """Return the ids of the games that fit the filter, the newest first."""
    sits = select(seats.c.game).where(seats.c.account == filters.account)
    fits = [games.c.id.in_(sits) if filters.mine else _visible(filters.account, sits)]
    if filters.status:
        over = ("finished", "abandoned")
        statuses = over if filters.status == "finished" else (filters.status,)
        fits.append(games.c.status.in_(statuses))
    if filters.board:
        fits.append(games.c.board == filters.board)
    if filters.pace:
        fits.append(games.c.pace == filters.pace)
    if filters.seats:
        fits.append(games.c.seats == filters.seats)
    if filters.known:
        fits.append(games.c.id.in_(_with_known_players(filters.account)))
    if filters.after:
        place = tuple_(games.c.created, games.c.id)
        fits.append(place < tuple_(*map(literal, filters.after)))
    newest = select(games.c.id).where(*fits).order_by(games.c.created.desc(), games.c.id.desc())
    return list(tx.scalars(newest.limit(filters.limit)))


def _visible(account: str | None, sits: Any) -> Any:
    public = games.c.visibility == "public"
    return or_(public, games.c.id.in_(sits)) if account else public


def _with_known_players(account: str | None) -> Any:
    """Return the games of accounts that have begun a game with this account."""
    own_seat, other_seat, any_seat = seats.alias(), seats.alias(), seats.alias()
    known = (
        select(other_seat.c.account)
        .join(own_seat, own_seat.c.game == other_seat.c.game)
        .join(games, games.c.id == own_seat.c.game)
        .where(own_seat.c.account == account, other_seat.c.account != account)
        .where(games.c.started.is_not(None))
    )
    return select(any_seat.c.game).where(any_seat.c.account.in_(known))


def bot_games_running(tx: Connection, account: str, beside: str | None = None) -> int:
    """Return how many games between bots an account plays; with `beside`, against that one."""
    joined = games.join(seats, seats.c.game == games.c.id)
    conditions = seats.c.account == account, games.c.status == "running", games.c.bot_game == 1
    counted = select(func.count()).select_from(joined).where(*conditions)
    if beside:
        sits = select(seats.c.game).where(seats.c.account == beside)
        counted = counted.where(games.c.id.in_(sits))
    return tx.scalar(counted) or 0
