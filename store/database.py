"""The connection to SQLite or PostgreSQL, with the settings that our promises rest on."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from sqlalchemy import Connection, Engine, NullPool, create_engine, event, exc
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import ConnectionPoolEntry

from store.errors import Away, Clash, StoreError
from store.idle import Idle
from store.private_files import make_file

Transaction: TypeAlias = Connection
"""What `reading`, `writing` and `noting` give, and all functions of the store take."""

BUSY_SECONDS = 10
PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "2",  # FULL: a commit is on the disk before it is answered
    "busy_timeout": str(BUSY_SECONDS * 1000),
    "foreign_keys": "1",
    "secure_delete": "1",  # what somebody has deleted is not left in free pages
}
POSTGRES = {
    "application_name": "nightmail",
    "options": "-c synchronous_commit=on -c lock_timeout=10s -c statement_timeout=30s",
}
NOTED = {"synchronous": "1"}  # NORMAL: it is in the file at once, and on the disk a little later
NOTED_POSTGRES = " -c synchronous_commit=off"
ALL: dict[str, Any] = {
    "poolclass": NullPool,  # those that are idle wait elsewhere
    "hide_parameters": True,  # errors are logged, and parameters may be personal
}
ALONE: dict[str, Any] = {
    "isolation_level": "AUTOCOMMIT",
    # What stands alone leaves nothing to undo, and asking for that is a way to the server.
    "skip_autocommit_rollback": True,
}
"""How those connect who only read."""


class Database:
    """Reads without a transaction, writes in one that begins by taking the lock."""

    def __init__(self, url: str) -> None:
        with _own_errors():
            self.url = make_url(url)
            self.is_sqlite = self.url.get_backend_name() == "sqlite"
            connect = _sqlite if self.is_sqlite else _postgres
            self.engine = connect(self.url)
            notes = connect(self.url, lasting=False)
            readers = connect(self.url, **ALONE)
        self._writers, self._notes = Idle(self.engine), Idle(notes)
        self._readers = Idle(readers)
        self._held = threading.local()
        if self.is_sqlite:
            for engine in (self.engine, notes):
                event.listen(engine, "begin", _take_the_lock)
        # SQLite's busy handler polls and is unfair: within a process writers queue up instead.
        self._turn: Any = threading.Lock() if self.is_sqlite else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A connection for statements that stand alone; within another block the same one.

        Else a thread could wait for its second while others hold the last and wait likewise.
        """
        held: Connection | None = getattr(self._held, "connection", None)
        if held is not None:
            with _own_errors():
                yield held
            return
        with _own_errors(), self._readers.one() as connection:
            self._held.connection = connection
            try:
                yield connection
            finally:
                self._held.connection = None

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """A transaction: all of it is stored for good, or nothing is."""
        with _own_errors(), self._turn, self._writers.one() as connection, connection.begin():
            yield connection

    @contextmanager
    def noting(self) -> Iterator[Transaction]:
        """A transaction that the death of this process cannot undo, but a power failure can.

        It does not wait for the disk. Whatever is undone by that, all that was stored after it is
        undone as well, here and in `writing`.
        """
        with _own_errors(), self._turn, self._notes.one() as connection, connection.begin():
            yield connection

    def scrub(self) -> None:
        """Leave nothing of what was deleted in the journal beside SQLite's file."""
        if self.is_sqlite:
            with self._turn, self.reading() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Give all connections back."""
        for idle in (self._readers, self._writers, self._notes):
            idle.close()


@contextmanager
def _own_errors() -> Iterator[None]:
    """Raise errors of the store instead of SQLAlchemy's."""
    try:
        yield
    except exc.SQLAlchemyError as error:
        raise _translated(error) from error


def _translated(error: exc.SQLAlchemyError) -> StoreError:
    reason = str(getattr(error, "orig", None) or error)
    if isinstance(error, exc.IntegrityError):
        return Clash(reason)
    if isinstance(error, (exc.OperationalError, exc.TimeoutError)):
        return Away(reason)
    return StoreError(reason)


def files_of(url: str) -> list[Path]:
    """The files in which SQLite keeps the database at this URL; none with PostgreSQL."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return []
    return [Path(parsed.database + ending) for ending in ("", "-wal", "-shm", "-journal")]


def _postgres(url: URL, *, lasting: bool = True, **more: Any) -> Engine:
    options = POSTGRES["options"] + ("" if lasting else NOTED_POSTGRES)
    return create_engine(url, connect_args=POSTGRES | {"options": options}, **ALL, **more)


def _sqlite(url: URL, *, lasting: bool = True, **more: Any) -> Engine:
    if url.database and url.database != ":memory:":
        make_file(Path(url.database))  # seeds are in it; SQLite gives its journals the same mode
    engine = create_engine(
        url,
        # Left to itself the driver begins transactions late and without the lock.
        connect_args={"isolation_level": None, "timeout": BUSY_SECONDS, "check_same_thread": False},
        **ALL,
        **more,
    )
    pragmas = PRAGMAS if lasting else PRAGMAS | NOTED
    event.listen(engine, "connect", partial(_set_pragmas, pragmas))
    return engine


def _set_pragmas(pragmas: Mapping[str, str], connection: Any, _: ConnectionPoolEntry) -> None:
    for name, value in pragmas.items():
        connection.execute(f"PRAGMA {name} = {value}")
        (said,) = connection.execute(f"PRAGMA {name}").fetchone()
        if str(said) != value:
            raise RuntimeError(f"SQLite keeps {name} at {said}, and Nightmail needs {value}")


def _take_the_lock(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
