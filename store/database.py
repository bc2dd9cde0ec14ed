"""Connections to SQLite or PostgreSQL, and the settings that the promises rest on."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

from sqlalchemy import Connection, Engine, event, exc
from sqlalchemy.engine import make_url
from sqlalchemy.pool import ConnectionPoolEntry

from store import postgres, sqlite
from store.errors import Away, Clash, StoreError
from store.pool import PATIENCE, Pool

Transaction: TypeAlias = Connection
"""What `reading`, `writing` and `noting` yield, and every function of the store takes."""


class Database:
    """One bounded connection pool, from which blocks of three kinds borrow.

    Writers may use every connection of the pool, readers only a part of it, so that readers never
    keep a writer waiting.
    """

    def __init__(self, url: str, pool: Pool | None = None) -> None:
        pool = pool or Pool()
        with _own_errors():
            self.url = make_url(url)
            self.is_sqlite = self.url.get_backend_name() == "sqlite"
            driver = sqlite if self.is_sqlite else postgres
            self._reader = driver.engine(self.url, pool)
            self.engine = driver.durable(self._reader)
            self._noter = driver.noted(self._reader)
        self._readers = threading.BoundedSemaphore(pool.readers)
        self._held = threading.local()
        # SQLite's busy handler polls and is unfair: within a process, writers queue for a lock.
        self._turn: AbstractContextManager[object] = (
            threading.Lock() if self.is_sqlite else nullcontext()
        )

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Borrow a connection in autocommit mode, for statements that stand alone.

        Inside another block of the same thread it is that block's connection: a thread that
        waited for a second one could wait for a thread that waits for it.
        """
        outer: Connection | None = getattr(self._held, "connection", None)
        if outer is not None:
            with _own_errors():
                yield outer
            return
        with _own_errors(), self._reader_place(), self._borrowed(self._reader) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """Run a durable transaction: committed means on the disk, and an error undoes all."""
        with _own_errors(), self._turn, self._borrowed(self.engine) as tx, tx.begin():
            yield tx

    @contextmanager
    def noting(self) -> Iterator[Transaction]:
        """Run a transaction whose commit does not wait for the disk.

        It survives the death of this process, but not always a power failure. If it is lost, so
        is everything that was committed after it, by `writing` as well.
        """
        with _own_errors(), self._turn, self._borrowed(self._noter) as tx, tx.begin():
            yield tx

    def scrub(self) -> None:
        """Remove what is left of deleted rows from the journal beside SQLite's file."""
        if self.is_sqlite:
            with self._turn, self.reading() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close all idle connections; those in use are closed when they are returned."""
        # Otherwise connections in use would go back to the pool and stay open.
        event.listen(self._reader, "checkin", _close)
        self._reader.dispose()

    @contextmanager
    def _reader_place(self) -> Iterator[None]:
        if not self._readers.acquire(timeout=PATIENCE):
            raise exc.TimeoutError(f"No connection became free for a reader in {PATIENCE:.0f} s.")
        try:
            yield
        finally:
            self._readers.release()

    @contextmanager
    def _borrowed(self, engine: Engine) -> Iterator[Connection]:
        """Borrow a connection, and let `reading` inside this block find it."""
        outer = getattr(self._held, "connection", None)
        with engine.connect() as connection:
            self._held.connection = connection
            try:
                yield connection
            finally:
                self._held.connection = outer


def _close(_: object, entry: ConnectionPoolEntry) -> None:
    entry.close()


@contextmanager
def _own_errors() -> Iterator[None]:
    """Raise the store's errors instead of SQLAlchemy's."""
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
