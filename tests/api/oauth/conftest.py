"""Fixtures: a service, a player and an app."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.oauth.playing_apps import PlayingApp, Service, open_service, player
from tests.site.visiting import Guest


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """An application with an empty database."""
    opened = open_service(f"sqlite:///{tmp_path}/nightmail.db")
    yield opened
    opened.desk.close()


@pytest.fixture
def ada(service: Service) -> Guest:
    """Ada, signed in with her browser."""
    return player(service)


@pytest.fixture
def board(service: Service) -> PlayingApp:
    """An app on the same machine."""
    return PlayingApp(service)
