"""Letters that were refused because there is no such address."""

from sqlalchemy import Connection, delete, select, text

from store.tables import bounces

# SQLite and PostgreSQL both understand this statement.
_ADD = text(
    "INSERT INTO bounces (account, letter, address, at) VALUES (:account, :letter, :address, :at) "
    "ON CONFLICT DO NOTHING"
)


def add(tx: Connection, account: str, letter: str, address: str, at: str) -> None:
    """Store that a letter was refused; a second refusal of the same letter changes nothing."""
    tx.execute(_ADD, {"account": account, "letter": letter, "address": address, "at": at})


def times(tx: Connection, account: str, address: str, since: str) -> list[str]:
    """Return when letters to this address of an account were refused, the earliest first."""
    conditions = bounces.c.account == account, bounces.c.address == address, bounces.c.at >= since
    return list(tx.scalars(select(bounces.c.at).where(*conditions).order_by(bounces.c.at)))


def any_of(tx: Connection, account: str) -> bool:
    """Return whether anything is counted for an account."""
    return tx.scalar(select(bounces.c.at).where(bounces.c.account == account).limit(1)) is not None


def clear(tx: Connection, account: str) -> None:
    """Delete what was counted for an account."""
    tx.execute(delete(bounces).where(bounces.c.account == account))


def forget(tx: Connection, before: str) -> None:
    """Delete refusals before this time."""
    tx.execute(delete(bounces).where(bounces.c.at < before))
