"""Letters that were read: each counts once, and some kinds of answer only so often."""

from sqlalchemy import Connection, delete, insert, select

from store.tables import letters


def add(tx: Connection, account: str, digest: bytes, at: str) -> None:
    """Write a letter down; one that is known is refused by its constraint."""
    tx.execute(insert(letters), [{"account": account, "digest": digest, "at": at}])


def known(tx: Connection, account: str, digest: bytes) -> bool:
    """Whether this letter was read before."""
    mine = letters.c.account == account, letters.c.digest == digest
    return tx.scalar(select(letters.c.at).where(*mine)) is not None


def forget(tx: Connection, before: str) -> None:
    """Drop those to addresses that are not known any more."""
    tx.execute(delete(letters).where(letters.c.at < before))
