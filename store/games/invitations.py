"""Invitations to a table, for an account or an email address.

When an invitation is closed its address is replaced by a mark: how it was closed, and a
fingerprint by which the same person is not invited again.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from store.tables import accounts, games, invitations

OPEN, DECLINED, WITHDRAWN, NEVER = "open", "declined", "withdrawn", "never"
MARK = " "
"""What a mark begins with; no address does."""


class Invitation(NamedTuple):
    """An invitation to a table."""

    id: str
    game: str
    host: str
    guest: str | None
    email: str | None
    """The address, or a mark."""
    at: str
    reserved_until: str | None = None
    """When the reservation of a seat ends; None if there has been none."""
    waits_since: str | None = None
    """Since when it waits for a seat that can be reserved; None if it does not wait."""

    @property
    def state(self) -> str:
        """Open, or how it was closed."""
        marked = self.email is not None and self.email.startswith(MARK)
        return self.email[len(MARK) :].partition(" ")[0] if marked and self.email else OPEN

    @property
    def address(self) -> str | None:
        """The invited address, while the invitation is open; None for an account."""
        return self.email if self.state == OPEN else None


_INVITATION = select(*invitations.c[Invitation._fields])
_IS_OPEN = or_(invitations.c.email.is_(None), ~invitations.c.email.startswith(MARK))


def add(tx: Connection, row: Invitation) -> None:
    tx.execute(insert(invitations), [row._asdict()])


def invitation(tx: Connection, id: str) -> Invitation | None:
    row = tx.execute(_INVITATION.where(invitations.c.id == id)).first()
    return Invitation(*row) if row else None


def close(tx: Connection, row: Invitation, state: str, fingerprint: str) -> None:
    """Close an invitation for good."""
    mark = f"{MARK}{state} {fingerprint}"
    tx.execute(update(invitations).where(invitations.c.id == row.id).values(email=mark))


def reserve(tx: Connection, id: str, until: str | None, waits_since: str | None) -> None:
    """Store until when a seat is reserved, or since when the invitation waits for a seat."""
    values = {"reserved_until": until, "waits_since": waits_since}
    tx.execute(update(invitations).where(invitations.c.id == id).values(**values))


def of_games(tx: Connection, ids: Sequence[str]) -> list[Invitation]:
    """Return the invitations to several tables that have, or wait for, a reserved seat."""
    reserves = invitations.c.reserved_until.is_not(None)
    rows = tx.execute(_INVITATION.where(invitations.c.game.in_(ids), reserves, _IS_OPEN))
    return [Invitation(*row) for row in rows]


def give(tx: Connection, id: str, guest: str) -> None:
    """Assign an invitation that was sent to an address to this account."""
    tx.execute(update(invitations).where(invitations.c.id == id).values(guest=guest, email=None))


def of_game(tx: Connection, game: str) -> list[Invitation]:
    """Return all invitations to a table, the oldest first."""
    query = _INVITATION.where(invitations.c.game == game)
    rows = tx.execute(query.order_by(invitations.c.at, invitations.c.id))
    return [Invitation(*row) for row in rows]


def is_bouncing(tx: Connection, email: str) -> bool:
    """Return whether mail to this address has bounced."""
    back = select(accounts.c.id).where(
        func.lower(accounts.c.email) == email.lower(), accounts.c.bounced.is_not(None)
    )
    return tx.scalar(back.limit(1)) is not None


def is_invited(tx: Connection, game: str, account: str, since: str) -> bool:
    """Return whether an account has an open invitation, sent after `since`, to an open table."""
    conditions = invitations.c.guest == account, invitations.c.at > since, _IS_OPEN
    open_invitations = (
        select(invitations.c.id)
        .join(games, games.c.id == invitations.c.game)
        .where(games.c.id == game, games.c.status == "open", *conditions)
    )
    return tx.scalar(open_invitations.limit(1)) is not None


def open_for(tx: Connection, account: str, since: str) -> list[str]:
    """Return the open tables to which an account was invited after `since`, the newest first."""
    conditions = invitations.c.guest == account, invitations.c.at > since, _IS_OPEN
    tables = (
        select(invitations.c.game)
        .join(games, games.c.id == invitations.c.game)
        .where(games.c.status == "open", *conditions)
        .order_by(invitations.c.at.desc())
    )
    return list(dict.fromkeys(tx.scalars(tables)))


def owners(tx: Connection, email: str) -> Sequence[tuple[str, str]]:
    """Return the accounts that have confirmed this address: id and name."""
    query = select(accounts.c.id, accounts.c.name).where(
        func.lower(accounts.c.email) == email.lower(), accounts.c.email_confirmed.is_not(None)
    )
    return [(row.id, row.name) for row in tx.execute(query.order_by(accounts.c.created))]


def forget(tx: Connection, email: str) -> None:
    """Delete the invitations to an address whose account is deleted."""
    tx.execute(delete(invitations).where(func.lower(invitations.c.email) == email.lower()))
