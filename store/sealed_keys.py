"""Keys of the service itself, stored encrypted; each is made once, by the process that needs it."""

from sqlalchemy import Connection, delete, select, text, update

from store.tables import keys

# Both databases accept it: if two processes make a key, one stores it and both read that one.
_ADD = text(
    "INSERT INTO keys (name, sealed, created) VALUES (:name, :sealed, :created) "
    "ON CONFLICT DO NOTHING"
)


def find(tx: Connection, name: str) -> bytes | None:
    """Return the sealed key with this name, if it was made."""
    sealed: bytes | None = tx.scalar(select(keys.c.sealed).where(keys.c.name == name))
    return None if sealed is None else bytes(sealed)


def add(tx: Connection, name: str, sealed: bytes, at: str) -> None:
    """Store a key, unless there is one already."""
    tx.execute(_ADD, {"name": name, "sealed": sealed, "created": at})


def remove(tx: Connection, name: str) -> None:
    """Delete a key."""
    tx.execute(delete(keys).where(keys.c.name == name))


def reseal(tx: Connection, name: str, before: bytes, after: bytes) -> None:
    """Store the same key encrypted anew, unless another process has done so."""
    conditions = keys.c.name == name, keys.c.sealed == before
    tx.execute(update(keys).where(*conditions).values(sealed=after))
