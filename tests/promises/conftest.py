"""Servers and databases of both kinds, for the tests of the promises."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.promises.support.web_server import Web, running_web
from tests.support import servers


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database for one test, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/nightmail.db"
    url: str = request.getfixturevalue("postgres")
    return url


@pytest.fixture(scope="session")
def sqlite_web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A server on a SQLite file; tests use the fixture `web`."""
    with running_web(f"sqlite:///{tmp_path_factory.mktemp('web')}/nightmail.db") as web:
        yield web


@pytest.fixture(scope="session")
def postgres_web(postgres_cluster: servers.Cluster) -> Iterator[Web]:
    """A server of two processes on PostgreSQL; tests use the fixture `web`."""
    with postgres_cluster.fresh_database() as url, running_web(url) as web:
        yield web


@pytest.fixture(params=["sqlite", "postgres"])
def web(request: pytest.FixtureRequest) -> Web:
    """A running server on each database, shared with other tests: no test may kill it."""
    web: Web = request.getfixturevalue(f"{request.param}_web")
    return web
