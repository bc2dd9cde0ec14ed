"""Fixtures: tables with links to their pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.inviting import Tables
from tests.support.mail_links import Place, placed


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A game of two players on the USA board."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db") as opened:
        yield opened


@pytest.fixture
def tunnels(tmp_path: Path) -> Iterator[Place]:
    """A game of two players in Europe, after the opening."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db", board="europe") as opened:
        opened.past_tickets()
        yield opened


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Ada's table with free seats."""
    opened = Tables(f"sqlite:///{tmp_path}/nightmail.db")
    yield opened
    opened.desk.close()


@pytest.fixture(params=["sqlite", "postgres"])
def each(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Tables]:
    """Ada's table on either database."""
    url = f"sqlite:///{tmp_path}/nightmail.db"
    opened = Tables(url if request.param == "sqlite" else request.getfixturevalue("ready_postgres"))
    yield opened
    opened.desk.close()
