from collections.abc import Iterator
from pathlib import Path

import pytest

from store.database import Database


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty database, once on SQLite and once on PostgreSQL."""
    sqlite = f"sqlite:///{tmp_path}/nightmail.db"
    url = sqlite if request.param == "sqlite" else request.getfixturevalue("postgres")
    made = Database(url)
    yield made
    made.close()
