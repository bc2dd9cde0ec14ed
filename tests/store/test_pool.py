"""The connection pool of a process: its limit, its reserve for writers, and recovery."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import event, text

from store import pool as pool_module
from store.database import Database, Transaction
from store.errors import Away
from store.pool import Pool
from tests.support.servers import Postgres
from tests.support.waiting import until

QUERY = text("SELECT 1")


@pytest.fixture(params=["sqlite", "postgres"])
def small(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database with a pool of four connections, once on SQLite and once on PostgreSQL."""
    sqlite = f"sqlite:///{tmp_path}/nightmail.db"
    url = sqlite if request.param == "sqlite" else request.getfixturevalue("postgres")
    database = Database(url, Pool(4))
    yield database
    database.close()


@contextmanager
def _readers(database: Database, number: int) -> Iterator[None]:
    """Run threads that each hold a connection for reading until the block ends."""
    done, meet = threading.Event(), threading.Barrier(number + 1)

    def read() -> None:
        with database.reading() as tx:
            tx.scalar(QUERY)
            meet.wait(10)
            done.wait(30)

    with ThreadPoolExecutor(number) as threads:
        futures = [threads.submit(read) for _ in range(number)]
        try:
            meet.wait(10)
            yield
        finally:
            done.set()
        for future in futures:
            future.result()


def test_a_pool_opens_no_more_connections_than_its_size(small: Database) -> None:
    """Twenty threads share four connections, and all of them finish."""
    opened = []
    event.listen(small.engine, "connect", lambda *_: opened.append(1))

    def use(number: int) -> None:
        with (small.reading, small.writing, small.noting)[number % 3]() as tx:
            tx.scalar(QUERY)

    with ThreadPoolExecutor(20) as threads:
        list(threads.map(use, range(200)))
    assert 1 <= len(opened) <= 4


def test_readers_leave_a_connection_for_writers(
    small: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While readers hold all their connections, one more gets Away, but writers go on."""
    monkeypatch.setattr("store.database.PATIENCE", 0.05)
    with _readers(small, 3):
        with pytest.raises(Away), small.reading():
            pass
        for way in (small.writing, small.noting):
            with way() as tx:
                assert 1 == tx.scalar(QUERY)
    with small.reading() as tx:
        assert 1 == tx.scalar(QUERY)


def test_when_all_are_busy_the_database_is_away_and_heals(
    small: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exhausted pool raises Away, and works again when connections are returned."""
    monkeypatch.setattr(pool_module, "PATIENCE", 0.05)
    database = Database(small.url.render_as_string(hide_password=False), Pool(4))
    for _ in range(3):
        with ExitStack() as stack:
            for _ in range(4):
                stack.enter_context(database.engine.connect())
            with pytest.raises(Away), database.writing():
                pass
            with pytest.raises(Away), database.reading():
                pass
        with database.writing() as tx:
            assert 1 == tx.scalar(QUERY)
    database.close()


def test_inner_readers_use_the_connection_of_their_block(small: Database) -> None:
    """A nested reader uses the connection of its block, and sees what the block has written."""
    with small.writing() as tx:
        tx.execute(text("CREATE TABLE names (name TEXT)"))
        tx.execute(text("INSERT INTO names VALUES ('Ada')"))
        with small.reading() as inner:
            assert inner is tx
            assert "Ada" == inner.scalar(text("SELECT name FROM names"))
        with small.reading() as inner:
            assert inner is tx
    with small.reading() as outer, small.reading() as inner:
        assert inner is outer
    with small.reading() as outer:
        with small.writing() as tx:
            assert tx is not outer
        with small.reading() as inner:
            assert inner is outer


def test_an_error_undoes_everything_and_costs_no_connection(small: Database) -> None:
    """A failed transaction returns its connection to the pool, and stores nothing."""
    with small.writing() as tx:
        tx.execute(text("CREATE TABLE names (name TEXT)"))

    def fail(tx: Transaction) -> None:
        tx.execute(text("INSERT INTO names VALUES ('Ada')"))
        raise ZeroDivisionError

    for way in (small.writing, small.noting) * 5:
        with pytest.raises(ZeroDivisionError), way() as tx:
            fail(tx)
    with small.reading() as tx:
        assert 0 == tx.scalar(text("SELECT count(*) FROM names"))


def test_an_old_connection_is_replaced_when_it_is_borrowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection past its lifetime is replaced by a new one when it is borrowed."""
    monkeypatch.setattr(pool_module, "LIFETIME", 0)
    database = Database(f"sqlite:///{tmp_path}/nightmail.db")
    opened = []
    event.listen(database.engine, "connect", lambda *_: opened.append(1))
    for _ in range(3):
        with database.reading() as tx:
            tx.scalar(QUERY)
    database.close()
    assert len(opened) >= 3


def test_the_server_closes_idle_connections(postgres: str) -> None:
    """Connections set PostgreSQL's timeouts for idle sessions, locks and statements."""
    database = Database(postgres)
    with database.reading() as tx:
        assert "10min" == tx.scalar(text("SHOW idle_session_timeout"))
        assert "10s" == tx.scalar(text("SHOW lock_timeout"))
        assert "30s" == tx.scalar(text("SHOW statement_timeout"))
    database.close()


def test_a_full_server_is_away_and_heals(killable_postgres: Postgres) -> None:
    """Writing raises Away while others hold all connections of the server, and then recovers."""
    with killable_postgres.fresh_database() as url:
        database = Database(killable_postgres.tcp_url(url.split("/")[-1].split("?")[0]))
        plain = killable_postgres.tcp_url().replace("+psycopg", "")
        with ExitStack() as stack:
            for _ in range(200):
                try:
                    stack.enter_context(psycopg.connect(plain))
                except psycopg.OperationalError:
                    break
            for _ in range(Pool().size + 1):
                with pytest.raises(Away), database.writing():
                    pass

        def is_back() -> bool:
            try:
                with database.writing() as tx:
                    return bool(tx.scalar(QUERY))
            except Away:
                return False

        until(is_back, "the server to have room")
        database.close()


@pytest.mark.parametrize("begins", ["before", "after"])
def test_a_thread_that_outlives_the_pool_leaves_no_connection_open(
    small: Database, begins: str
) -> None:
    """A connection in use while the pool is closed, or borrowed later, is closed when returned."""
    borrowed, closed = [], []
    event.listen(small.engine, "checkout", lambda connection, *_: borrowed.append(connection))
    event.listen(small.engine, "close", lambda connection, _: closed.append(connection))
    if begins == "after":
        small.close()
    with small.reading() as tx:
        small.close()
        assert 1 == tx.scalar(QUERY)
        assert [] == closed

    assert 1 == len(borrowed)
    assert borrowed == closed
