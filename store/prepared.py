"""Questions that are asked with every request: compiled once, and put to the driver itself."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from sqlalchemy import Connection, Select
from sqlalchemy.engine import Dialect


class Prepared:
    """A SELECT whose parameters all have names.

    SQLAlchemy takes longer to run a statement than SQLite takes to answer it.
    """

    def __init__(self, statement: Select[Any]) -> None:
        self.statement = statement
        self._texts: dict[str, tuple[str, list[str] | None]] = {}

    def rows(self, tx: Connection, values: Mapping[str, Any]) -> Sequence[Any]:
        """All that is found, as plain tuples or as good as that."""
        if tx.in_transaction():  # where nothing can be asked again after a failure
            return tx.execute(self.statement, values).all()
        text, order = self._texts.get(tx.dialect.name) or self._compiled(tx.dialect)
        try:
            with closing(tx.connection.cursor()) as cursor:
                cursor.execute(text, [values[name] for name in order] if order else values)
                return cursor.fetchall()
        except tx.dialect.loaded_dbapi.Error:
            # SQLAlchemy knows what to do with a lost connection, and how to say it.
            return tx.execute(self.statement, values).all()

    def _compiled(self, dialect: Dialect) -> tuple[str, list[str] | None]:
        """The text for this database, and the order of its parameters where they have no names."""
        made = self.statement.compile(dialect=dialect)
        self._texts[dialect.name] = found = str(made), made.positiontup
        return found
