"""Mailboxes: our addresses for replies about a game, and for bounces of one account's mail."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, exists, insert, select

from store.tables import mailbox_decisions, mailboxes, seats


class LetteredDecision(NamedTuple):
    """A decision in an email about several games, and the letter that stands for its game."""

    letter: str
    game: str
    seat: int
    decision_version: int


class Mailbox(NamedTuple):
    """What an address stands for."""

    purpose: str
    """reply: to mail about a game; talk: to table talk; bounce: of mail to an account."""
    account: str
    game: str | None = None
    seat: int | None = None
    decision_version: int | None = None
    """The version at which the decision was opened; None if the mail was about none."""
    decisions: tuple[LetteredDecision, ...] = ()
    """The decisions of mail about several games; `game` is then None."""


_COLUMNS = Mailbox._fields[:-1]
_ADD = insert(mailboxes)
_ADD_DECISIONS = insert(mailbox_decisions)
_GENERATION = (
    select(seats.c.links)
    .where(seats.c.game == bindparam("game"), seats.c.number == bindparam("number"))
    .with_for_update()
)
_BY_HASH = select(*mailboxes.c[_COLUMNS]).where(mailboxes.c.hash == bindparam("hash"))
_IS_VALID = (
    exists()
    .where(seats.c.game == mailbox_decisions.c.game, seats.c.number == mailbox_decisions.c.seat)
    .where(seats.c.links == mailbox_decisions.c.links)
)
"""Whether the seat has not made its addresses void since.

A process of an earlier release increments `seats.links`, but knows nothing of these rows.
"""
_DECISIONS = (
    select(*mailbox_decisions.c[LetteredDecision._fields], _IS_VALID)
    .where(mailbox_decisions.c.hash == bindparam("hash"))
    .order_by(mailbox_decisions.c.letter)
)


def add(
    tx: Connection, digest: bytes, mailbox: Mailbox, at: str, links: Sequence[int] = ()
) -> None:
    """Store an address; raises Clash if it is stored already.

    `links` says how often the addresses of the seat of each of its decisions were made void.
    """
    values = dict(zip(_COLUMNS, mailbox, strict=False))
    tx.execute(_ADD, [{**values, "hash": digest, "created": at}])
    if mailbox.decisions:
        rows = [
            {**decision._asdict(), "hash": digest, "links": generation}
            for decision, generation in zip(mailbox.decisions, links, strict=True)
        ]
        tx.execute(_ADD_DECISIONS, rows)


def find(tx: Connection, digest: bytes) -> Mailbox | None:
    """Return what the address with this hash stands for; None if it is unknown, or made void."""
    rows = tx.execute(_BY_HASH, {"hash": digest}).all()
    if not rows:
        return None
    mailbox = Mailbox(*rows[0])
    if mailbox.purpose != "reply" or mailbox.game is not None:
        return mailbox
    decisions = tx.execute(_DECISIONS, {"hash": digest}).all()
    valid = tuple(LetteredDecision(*row) for *row, is_valid in decisions if is_valid)
    return mailbox._replace(decisions=valid) if valid or not decisions else None


def generation(tx: Connection, game: str, seat: int) -> int | None:
    """Return how often a seat's addresses were made void, and lock its row."""
    links: int | None = tx.scalar(_GENERATION, {"game": game, "number": seat})
    return links


def void(tx: Connection, game: str, seat: int) -> None:
    """Delete all addresses of a seat, in the transaction that increments `seats.links`.

    An address for several games stays valid for the others, and is deleted with the last of them.
    """
    tx.execute(delete(mailboxes).where(mailboxes.c.game == game, mailboxes.c.seat == seat))
    conditions = mailbox_decisions.c.game == game, mailbox_decisions.c.seat == seat
    hashes = tx.scalars(select(mailbox_decisions.c.hash).where(*conditions)).all()
    tx.execute(delete(mailbox_decisions).where(*conditions))
    is_left = exists().where(mailbox_decisions.c.hash == mailboxes.c.hash)
    tx.execute(delete(mailboxes).where(mailboxes.c.hash.in_(hashes), ~is_left))


def forget(tx: Connection, before: str) -> None:
    """Delete the addresses created before this time."""
    tx.execute(delete(mailboxes).where(mailboxes.c.created < before))
