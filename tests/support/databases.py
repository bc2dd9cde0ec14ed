"""Databases with the newest schema; migrating each one would take longer than most tests."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import make_url

from store import schema
from store.database import Database
from store.tables import metadata


def lay_ready(url: str) -> None:
    """Create a missing SQLite file as an empty database with the newest schema."""
    path = make_url(url).database if url.startswith("sqlite:") else None
    if path and not Path(path).exists():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(_folder().name) / "pattern.db", path)


@cache
def _folder() -> "TemporaryDirectory[str]":
    """The temporary folder with the template database, which is migrated once."""
    folder = TemporaryDirectory(prefix="nightmail-test-")
    upgrade(f"sqlite:///{folder.name}/pattern.db")
    return folder


def upgrade(url: str) -> None:
    """Upgrade a database to the newest schema."""
    database = Database(url)
    schema.upgrade(database)
    database.close()


def empty(url: str) -> None:
    """Delete all rows from a database with the newest schema."""
    database = Database(url)
    with database.writing() as tx:
        for table in reversed(metadata.sorted_tables):
            tx.execute(table.delete())
    database.close()
