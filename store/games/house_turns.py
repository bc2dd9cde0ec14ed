"""Games in which the house has to play: who has waited longest, and who plays there now."""

from sqlalchemy import Connection, bindparam, select, update

from store.tables import games

_DUE = games.c.house_due <= bindparam("now")
# Where people wait comes first, however long bots have waited among themselves.
_NEXT = select(games.c.id).where(_DUE).order_by(games.c.bot_game, games.c.house_due).limit(1)


def any_due(tx: Connection, now: str) -> bool:
    """Whether the house has to play anywhere; a look that takes no lock."""
    return tx.scalar(_NEXT, {"now": now}) is not None


def claim(tx: Connection, now: str, until: str) -> str | None:
    """A game in which until then nobody else plays for the house."""
    game: str | None = tx.scalar(_NEXT.with_for_update(skip_locked=True), {"now": now})
    if game is not None:
        tx.execute(update(games).where(games.c.id == game).values(house_due=until))
    return game


def give_back(tx: Connection, game: str, claim: str, due: str) -> None:
    """Let others have a game from this time on that was claimed, unless it is settled already."""
    mine = update(games).where(games.c.id == game, games.c.house_due == claim)
    tx.execute(mine.values(house_due=due))


def owe(tx: Connection, game: str, since: str) -> None:
    """From now on the house is awaited in a game.

    If somebody plays there already, two may think of the same decision, and one of them decides.
    """
    tx.execute(update(games).where(games.c.id == game).values(house_due=since))
