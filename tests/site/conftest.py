"""One house for all visitors with a browser, and an empty one for each who needs it so."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from api.site import play
from service.desk import Desk
from tests.api.serving import fresh_app
from tests.site.visiting import House, open_house


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A service with its mail, on a socket."""
    with open_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with its tables and nothing in them: a copy is made quickly."""
    path = tmp_path_factory.mktemp("blank") / "nightmail.db"
    _, desk = fresh_app(f"sqlite:///{path}")
    desk.database.close()
    return path


@pytest.fixture
def app(tmp_path: Path, blank: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The application on a database of its own, where nobody plays for the house by himself."""
    monkeypatch.setattr(play, "PATIENCE", 0)
    path = shutil.copy(blank, tmp_path / "nightmail.db")
    made, desk = fresh_app(f"sqlite:///{path}")
    yield made
    desk.database.close()


@pytest.fixture
def desk(app: Flask) -> Desk:
    """Its desk."""
    found: Desk = app.extensions["nightmail"]
    return found
