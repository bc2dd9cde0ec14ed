"""Addresses that receive mail: their local part is 128 bits that cannot be guessed.

An address is an HMAC of what it stands for, so that a letter that is sent again has the same one.
Its hash is stored, so that the address works on after SECRET_KEYS change.
"""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta
from typing import NamedTuple

from service.desk import Desk
from store import timestamps
from store.database import Transaction
from store.errors import Clash
from store.notify import mailboxes, received_mail
from store.notify.mailboxes import LetteredDecision, Mailbox

__all__ = [
    "Address",
    "LetteredDecision",
    "Mailbox",
    "bounce",
    "confirmation",
    "find",
    "is_bounce_address",
    "is_confirmation_address",
    "lasting",
    "reply",
    "reply_to_several",
    "store",
    "talk",
    "tidy",
    "void",
]

BITS = 128
"""Bits of the HMAC in an address."""
LOCAL_PART = re.compile(r"[a-z2-7]{26}")
RETENTION = timedelta(days=400)
"""How long an address is stored; by then its decision is over, or nobody plays any more."""


class Address(NamedTuple):
    """An address of ours, which has to be stored before a letter names it."""

    email: str
    mailbox: Mailbox
    salt: str
    """How often the addresses of each seat that it stands for were made void, or an email address
    for bounces."""
    is_stored: bool


def reply(desk: Desk, account: str, game: str, seat: int, version: int, links: int) -> Address:
    """Return the address for replies to a decision; the same each time.

    `links` says how often the links and addresses of the seat were made void.
    """
    return _address(desk, Mailbox("reply", account, game, seat, version), str(links))


def reply_to_several(
    desk: Desk, account: str, decisions: Iterable[LetteredDecision], links: Iterable[int]
) -> Address:
    """Return the address for replies to an email about several games; the same for the same email.

    `links` says how often the links and addresses of each seat were made void.
    """
    mailbox = Mailbox("reply", account, decisions=tuple(decisions))
    return _address(desk, mailbox, ",".join(map(str, links)))


def lasting(desk: Desk, account: str, game: str, seat: int, links: int) -> Address:
    """Return the lasting address of a seat in a game, for mail that answers no decision."""
    return _address(desk, Mailbox("reply", account, game, seat), str(links))


def talk(desk: Desk, account: str, game: str, seat: int, links: int) -> Address:
    """Return the lasting address for replies to table talk, which are posted as messages."""
    return _address(desk, Mailbox("talk", account, game, seat), str(links))


def confirmation(desk: Desk, account: str, email: str) -> Address:
    """Return the address at which “yes” confirms an address; a different one for each of them."""
    return _address(desk, Mailbox("reply", account), email)


def bounce(desk: Desk, account: str, email: str) -> Address:
    """Return the address for bounces of mail to an account, which depends on its email address."""
    return _address(desk, Mailbox("bounce", account), email)


def store(desk: Desk, addresses: Iterable[Address]) -> None:
    """Store those addresses that are not stored yet, so that mail to them is accepted."""
    for address in addresses:
        if not address.is_stored:
            # On a clash another process has stored the same address.
            with suppress(Clash), desk.database.noting() as tx:
                _store(tx, address, desk.now())


def find(desk: Desk, recipient: str) -> Mailbox | None:
    """Return what an address of ours stands for; None if it is unknown, or was made void."""
    local_part, _, domain = recipient.lower().rpartition("@")
    if domain != desk.settings.mail_domain or not LOCAL_PART.fullmatch(local_part):
        return None
    with desk.database.reading() as tx:
        return mailboxes.find(tx, _hash(local_part))


def is_bounce_address(desk: Desk, recipient: str, account: str, email: str) -> bool:
    """Return whether this is the bounce address for mail to this address of an account."""
    return _is_address(desk, recipient, Mailbox("bounce", account), email)


def is_confirmation_address(desk: Desk, recipient: str, account: str, email: str) -> bool:
    """Return whether this is the address at which this address of an account is confirmed."""
    return _is_address(desk, recipient, Mailbox("reply", account), email)


def _is_address(desk: Desk, recipient: str, mailbox: Mailbox, salt: str) -> bool:
    local_part = recipient.lower().rpartition("@")[0]
    local_parts = _local_parts(desk, mailbox, salt)
    return any(
        hmac.compare_digest(local_part.encode(), expected.encode()) for expected in local_parts
    )


def void(tx: Transaction, game: str, seat: int) -> None:
    """Void all reply addresses of a seat, in the transaction that increments `seats.links`."""
    mailboxes.void(tx, game, seat)


def tidy(desk: Desk) -> None:
    """Delete old addresses, and the records of the mail that they received."""
    long_ago = timestamps.later(desk.now(), -RETENTION)
    with desk.database.writing() as tx:
        mailboxes.forget(tx, long_ago)
        received_mail.forget(tx, long_ago)


def _address(desk: Desk, mailbox: Mailbox, salt: str) -> Address:
    """Return the stored address of a mailbox, made by any of SECRET_KEYS; else a new one."""
    local_parts = _local_parts(desk, mailbox, salt)
    with desk.database.reading() as tx:
        stored = [local_part for local_part in local_parts if mailboxes.find(tx, _hash(local_part))]
    email = f"{(stored or local_parts)[0]}@{desk.settings.mail_domain}"
    return Address(email, mailbox, salt, bool(stored))


def _store(tx: Transaction, address: Address, at: str) -> None:
    """Store an address, unless the links of its seat were made void meanwhile.

    An address for several games is stored for those seats whose links were not.
    """
    mailbox, local_part = address.mailbox, address.email.partition("@")[0]
    if mailbox.decisions:
        valid = _valid_decisions(tx, address)
        if valid:
            decisions, links = zip(*valid, strict=True)
            mailboxes.add(tx, _hash(local_part), mailbox._replace(decisions=decisions), at, links)
    elif (
        mailbox.game is None
        or mailbox.seat is None
        or address.salt == str(mailboxes.generation(tx, mailbox.game, mailbox.seat))
    ):
        mailboxes.add(tx, _hash(local_part), mailbox, at)


def _valid_decisions(tx: Transaction, address: Address) -> list[tuple[LetteredDecision, int]]:
    """Return the decisions of an address whose seats have not made their links void meanwhile.

    Each is given with how often its seat has.
    """
    links = zip(address.mailbox.decisions, map(int, address.salt.split(",")), strict=True)
    # In one order everywhere, since each seat is locked.
    by_seat = sorted(links, key=lambda pair: (pair[0].game, pair[0].seat))
    return [
        (decision, generation)
        for decision, generation in by_seat
        if generation == mailboxes.generation(tx, decision.game, decision.seat)
    ]


def _local_parts(desk: Desk, box: Mailbox, salt: str) -> list[str]:
    """Return the local part of a mailbox by each of SECRET_KEYS, the current one first."""
    *columns, decisions = box
    content = [*columns, *(value for decision in decisions for value in decision), salt]
    message = "|".join(["mailbox", *map(str, content)]).encode()
    digests = (
        hmac.new(key.encode(), message, hashlib.sha256).digest()
        for key in desk.settings.secret_keys
    )
    encoded = (base64.b32encode(digest[: BITS // 8]).decode() for digest in digests)
    return [text.rstrip("=").lower() for text in encoded]


def _hash(local_part: str) -> bytes:
    return hashlib.sha256(local_part.encode()).digest()
