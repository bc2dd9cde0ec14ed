"""The size of a process's connection pool, and the options that both databases share."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, QueuePool, event

SIZE = 10
"""Connections that a process may hold, unless a setting says otherwise."""
PATIENCE = 10.0
"""Seconds that a thread waits for a free connection; then the database counts as away."""
LIFETIME = 300
"""Seconds after which a connection is replaced when it is next borrowed."""


class Pool(NamedTuple):
    """How many connections a process may hold, and what they lead to."""

    size: int = SIZE
    behind_pooler: bool = False
    """Whether they lead to a pooler such as PgBouncer, which shares sessions."""

    @property
    def readers(self) -> int:
        """Connections that readers may use at once; the others are kept free for writers."""
        return self.size - max(1, self.size // 4)

    @property
    def options(self) -> dict[str, Any]:
        """What SQLAlchemy is told about the pool."""
        return {
            "poolclass": QueuePool,
            "pool_size": self.size,
            "max_overflow": 0,  # a connection beyond the pool would be closed after each use
            "pool_timeout": PATIENCE,
            "pool_recycle": LIFETIME,
            "pool_use_lifo": True,  # so that those which are not needed stay idle
            "hide_parameters": True,  # errors are logged, and parameters may be personal
        }


def beginning(engine: Engine, statements: Sequence[str]) -> Engine:
    """The same pool for transactions that begin with these statements."""
    branch = engine.execution_options()
    event.listen(branch, "begin", partial(_begin, statements))
    return branch


def _begin(statements: Sequence[str], connection: Connection) -> None:
    for statement in statements:
        connection.exec_driver_sql(statement)
