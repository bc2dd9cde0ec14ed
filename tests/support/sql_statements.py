"""Records the SQL statements sent to SQLite, to count those of a request."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event
from sqlalchemy.pool import Pool


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Record all statements on connections that are opened inside the block, in order."""
    statements: list[str] = []

    def trace(connection: Any, _: Any) -> None:
        connection.set_trace_callback(statements.append)

    event.listen(Pool, "connect", trace)
    try:
        yield statements
    finally:
        event.remove(Pool, "connect", trace)


def selects(statements: list[str]) -> list[str]:
    """The SELECT statements among them."""
    return [statement for statement in statements if statement.startswith("SELECT")]


def table_loads(statements: list[str]) -> list[str]:
    """The queries that load a table: a game with all its seats."""
    return [
        statement
        for statement in selects(statements)
        if "FROM games LEFT OUTER JOIN seats" in " ".join(statement.split())
    ]
