"""Comparing the connections that the service may need with what PostgreSQL allows."""

import psycopg
import pytest
from structlog.testing import CapturingLogger

from service import upkeep
from service.settings import Settings
from service.upkeep import OperatorError

KEYS = {"SECRET_KEYS": "k" * 32}


def _settings(url: str, **more: str) -> Settings:
    return Settings.of(KEYS | {"DATABASE_URL": url} | more)


def _limit(url: str, connections: int) -> None:
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        (name,) = connection.execute("SELECT current_database()").fetchone() or ("",)
        connection.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT {connections}')


def test_more_than_the_server_allows_is_refused(postgres: str) -> None:
    """Ten web processes that need 110 connections are refused if PostgreSQL allows 97."""
    with pytest.raises(OperatorError) as raised:
        upkeep.check_connections(_settings(postgres, WEB_WORKERS="10"))

    assert "need 110 connections, but PostgreSQL allows 97" in str(raised.value)
    assert "WEB_WORKERS" in str(raised.value)
    assert "DATABASE_POOL" in str(raised.value)


def test_the_limit_of_the_database_counts(postgres: str) -> None:
    """A connection limit of the database itself is respected."""
    _limit(postgres, 21)
    with pytest.raises(OperatorError, match="need 22 connections, but PostgreSQL allows 21"):
        upkeep.check_connections(_settings(postgres))


def test_little_room_for_other_processes_is_a_warning(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too few connections left for a worker, a clock and an inbox cause a warning."""
    log = CapturingLogger()
    monkeypatch.setattr(upkeep, "log", log)
    _limit(postgres, 52)
    upkeep.check_connections(_settings(postgres))
    assert [] == log.calls

    _limit(postgres, 51)
    upkeep.check_connections(_settings(postgres))
    assert [{"needed": 22, "allowed": 51}] == [call.kwargs for call in log.calls]


def test_a_pooler_has_limits_of_its_own(postgres: str) -> None:
    """Behind a connection pooler, and with SQLite, there is no check."""
    upkeep.check_connections(_settings(postgres, WEB_WORKERS="99", DATABASE_DIRECT_URL=postgres))
    upkeep.check_connections(Settings.of(KEYS | {"WEB_WORKERS": "99"}))


def test_a_database_that_is_away_stops_nobody() -> None:
    """The check passes if the database cannot be reached, so that a web process can start."""
    upkeep.check_connections(_settings("postgresql://me@127.0.0.1:1/n", WEB_WORKERS="99"))
