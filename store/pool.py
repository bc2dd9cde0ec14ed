"""The size of a process's connection pool, and the options that both databases share."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, QueuePool, event

SIZE = 10
"""Connections that a process may hold by default."""
PATIENCE = 10.0
"""Seconds that a thread waits for a free connection; then the database counts as unavailable."""
LIFETIME = 300
"""Seconds after which a connection is replaced when it is next borrowed."""


class Pool(NamedTuple):
    """How many connections a process may hold, and whether they go through a pooler."""

    size: int = SIZE
    behind_pooler: bool = False
    """Whether they go through a pooler, for example PgBouncer, which shares sessions."""

    @property
    def readers(self) -> int:
        """Connections that readers may use at once; the rest are reserved for writers."""
        return self.size - max(1, self.size // 4)

    @property
    def options(self) -> dict[str, Any]:
        """The pool options for SQLAlchemy."""
        return {
            "poolclass": QueuePool,
            "pool_size": self.size,
            "max_overflow": 0,  # overflow connections would be closed after each use
            "pool_timeout": PATIENCE,
            "pool_recycle": LIFETIME,
            "pool_use_lifo": True,  # so that surplus connections stay idle
            "hide_parameters": True,  # errors are logged, and parameters may be personal data
        }


def beginning(engine: Engine, statements: Sequence[str]) -> Engine:
    """Return an engine on the same pool whose transactions begin with these statements."""
    branch = engine.execution_options()
    event.listen(branch, "begin", partial(_begin, statements))
    return branch


def _begin(statements: Sequence[str], connection: Connection) -> None:
    for statement in statements:
        connection.exec_driver_sql(statement)
