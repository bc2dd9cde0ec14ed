"""Games in which the house has to play, and the leases of the workers that play there."""

from sqlalchemy import Connection, bindparam, select, update

from store.tables import games

_DUE = games.c.house_due <= bindparam("now")
# Games with people come first, however long games between bots have waited.
_NEXT = select(games.c.id).where(_DUE).order_by(games.c.bot_game, games.c.house_due).limit(1)


def any_due(tx: Connection, now: str) -> bool:
    """Return whether the house has to play in any game; takes no lock."""
    return tx.scalar(_NEXT, {"now": now}) is not None


def claim(tx: Connection, now: str, until: str) -> str | None:
    """Lease the most urgent game until this time; None if no game is due."""
    game: str | None = tx.scalar(_NEXT.with_for_update(skip_locked=True), {"now": now})
    if game is not None:
        tx.execute(update(games).where(games.c.id == game).values(house_due=until))
    return game


def give_back(tx: Connection, game: str, claim: str, due: str) -> None:
    """End a lease, so that others may claim the game from `due` on; unless it has changed."""
    statement = update(games).where(games.c.id == game, games.c.house_due == claim)
    tx.execute(statement.values(house_due=due))


def owe(tx: Connection, game: str, since: str) -> None:
    """Note that the house is awaited in a game.

    If a worker plays there already, two may think about the same decision; one move is stored.
    """
    tx.execute(update(games).where(games.c.id == game).values(house_due=since))
