"""Mailboxes: our addresses for replies about a game, and for bounces of one account's mail."""

from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select

from store.tables import mailboxes, seats


class Mailbox(NamedTuple):
    """What an address stands for."""

    purpose: str
    """reply: to mail about a game; talk: to table talk; bounce: of mail to an account."""
    account: str
    game: str | None = None
    seat: int | None = None
    decision_version: int | None = None
    """The version at which the decision was opened; None if the mail was about none."""


_ADD = insert(mailboxes)
_GENERATION = (
    select(seats.c.links)
    .where(seats.c.game == bindparam("game"), seats.c.number == bindparam("number"))
    .with_for_update()
)
_BY_HASH = select(*mailboxes.c[Mailbox._fields]).where(mailboxes.c.hash == bindparam("hash"))


def add(tx: Connection, digest: bytes, mailbox: Mailbox, at: str) -> None:
    """Store an address; raises Clash if it is stored already."""
    tx.execute(_ADD, [{**mailbox._asdict(), "hash": digest, "created": at}])


def find(tx: Connection, digest: bytes) -> Mailbox | None:
    """What the address with this hash stands for."""
    rows = tx.execute(_BY_HASH, {"hash": digest}).all()
    return Mailbox(*rows[0]) if rows else None


def generation(tx: Connection, game: str, seat: int) -> int | None:
    """How often a seat's addresses were made void; its row is locked until the transaction ends."""
    links: int | None = tx.scalar(_GENERATION, {"game": game, "number": seat})
    return links


def void(tx: Connection, game: str, seat: int) -> None:
    """Delete all addresses of a seat, in the transaction that increments `seats.links`."""
    tx.execute(delete(mailboxes).where(mailboxes.c.game == game, mailboxes.c.seat == seat))


def forget(tx: Connection, before: str) -> None:
    """Delete the addresses created before this time."""
    tx.execute(delete(mailboxes).where(mailboxes.c.created < before))
