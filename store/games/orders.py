"""Standing orders of players, how far they have been carried out, and when they are judged."""

from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    insert,
    literal_column,
    select,
    update,
)

from store.tables import games, orders

WAITING, STOPPED, FINISHED = "waiting", "stopped", "finished"
"""The states of orders: to be carried out, in need of the player, and used up."""


class StoredOrders(NamedTuple):
    """The orders of a player in a game."""

    game: str
    account: str
    seat: int
    revision: str
    """Changes each time orders are given."""
    text: str
    at_once: int
    """1 if they are carried out without the delay that hides them."""
    given: str
    state: str = WAITING
    reason: str | None = None
    """Why they have stopped, in the language of their player."""
    ended: str | None = None
    steps_done: int = 0
    turns_used: int = 0
    """In how many turns the present step has made a move."""
    pending: int | None = None
    locomotives: int = 0
    played: str = "[]"
    """The moves that they have made, as JSON."""
    due: str | None = None
    """When they are judged next; while a worker has claimed them, when its lease ends."""


_ROW = select(*orders.c[StoredOrders._fields])
_OF_PLAYER = _ROW.where(
    orders.c.game == bindparam("game"), orders.c.account == bindparam("account")
)
_IS_WAITING = orders.c.state == literal_column("'waiting'")
_OF_GAME = _ROW.where(orders.c.game == bindparam("game"), _IS_WAITING)
_NEXT = _ROW.where(orders.c.due <= bindparam("now")).order_by(orders.c.due).limit(1)


def of_player(tx: Connection, game: str, account: str) -> StoredOrders | None:
    """Return the orders of a player in a game; None if there are none."""
    row = tx.execute(_OF_PLAYER, {"game": game, "account": account}).first()
    return StoredOrders(*row) if row else None


def of_game(tx: Connection, game: str) -> list[StoredOrders]:
    """Return all orders in a game that are waiting to be carried out."""
    return [StoredOrders(*row) for row in tx.execute(_OF_GAME, {"game": game})]


def lock_game(tx: Connection, game: str) -> None:
    """Wait for a move that is being stored, and hold up the next; the game does not change."""
    tx.execute(select(games.c.id).where(games.c.id == game).with_for_update())


def replace(tx: Connection, given: StoredOrders) -> None:
    """Store orders in place of those that the player had in this game."""
    remove(tx, given.game, given.account)
    tx.execute(insert(orders), [given._asdict()])


def remove(tx: Connection, game: str, account: str) -> bool:
    """Delete the orders of a player in a game; return whether there were any."""
    here = orders.c.game == game, orders.c.account == account
    return bool(tx.execute(delete(orders).where(*here)).rowcount)


def remove_all(tx: Connection, game: str) -> None:
    """Delete all orders in a game."""
    tx.execute(delete(orders).where(orders.c.game == game))


def schedule(tx: Connection, row: StoredOrders, due: str | None) -> None:
    """Set when waiting orders are judged next."""
    tx.execute(update(orders).where(*_same(row), _IS_WAITING).values(due=due))


def give_back(tx: Connection, row: StoredOrders, due: str | None) -> None:
    """End a lease; unless a move has scheduled the orders in the meantime."""
    mine = orders.c.due == row.due
    tx.execute(update(orders).where(*_same(row), _IS_WAITING, mine).values(due=due))


def record(tx: Connection, row: StoredOrders, changed: StoredOrders) -> bool:
    """Store the progress of orders that are waiting; False if they were replaced or have ended."""
    values = {key: value for key, value in changed._asdict().items() if key not in _KEYS}
    done = tx.execute(update(orders).where(*_same(row), _IS_WAITING).values(**values))
    return bool(done.rowcount)


_KEYS = ("game", "account", "revision")


def _same(row: StoredOrders) -> tuple[ColumnElement[bool], ...]:
    return (
        orders.c.game == row.game,
        orders.c.account == row.account,
        orders.c.revision == row.revision,
    )


def are_due(tx: Connection, game: str, account: str) -> bool:
    """Whether a decision of this player is left to orders, which will be judged."""
    row = of_player(tx, game, account)
    return row is not None and row.state == WAITING and row.due is not None


def any_due(tx: Connection, now: str) -> bool:
    """Return whether any orders have to be judged; take no lock."""
    return tx.execute(_NEXT, {"now": now}).first() is not None


def next_due(tx: Connection) -> str | None:
    """Return when orders have to be judged next."""
    due: str | None = tx.scalar(
        select(orders.c.due).where(orders.c.due.is_not(None)).order_by(orders.c.due).limit(1)
    )
    return due


def claim(tx: Connection, now: str, until: str) -> StoredOrders | None:
    """Lease the orders that are due longest until this time; None if none are due."""
    row = tx.execute(_NEXT.with_for_update(skip_locked=True), {"now": now}).first()
    if row is None:
        return None
    claimed = StoredOrders(*row)
    tx.execute(update(orders).where(*_same(claimed)).values(due=until))
    return claimed._replace(due=until)
