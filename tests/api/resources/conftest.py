"""Fixtures: a client, and a player."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.api.serving import fresh_app, newcomer


@pytest.fixture
def web(tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of an application with an empty database."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", OPEN_GAMES="1000")
    yield app.test_client()
    desk.close()


@pytest.fixture
def ada(web: FlaskClient) -> dict[str, str]:
    """Ada's token."""
    return newcomer(web, "Ada")[1]
