"""What is asked and stored with every request: compiled once, and put to the driver itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Delete, Insert, Select, Update
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError

Values = Mapping[str, Any]


class Prepared:
    """A statement whose parameters all have names, and whose columns need no translation.

    SQLAlchemy takes longer to run a statement than SQLite takes to answer it.
    """

    def __init__(
        self, statement: Select[Any] | Insert | Update | Delete, columns: Sequence[str] = ()
    ) -> None:
        self.statement = statement
        self._columns = list(columns) or None
        self._texts: dict[str, tuple[str, list[str] | None]] = {}

    def rows(self, tx: Connection, values: Values) -> Sequence[Any]:
        """All that is found, as plain tuples or as good as that."""
        if tx.in_transaction():  # where nothing can be asked again after a failure
            return tx.execute(self.statement, values).all()
        text, order = self._compiled(tx.dialect)
        try:
            cursor = _cursor(tx)
            cursor.execute(text, [values[name] for name in order] if order else values)
            found: Sequence[Any] = cursor.fetchall()
        except tx.dialect.loaded_dbapi.Error:
            # SQLAlchemy knows what to do with a lost connection, and how to say it.
            return tx.execute(self.statement, values).all()
        return found

    def change(self, tx: Connection, *changes: Values) -> int:
        """Store these within a transaction; how many rows that has changed."""
        text, order = self._compiled(tx.dialect)
        given = [[one[name] for name in order] for one in changes] if order else changes
        try:
            cursor = _cursor(tx)
            if len(given) == 1:
                cursor.execute(text, given[0])
            else:
                cursor.executemany(text, given)
        except tx.dialect.loaded_dbapi.Error as error:
            raise _told(tx, text, error) from error
        changed: int = cursor.rowcount
        return changed

    def text(self, tx: Connection) -> str:
        """What this database is told."""
        return self._compiled(tx.dialect)[0]

    def _compiled(self, dialect: Dialect) -> tuple[str, list[str] | None]:
        """The text for this database, and the order of its parameters where they have no names."""
        found = self._texts.get(dialect.name)
        if found is None:
            made = self.statement.compile(dialect=dialect, column_keys=self._columns)
            self._texts[dialect.name] = found = str(made), made.positiontup
        return found


def _cursor(tx: Connection) -> Any:
    """The one that this connection keeps for what is prepared."""
    kept = tx.connection.info
    return kept.get(Prepared) or kept.setdefault(Prepared, tx.connection.cursor())


def _told(tx: Connection, text: str, error: Exception) -> Exception:
    """What SQLAlchemy would have raised, after what it would have done."""
    dialect = tx.dialect
    lost = dialect.is_disconnect(error, tx.connection.dbapi_connection, None)  # type: ignore[arg-type]
    if lost:
        tx.invalidate(error)
    return DBAPIError.instance(
        text,
        None,
        error,
        dialect.loaded_dbapi.Error,
        hide_parameters=True,
        connection_invalidated=lost,
        dialect=dialect,
    )
