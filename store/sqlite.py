"""Opens connections to SQLite, and begins transactions there."""

from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.pool import ConnectionPoolEntry

from store.pool import Pool, beginning
from store.private_files import make_file

BUSY_SECONDS = 10
"""Seconds that SQLite waits for another process's transaction."""
PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "2",  # FULL: a commit returns once it is on the disk
    "busy_timeout": str(BUSY_SECONDS * 1000),
    "foreign_keys": "1",
    "secure_delete": "1",  # deleted data is not left in free pages
}
DURABLE = "PRAGMA synchronous = 2"
NOTED = "PRAGMA synchronous = 1"  # NORMAL: in the file at once, on the disk later
LOCKED = "BEGIN IMMEDIATE"
"""Takes the write lock at once, so that reads in the transaction cannot be stale."""


def engine(url: URL, pool: Pool) -> Engine:
    """Return an engine in autocommit mode."""
    if url.database and url.database != ":memory:":
        make_file(Path(url.database))  # it holds seeds; SQLite gives its journals the same mode
    engine = create_engine(
        url,
        # By default the driver begins transactions late and without the write lock.
        connect_args={"isolation_level": None, "timeout": BUSY_SECONDS, "check_same_thread": False},
        **pool.options,
    )
    event.listen(engine, "connect", _set_pragmas)
    return engine


def durable(engine: Engine) -> Engine:
    """Return an engine on the same pool whose commits wait for the disk."""
    return beginning(engine, [DURABLE, LOCKED])


def noted(engine: Engine) -> Engine:
    """Return an engine on the same pool whose commits do not wait for the disk."""
    return beginning(engine, [NOTED, LOCKED])


def files_of(url: str) -> list[Path]:
    """Return the files in which SQLite keeps the database at this URL; none for PostgreSQL."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return []
    return [Path(parsed.database + ending) for ending in ("", "-wal", "-shm", "-journal")]


def _set_pragmas(connection: Any, _: ConnectionPoolEntry) -> None:
    for name, value in PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {value}")
        (actual,) = connection.execute(f"PRAGMA {name}").fetchone()
        if str(actual) != value:
            raise RuntimeError(f"SQLite keeps {name} at {actual}, and Nightmail needs {value}")
