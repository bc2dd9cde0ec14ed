"""Fixtures: desks, each with an empty database whose schema is up to date."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service.desk import Desk, open_desk
from service.settings import Settings
from store import schema
from tests.support.databases import lay_ready

SIGNING = "what signs here in no less than 32 characters"


@contextmanager
def desk_at(url: str, folder: Path) -> Iterator[Desk]:
    """Open a desk on this database, and close it afterwards."""
    environ = {"DATABASE_URL": url, "DATA_DIR": str(folder), "SECRET_KEYS": SIGNING}
    lay_ready(url)
    desk = open_desk(Settings.of(environ))
    try:
        schema.upgrade(desk.database)
        yield desk
    finally:
        desk.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk on a SQLite file."""
    with desk_at(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as opened:
        yield opened


@pytest.fixture(params=["sqlite", "postgres"])
def each_desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    """A desk on each kind of database: SQLite and PostgreSQL."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/nightmail.db"
    else:
        url = request.getfixturevalue("ready_postgres")
    with desk_at(url, tmp_path) as opened:
        yield opened
