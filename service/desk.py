"""The desk: settings, database and memory, which every use case works with."""

from collections.abc import Callable
from typing import NamedTuple

from prometheus_client import Counter

from service.memory.move_counter import new_move_counter
from service.memory.news import News
from service.memory.positions import Positions
from service.memory.response_cache import ResponseCache
from service.memory.waiters import Waiters
from service.memory.wakeup import NoWakeup, Wakeup
from service.settings import Settings
from store import timestamps
from store.database import Database
from store.errors import Away, StoreError
from store.pool import Pool

__all__ = ["Away", "Desk", "StoreError", "open_desk"]


class Desk(NamedTuple):
    """What a use case works with; every process has one."""

    settings: Settings
    database: Database
    positions: Positions
    response_cache: ResponseCache
    waiters: Waiters
    news: News
    move_counter: Counter
    wakeup: Wakeup = NoWakeup()
    now: Callable[[], str] = timestamps.now
    """Returns the current time in the stored format; tests replace it."""

    def close(self) -> None:
        """Stop sending and receiving news, and close all connections to the database."""
        self.news.stop()
        self.database.close()


def open_desk(settings: Settings) -> Desk:
    """Return a desk on the database that the settings name."""
    waiters, database = Waiters(), open_database(settings)
    return Desk(
        settings,
        database,
        Positions(),
        ResponseCache(),
        waiters,
        News(waiters, database, settings.database_direct_url),
        new_move_counter(),
        _wakeup(settings.redis_url),
    )


def open_database(settings: Settings) -> Database:
    """Return the database that the settings name, with a pool of this process's own."""
    pool = Pool(settings.database_pool, behind_pooler=settings.database_direct_url is not None)
    return Database(settings.database_url, pool)


def _wakeup(redis_url: str | None) -> Wakeup:
    if redis_url is None:
        return NoWakeup()
    from service.memory.redis_wakeup import RedisWakeup  # noqa: PLC0415  # slow to import, and few use Redis

    return RedisWakeup(redis_url)
