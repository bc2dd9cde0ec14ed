"""Desk: what every use case works with."""

from collections.abc import Callable
from typing import NamedTuple

from service.bell import Bell
from service.doorbell import Doorbell, Elsewhere, Nobody
from service.pages import Pages
from service.positions import Positions
from service.settings import Settings
from store import clock
from store.database import Database


class Desk(NamedTuple):
    settings: Settings
    database: Database
    positions: Positions
    pages: Pages
    bell: Bell
    doorbell: Doorbell = Nobody()
    now: Callable[[], str] = clock.now
    """This moment, as it is stored; tests bring a clock of their own."""


def open_desk(settings: Settings) -> Desk:
    """Everything at hand, on the database that the settings name."""
    places = max(1, settings.web_threads * 3 // 4)  # the other threads answer at once
    doorbell = Elsewhere(settings.redis_url) if settings.redis_url else Nobody()
    return Desk(
        settings,
        Database(settings.database_url),
        Positions(),
        Pages(),
        Bell(places),
        doorbell,
    )
