"""Databases that are up to date from the start: to migrate one takes longer than most tests."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import make_url

from store import schema
from store.database import Database
from store.tables import metadata


def lay_ready(url: str) -> None:
    """Where a SQLite file is wanted and none is, put one that is up to date and empty."""
    path = make_url(url).database if url.startswith("sqlite:") else None
    if path and not Path(path).exists():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(_folder().name) / "pattern.db", path)


@cache
def _folder() -> "TemporaryDirectory[str]":
    """Where the pattern of all files lies until the tests are over."""
    folder = TemporaryDirectory(prefix="nightmail-test-")
    upgrade(f"sqlite:///{folder.name}/pattern.db")
    return folder


def upgrade(url: str) -> None:
    """Bring a database up to date."""
    database = Database(url)
    schema.upgrade(database)
    database.close()


def empty(url: str) -> None:
    """Take everything out of a database that is up to date."""
    database = Database(url)
    with database.writing() as tx:
        for table in reversed(metadata.sorted_tables):
            tx.execute(table.delete())
    database.close()
