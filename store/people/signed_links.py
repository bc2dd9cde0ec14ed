"""What signed links hang on: how often a seat's were made void, and who wants no mail."""

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, update

from store.tables import seats


class Standing(NamedTuple):
    """What a seat's links are made of."""

    links: int
    """How often older ones were made void."""
    awaited_since: str | None


_STANDING = select(*seats.c[Standing._fields]).where(
    seats.c.game == bindparam("game"), seats.c.number == bindparam("number")
)


def standing(tx: Connection, game: str, number: int) -> Standing | None:
    """How a seat stands; None if there is no such seat."""
    rows = tx.execute(_STANDING, {"game": game, "number": number}).all()
    return Standing(*rows[0]) if rows else None


def renew(tx: Connection, game: str, number: int, before: int) -> bool:
    """Make void all links of a seat that are not younger than this; whether any were still good."""
    mine = seats.c.game == game, seats.c.number == number, seats.c.links == before
    done = tx.execute(update(seats).where(*mine).values(links=before + 1))
    return bool(done.rowcount)


def mute(tx: Connection, game: str, account: str, since: str | None) -> None:
    """Have no mail about a game for somebody at its table; None: have it again."""
    mine = seats.c.game == game, seats.c.account == account
    tx.execute(update(seats).where(*mine).values(muted=since))
