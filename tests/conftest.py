"""What any test may ask for: real servers, each started once per worker and when first wanted."""

from collections.abc import Iterator

import pytest
import redis as redis_client
from playwright.sync_api import Browser

import workers.channels  # noqa: F401  # registers the channels, as every process of ours does
from tests.support import databases, machine, servers
from tests.support.browser import running_browser


def pytest_configure() -> None:
    """Begin in an environment that is the same on every machine."""
    machine.forget()


def pytest_report_header() -> str:
    """The servers that the tests run on."""
    return servers.report()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let every worker begin with something long, or all would wait for one in the end."""
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    short = [item for item in items if not item.get_closest_marker("long")]
    long = [item for item in items if item.get_closest_marker("long")]
    left = len(items)
    items.clear()
    for worker in range(workers):
        share = left // (workers - worker)  # as pytest-xdist deals them out
        left -= share
        first = long[worker::workers]
        more = max(0, share - len(first))
        items += first + short[:more]
        del short[:more]
    items += short


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[servers.Cluster]:
    """A running PostgreSQL, in which a test makes databases."""
    with servers.running_postgres() as cluster:
        yield cluster


@pytest.fixture
def postgres(postgres_cluster: servers.Cluster) -> Iterator[str]:
    """The SQLAlchemy URL of an empty database of the test's own."""
    with postgres_cluster.fresh_database() as url:
        yield url


@pytest.fixture(scope="session")
def upgraded_postgres(postgres_cluster: servers.Cluster) -> Iterator[str]:
    """The URL of a database that is up to date; ask for `ready_postgres`, which is empty."""
    with postgres_cluster.fresh_database() as url:
        databases.upgrade(url)
        yield url


@pytest.fixture
def ready_postgres(upgraded_postgres: str) -> str:
    """The URL of a database that is up to date and empty; a test must not change its schema."""
    databases.empty(upgraded_postgres)
    return upgraded_postgres


@pytest.fixture(scope="session")
def killable_postgres_server() -> Iterator[servers.Postgres]:
    """A PostgreSQL that no other fixture uses; ask for `killable_postgres`."""
    with servers.own_postgres() as server:
        yield server


@pytest.fixture
def killable_postgres(killable_postgres_server: servers.Postgres) -> Iterator[servers.Postgres]:
    """A PostgreSQL that a test may kill; it runs again for the next."""
    yield killable_postgres_server
    if killable_postgres_server.process is None:
        killable_postgres_server.start()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a running Redis; ask for `redis`, which is empty."""
    with servers.running_redis() as url:
        yield url


@pytest.fixture
def redis(redis_url: str) -> str:
    """The URL of an empty Redis."""
    with redis_client.Redis.from_url(redis_url) as connection:
        connection.flushdb()
    return redis_url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real browser."""
    with running_browser() as opened:
        yield opened
