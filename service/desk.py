"""Desk: what every use case works with."""

from collections.abc import Callable
from typing import NamedTuple

from service.memory.bell import Bell
from service.memory.positions import Positions
from service.memory.response_cache import Pages
from service.memory.wakeup import Doorbell, NoDoorbell
from service.settings import Settings
from store import timestamps
from store.database import Database
from store.errors import Away

__all__ = ["Away", "Desk", "open_desk"]


class Desk(NamedTuple):
    settings: Settings
    database: Database
    positions: Positions
    pages: Pages
    bell: Bell
    doorbell: Doorbell = NoDoorbell()
    now: Callable[[], str] = timestamps.now
    """This moment, as it is stored; tests bring a clock of their own."""


def open_desk(settings: Settings) -> Desk:
    """Everything at hand, on the database that the settings name."""
    places = max(1, settings.web_threads * 3 // 4)  # the other threads answer at once
    return Desk(
        settings,
        Database(settings.database_url),
        Positions(),
        Pages(),
        Bell(places),
        _doorbell(settings.redis_url),
    )


def _doorbell(redis_url: str | None) -> Doorbell:
    if redis_url is None:
        return NoDoorbell()
    from service.memory.redis_wakeup import RedisDoorbell  # noqa: PLC0415  # slow, and few have Redis

    return RedisDoorbell(redis_url)
