"""Commitments: seeds whose hash is published before their game is opened."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from store.tables import commitments


class StoredCommitment(NamedTuple):
    """A commitment, the seed behind it, and the id of the game that will be played with it."""

    game: str
    account: str
    commitment: str
    seed: bytes
    created: str
    expires: str
    used: str | None = None

    def __repr__(self) -> str:
        """Leave out the seed, which must not get into logs."""
        return f"StoredCommitment({self.game!r})"


def add(tx: Connection, commitment: StoredCommitment) -> None:
    tx.execute(insert(commitments), [commitment._asdict()])


def find(tx: Connection, account: str, commitment: str) -> StoredCommitment | None:
    """Return this commitment, if it belongs to this account."""
    query = select(*commitments.c[StoredCommitment._fields]).where(
        commitments.c.account == account, commitments.c.commitment == commitment
    )
    row = tx.execute(query).first()
    return StoredCommitment(*row) if row else None


def use(tx: Connection, game: str, at: str) -> bool:
    """Mark a commitment as used; False if it was used already."""
    unused = update(commitments).where(commitments.c.game == game, commitments.c.used.is_(None))
    return tx.execute(unused.values(used=at)).rowcount == 1


def keep_newest(tx: Connection, account: str, most: int) -> None:
    """Drop all but the newest unused commitments of an account."""
    conditions = commitments.c.account == account, commitments.c.used.is_(None)
    newest = commitments.c.created.desc(), commitments.c.game
    unused = tx.scalars(select(commitments.c.game).where(*conditions).order_by(*newest)).all()
    tx.execute(delete(commitments).where(*conditions, commitments.c.game.in_(unused[most:])))


def forget(tx: Connection, now: str) -> None:
    """Drop commitments that have expired; a game that was opened has its own copy of the seed."""
    tx.execute(delete(commitments).where(commitments.c.expires <= now))
