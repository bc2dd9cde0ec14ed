"""Digests of received letters, so that none is processed twice, and of answers that are limited."""

import hashlib

from sqlalchemy import Connection, delete, insert, select

from store.tables import letters


def add(tx: Connection, account: str, digest: bytes, at: str) -> None:
    """Store a digest; raises Clash if it is stored already."""
    tx.execute(insert(letters), [{"account": account, "digest": digest, "at": at}])


def is_stored(tx: Connection, account: str, digest: bytes) -> bool:
    """Return whether this digest is stored already."""
    conditions = letters.c.account == account, letters.c.digest == digest
    return tx.scalar(select(letters.c.at).where(*conditions)) is not None


def spend(tx: Connection, account: str, subject: str, limit: int, now: str) -> int | None:
    """Count a letter to an account; return how many are left, or None if none was left."""
    for number in range(limit):
        slot = hashlib.sha256(f"budget {subject} {number}".encode()).digest()
        if not is_stored(tx, account, slot):
            add(tx, account, slot, now)
            return limit - number - 1
    return None


def forget(tx: Connection, before: str) -> None:
    """Delete the digests stored before this time."""
    tx.execute(delete(letters).where(letters.c.at < before))
