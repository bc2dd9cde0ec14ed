import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import psycopg
import pytest
import redis as redis_client
from sqlalchemy import Engine, create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from tests.support import child_servers, servers

ROOT = Path(__file__).parents[2]


def _engine(url: str) -> Engine:
    return create_engine(url, poolclass=NullPool)


def _ask(url: str, question: str) -> list[object]:
    with _engine(url).connect() as connection:
        return list(connection.execute(text(question)).scalars())


@pytest.fixture
def killable_redis() -> Iterator[servers.Redis]:
    """A Redis that a test may kill."""
    with servers.own_redis() as server:
        yield server


def test_postgres_answers(postgres: str) -> None:
    """The database of a test is PostgreSQL, and is empty."""
    [version] = _ask(postgres, "select version()")

    assert str(version).startswith("PostgreSQL ")
    assert [0] == _ask(postgres, "select count(*) from pg_tables where schemaname = 'public'")


def test_postgres_promises_are_kept_on_disk(postgres: str) -> None:
    """PostgreSQL runs in tests with full durability."""
    assert ["on"] == _ask(postgres, "show fsync")
    assert ["on"] == _ask(postgres, "show synchronous_commit")
    assert ["on"] == _ask(postgres, "show full_page_writes")


def test_databases_are_copied_and_dropped(postgres_cluster: servers.Cluster) -> None:
    """A database made from a template has its rows, and is dropped afterwards."""
    with postgres_cluster.fresh_database() as url:
        with _engine(url).begin() as connection:
            connection.execute(text("create table moves as select 7 as number"))
        with postgres_cluster.fresh_database(template=url.rpartition("/")[2].split("?")[0]) as copy:
            assert [7] == _ask(copy, "select number from moves")

    with pytest.raises(OperationalError, match="does not exist"):
        _ask(url, "select 1")


def test_committed_rows_survive_a_kill(killable_postgres: servers.Postgres) -> None:
    """After kill -9 the server is gone; after a restart it has exactly the committed rows."""
    with killable_postgres.fresh_database() as url:
        with _engine(url).begin() as connection:
            connection.execute(text("create table moves (number int)"))
            connection.execute(text("insert into moves values (1)"))
        with closing(psycopg.connect(url.replace("+psycopg", ""))) as unfinished:
            unfinished.execute("insert into moves values (2)")
            assert killable_postgres.process is not None
            family = psutil.Process(killable_postgres.process.pid).children()
            killable_postgres.kill9()
        with pytest.raises(OperationalError):
            _ask(url, "select 1")

        assert len(family) > 2
        assert [] == [child for child in family if _alive(child.pid)]
        killable_postgres.start()
        assert [1] == _ask(url, "select number from moves")


def test_postgres_keeps_its_url(killable_postgres: servers.Postgres) -> None:
    """A restarted server has the same URLs."""
    killable_postgres.restart()

    assert [1] == _ask(killable_postgres.url(), "select 1")
    assert [2] == _ask(killable_postgres.tcp_url(), "select 2")


def test_loopback_wants_a_password(killable_postgres: servers.Postgres) -> None:
    """PostgreSQL refuses a TCP connection with a wrong password."""
    with pytest.raises(OperationalError, match="password authentication failed"):
        _ask(killable_postgres.tcp_url().replace(killable_postgres.password, "guess"), "select 1")


def test_servers_are_not_run_by_root(
    killable_postgres: servers.Postgres, killable_redis: servers.Redis
) -> None:
    """The servers do not run as root, even if the tests do."""
    for server in (killable_postgres, killable_redis):
        assert server.process is not None
        assert psutil.Process(server.process.pid).uids().real != 0


@pytest.mark.parametrize(
    "program",
    [servers.postgres_program(), servers.redis_program()],
    ids=["postgres", "redis"],
)
def test_programs_out_of_reach_are_copied(program: servers.Program | None, tmp_path: Path) -> None:
    """A server starts even if its user may not enter the folder of its wheel."""
    if program is None:
        pytest.skip("it has no wheel for this platform")
    tmp_path.chmod(0o700)
    hidden = [shutil.copytree(parcel, tmp_path / parcel.name) for parcel in program.parcels]
    path = tmp_path / program.path.relative_to(program.parcels[0].parent)
    kind = servers.Postgres if path.name == "postgres" else servers.Redis
    server = kind(servers.Program(path, tuple(hidden)))
    try:
        server.start()
        assert server.process is not None
        assert psutil.Process(server.process.pid).is_running()
    finally:
        server.close()


