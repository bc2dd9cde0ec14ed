"""Loads a table for an account: whether it may know of it, and which seat's view it gets."""

from engine.translate import say
from engine.values import Seat
from service import refusals
from service.desk import Desk
from service.links import signed_links
from service.memory.positions import Position
from store import timestamps
from store.database import Transaction
from store.games import games, invitations
from store.games.games import Table

ATTEMPTS = 10
"""How often a table is read again because a move was stored meanwhile."""


def existing(tx: Transaction, game: str) -> Table:
    """Return a table, without checking who may read it; refused if there is none."""
    table = games.table(tx, game)
    if table is None:
        raise refusals.not_found()
    return table


def table_of(tx: Transaction, game: str, account: str | None) -> Table:
    """Return a table that this account may know of; None is a visitor without an account."""
    table = existing(tx, game)
    if table.visibility == "private" and table.seat_of(account) is None:
        check_guest(tx, game, account)
    return table


def check_guest(tx: Transaction, game: str, account: str | None) -> None:
    """Refuse an account that has no open invitation to a private table.

    A guest may look at the table until it is full, or the invitation is closed or has expired.
    """
    since = timestamps.later(timestamps.now(), -signed_links.FOR_INVITATION)
    if account is None or not invitations.is_invited(tx, game, account, since):
        raise refusals.not_found()


def sight_of(table: Table, account: str | None) -> Seat | None:
    """Return the seat whose view of a game an account gets; None for a spectator.

    An account that has resigned is a spectator: a caretaker plays its cards now.
    """
    seat = table.seat_of(account)
    return seat.number if seat and not seat.resigned else None


def settled(
    desk: Desk, tx: Transaction, table: Table, *eyes: Seat | None
) -> tuple[Table, Position]:
    """Return a table and its position, both of the same version.

    A move may be stored between the two queries; then the table is read again.
    """
    for _ in range(ATTEMPTS):
        position = desk.positions.of(tx, table, *eyes)
        if position.version == table.version:
            return table, position
        table = games.table(tx, table.id) or table
    raise refusals.Refused(
        "rate_limited", say("The game is moving too fast to be read; try again."), retry_after=1
    )
