"""Errors of the database, which callers can catch without knowing SQLAlchemy.

`store.database` raises them from the library's own errors.
"""


class StoreError(Exception):
    """The database has failed; nothing of the transaction is stored."""


class Away(StoreError):
    """The database cannot be reached, or a lock or a connection did not become free in time."""


class Clash(StoreError):
    """A row violates a constraint; mostly, another transaction has stored the same key first."""
