"""What can go wrong with the database, in words that need no knowledge of SQLAlchemy.

`store.database` raises these out of every transaction, from the library's own error.
"""


class StoreError(Exception):
    """The database has failed. Nothing of the transaction is stored."""


class Away(StoreError):
    """The database cannot be reached, or others held a lock or all connections for too long."""


class Clash(StoreError):
    """A row contradicts a constraint: mostly, somebody was quicker with the same key."""
