"""Fixtures: one running server for browser tests, and an empty application for each other test."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from api.site import play
from service.desk import Desk
from tests.api.serving import fresh_app
from tests.site.visiting import House, free_names, open_house


@pytest.fixture(scope="session")
def running_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A running server that delivers mail into a folder; ask for `house`."""
    with open_house(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture
def house(running_house: House) -> House:
    """The running server, at which no name is taken."""
    free_names(running_house.desk)
    return running_house


@pytest.fixture(scope="session")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database with all tables, which is quick to copy."""
    path = tmp_path_factory.mktemp("blank") / "nightmail.db"
    _, desk = fresh_app(f"sqlite:///{path}")
    desk.close()
    return path


@pytest.fixture
def app(tmp_path: Path, blank: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """An application on its own database, without background workers."""
    monkeypatch.setattr(play, "PATIENCE", 0)
    path = shutil.copy(blank, tmp_path / "nightmail.db")
    made, desk = fresh_app(f"sqlite:///{path}")
    yield made
    desk.close()


@pytest.fixture
def desk(app: Flask) -> Desk:
    """The desk of the application."""
    desk: Desk = app.extensions["nightmail"]
    return desk
