"""The desk: what a process opens from its settings, and closes again."""

from dataclasses import replace
from pathlib import Path

import pytest

from service.desk import Desk, open_desk
from service.memory.redis_wakeup import RedisWakeup
from service.memory.wakeup import NoWakeup
from service.settings import Settings
from store import timestamps
from store.errors import Away


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The settings of a process with a database file."""
    return Settings.of({"DATA_DIR": str(tmp_path), "DATABASE_POOL": "3"})


def test_a_desk_is_on_the_database_of_its_settings(settings: Settings, tmp_path: Path) -> None:
    """Its URL is theirs, and so is the size of its pool."""
    database = open_desk(settings).database

    assert f"{tmp_path}/nightmail.db" == database.url.database
    assert 3 == database.engine.pool.size()


def test_a_database_that_is_away_is_noticed_when_it_is_used(settings: Settings) -> None:
    """A desk can be opened while its database is away; a query then raises Away."""
    desk = open_desk(replace(settings, database_url="postgresql+psycopg://me@127.0.0.1:1/n"))

    with pytest.raises(Away), desk.database.reading():
        pass


def test_workers_are_woken_by_redis_if_there_is_one(settings: Settings) -> None:
    """Without REDIS_URL nobody is woken, and workers poll."""
    assert isinstance(open_desk(settings).wakeup, NoWakeup)
    with_redis = replace(settings, redis_url="redis://127.0.0.1:1")
    assert isinstance(open_desk(with_redis).wakeup, RedisWakeup)


def test_desks_share_no_memory(settings: Settings) -> None:
    """Each desk has caches of its own, as each process has."""
    first, other = open_desk(settings), open_desk(settings)
    first.response_cache.put("key", b"{}")

    assert b"{}" == first.response_cache.get("key")
    assert other.response_cache.get("key") is None


def test_a_desk_knows_the_time(settings: Settings) -> None:
    """Its clock is the real one, as timestamps are stored."""
    before, now, after = timestamps.now(), open_desk(settings).now(), timestamps.now()

    assert before <= now <= after


def test_a_closed_desk_holds_nothing(each_desk: Desk) -> None:
    """Closing it ends the thread that listens, and closes all connections."""
    each_desk.news.start()
    with each_desk.database.reading():
        pass
    assert 1 == each_desk.database.engine.pool.checkedin()
    each_desk.close()

    assert not each_desk.news._hearing._thread.is_alive()
    assert 0 == each_desk.database.engine.pool.checkedin()