def test_redis_answers(redis: str) -> None:
    """The Redis server of a test answers, and is empty."""
    with redis_client.Redis.from_url(redis) as connection:
        assert connection.ping() is True
        assert 0 == connection.dbsize()
        connection.set("left", "behind")


def test_redis_is_empty_again(redis: str) -> None:
    """Redis is empty for every test, in whatever order the tests run."""
    test_redis_answers(redis)


def test_redis_forgets_when_killed(killable_redis: servers.Redis) -> None:
    """After kill -9 Redis is gone; after a start it answers and is empty."""
    with redis_client.Redis.from_url(killable_redis.url()) as connection:
        connection.set("a", "b")
    killable_redis.kill9()
    with redis_client.Redis.from_url(killable_redis.url()) as connection:
        with pytest.raises(redis_client.ConnectionError):
            connection.ping()
        killable_redis.start()
        assert 0 == connection.dbsize()


def test_redis_wants_a_password(redis: str) -> None:
    """Redis refuses a connection without the password."""
    if os.environ.get(servers.REDIS_URL):
        pytest.skip("the given server has rules of its own")
    with (
        redis_client.Redis.from_url(re.sub(":[^:]*@", "", redis)) as connection,
        pytest.raises(redis_client.AuthenticationError),
    ):
        connection.ping()


@pytest.mark.parametrize("kind", ["own_postgres", "own_redis"])
def test_nothing_outlives_a_killed_test_run(kind: str) -> None:
    """When a test run is killed with -9, its server ends and its folder disappears."""
    script = f"""if True:
        import os, signal
        from tests.support import servers
        with servers.{kind}() as server:
            print(server.process.pid, server.home, flush=True)
            os.kill(os.getpid(), signal.SIGKILL)"""
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    pid, home = run.stdout.split()

    end = time.monotonic() + 15
    while time.monotonic() < end and (Path(home).exists() or _alive(int(pid))):
        time.sleep(0.05)
    assert not Path(home).exists()
    assert not _alive(int(pid))


def _alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and not child_servers._over(psutil.Process(pid))


def test_closed_folder_is_gone() -> None:
    """Closing a server removes its folder and ends its janitor."""
    with servers.own_redis() as server:
        home, janitor = server.home, server._janitor
        assert home.exists()
        assert janitor.poll() is None

    assert not home.exists()
    assert janitor.poll() == 0


def test_given_servers_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A URL in the environment is used as it is, and its password is not shown."""
    monkeypatch.setenv(servers.POSTGRES_URL, "postgresql://me:hush@127.0.0.1:1/x?sslmode=disable")
    monkeypatch.setenv(servers.REDIS_URL, "redis://:hush@127.0.0.1:1/9")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw3")

    with servers.running_postgres() as cluster, servers.running_redis() as redis:
        assert "postgresql+psycopg://me:hush@127.0.0.1:1/y?sslmode=disable" == cluster.url("y")
        assert "redis://:hush@127.0.0.1:1/3" == redis
    assert "hush" not in servers.report()


def test_header_names_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The header of a test run names the servers and their versions."""
    for variable in (servers.POSTGRES_URL, servers.REDIS_URL):
        monkeypatch.delenv(variable, raising=False)

    assert re.fullmatch(r"postgres: \d+\.\S+, redis: (Redis|Valkey) \d+\.\S+", servers.report())


@pytest.mark.parametrize(("ci", "outcome"), [("true", "Failed"), ("", "Skipped")])
def test_missing_server(monkeypatch: pytest.MonkeyPatch, ci: str, outcome: str) -> None:
    """Without a server a test is skipped with advice; in CI it fails."""
    monkeypatch.setenv("CI", ci)
    monkeypatch.delenv(servers.POSTGRES_URL, raising=False)
    monkeypatch.setattr(servers, "postgres_program", lambda: None)

    with pytest.raises(BaseException, match=f"name one in {servers.POSTGRES_URL}") as raised:
        servers.running_postgres().__enter__()
    assert outcome == raised.type.__name__
