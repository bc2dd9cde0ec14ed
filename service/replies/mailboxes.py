"""Addresses to which mail comes in: 128 bits that nobody can guess, of which we keep the hash.

An address is made from what it stands for and a key, so that a letter which is sent again names
the same one. Once it is stored no key is needed any more to know it.
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
from store.notify.mailboxes import Mailbox
from store.people import signed_links

__all__ = [
    "Address",
    "Mailbox",
    "bounce",
    "bounce_address",
    "is_for",
    "read",
    "reply",
    "reply_address",
    "store",
    "tidy",
    "void",
]

BITS = 128
LOCAL_PART = re.compile(r"[a-z2-7]{26}")
KEPT = timedelta(days=400)
"""So long an address is known; by then its decision is over, or nobody plays any more."""


class Address(NamedTuple):
    """An address of ours, which has to be stored before a letter names it."""

    email: str
    mailbox: Mailbox
    salt: str
    is_stored: bool


def reply(desk: Desk, account: str, game: str, seat: int, asked: int, links: int) -> Address:
    """Where to answer a decision by mail; the same address each time.

    `links` says how often the links and addresses of the seat were made void.
    """
    return _address(desk, Mailbox("reply", account, game, seat, asked), str(links))


def bounce(desk: Desk, account: str, email: str) -> Address:
    """Where mail to an account comes back to; another one for each address of theirs."""
    return _address(desk, Mailbox("bounce", account), email)


def reply_address(desk: Desk, account: str, game: str, seat: int, asked: int) -> str:
    """Where to answer a decision by mail, once it is stored."""
    with desk.database.reading() as tx:
        standing = signed_links.standing(tx, game, seat)
    address = reply(desk, account, game, seat, asked, standing.links if standing else 0)
    store(desk, [address])
    return address.email


def bounce_address(desk: Desk, account: str, email: str) -> str:
    """Where mail to an account comes back to, once it is stored."""
    address = bounce(desk, account, email)
    store(desk, [address])
    return address.email


def store(desk: Desk, addresses: Iterable[Address]) -> None:
    """Store those of these addresses that are not stored yet, so that mail to them is known."""
    for address in addresses:
        if not address.is_stored:
            # Another process that was quicker has stored the same.
            with suppress(Clash), desk.database.noting() as tx:
                _store(tx, address, desk.now())


def read(desk: Desk, recipient: str) -> Mailbox | None:
    """What an address of ours stands for; None if it is none, or not any more."""
    local_part, _, domain = recipient.lower().rpartition("@")
    if domain != desk.settings.mail_domain or not LOCAL_PART.fullmatch(local_part):
        return None
    with desk.database.reading() as tx:
        return mailboxes.find(tx, _hash(local_part))


def is_for(desk: Desk, recipient: str, account: str, email: str) -> bool:
    """Whether mail comes back to here that went to this very address of an account."""
    said = recipient.lower().rpartition("@")[0]
    made = _local_parts(desk, Mailbox("bounce", account), email)
    return any(hmac.compare_digest(said.encode(), one.encode()) for one in made)


def void(tx: Transaction, game: str, seat: int) -> None:
    """Make all addresses of a seat void; belongs to the transaction that raises `seats.links`."""
    mailboxes.void(tx, game, seat)


def tidy(desk: Desk) -> None:
    """Forget addresses of long ago, and then also what came to them."""
    long_ago = timestamps.later(desk.now(), -KEPT)
    with desk.database.writing() as tx:
        mailboxes.forget(tx, long_ago)
        received_mail.forget(tx, long_ago)


def _address(desk: Desk, mailbox: Mailbox, salt: str) -> Address:
    made = _local_parts(desk, mailbox, salt)
    with desk.database.reading() as tx:
        known = [local_part for local_part in made if mailboxes.find(tx, _hash(local_part))]
    email = f"{(known or made)[0]}@{desk.settings.mail_domain}"
    return Address(email, mailbox, salt, bool(known))


def _store(tx: Transaction, address: Address, at: str) -> None:
    """Store an address, unless the addresses of its seat were made void since it was made."""
    mailbox, local_part = address.mailbox, address.email.partition("@")[0]
    if (
        mailbox.game is None
        or mailbox.seat is None
        or address.salt == str(mailboxes.generation(tx, mailbox.game, mailbox.seat))
    ):
        mailboxes.add(tx, _hash(local_part), mailbox, at)


def _local_parts(desk: Desk, box: Mailbox, salt: str) -> list[str]:
    """What each of our keys makes of it, the present one first."""
    said = "|".join(["mailbox", *map(str, box), salt]).encode()
    digests = (
        hmac.new(key.encode(), said, hashlib.sha256).digest() for key in desk.settings.secret_keys
    )
    spelled = (base64.b32encode(digest[: BITS // 8]).decode() for digest in digests)
    return [one.rstrip("=").lower() for one in spelled]


def _hash(local_part: str) -> bytes:
    return hashlib.sha256(local_part.encode()).digest()
