"""Addresses to which mail comes in: 128 bits that nobody can guess, of which we keep the hash.

An address is made from what it stands for and a key, so that a letter which is sent again names
the same one. Once it is stored no key is needed any more to know it.
"""

import base64
import hashlib
import hmac
import re
from contextlib import suppress
from datetime import timedelta

from service.desk import Desk
from store import timestamps
from store.database import Transaction
from store.errors import Clash
from store.notify import mailboxes, received_mail
from store.notify.mailboxes import Mailbox
from store.people import signed_links

__all__ = ["Mailbox", "bounce_address", "is_for", "read", "reply_address", "tidy", "void"]

BITS = 128
LOCAL_PART = re.compile(r"[a-z2-7]{26}")
KEPT = timedelta(days=400)
"""So long an address is known; by then its decision is over, or nobody plays any more."""


def reply_address(desk: Desk, account: str, game: str, seat: int, asked: int) -> str:
    """Where to answer a decision by mail; the same address each time."""
    box = Mailbox("reply", account, game, seat, asked)
    with desk.database.reading() as tx:
        standing = signed_links.seat_links(tx, game, seat)
    return _address(desk, box, str(standing.links if standing else None))


def bounce_address(desk: Desk, account: str, email: str) -> str:
    """Where mail to an account comes back to; another one for each address of theirs."""
    return _address(desk, Mailbox("bounce", account), email)


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


def _address(desk: Desk, box: Mailbox, salt: str) -> str:
    made = _local_parts(desk, box, salt)
    with desk.database.reading() as tx:
        known = [one for one in made if mailboxes.find(tx, _hash(one))]
    if not known:
        # Whoever was quicker has stored the same.
        with suppress(Clash), desk.database.noting() as tx:
            _store(tx, box, salt, made[0], desk.now())
    return f"{(known or made)[0]}@{desk.settings.mail_domain}"


def _store(tx: Transaction, box: Mailbox, salt: str, local_part: str, at: str) -> None:
    """Keep an address, unless it was made void while it was being made."""
    if (
        box.game is None
        or box.seat is None
        or salt == str(mailboxes.generation(tx, box.game, box.seat))
    ):
        mailboxes.add(tx, _hash(local_part), box, at)


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
