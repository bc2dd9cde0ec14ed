"""Promise 1: a move that was answered 2xx survives kill -9 of any process, at once."""

import secrets
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import PoolProxiedConnection, text

from store import postgres as postgres_connections
from store.database import Database
from store.errors import StoreError
from store.games import games
from store.games.games import StoredMove
from store.pool import Pool
from store.sqlite import PRAGMAS
from tests.promises.moves.test_numbering import GAME
from tests.promises.support.database_checks import moves_of
from tests.promises.support.web_server import Web, open_database, running_web
from tests.promises.support.writers import Ack, Writers, check_whole
from tests.support.child_servers import Child
from tests.support.servers import Cluster, Postgres
from tests.support.waiting import until

WRITERS, BETWEEN = 6, 40


def _write_and_kill(web: Web, victims: Sequence[Child]) -> list[Ack]:
    """Kill and restart the victims in turn while writers write; returns the acknowledged moves."""
    writers = Writers(web, WRITERS)
    with writers.at_work():
        for victim in victims:
            writers.go_on(BETWEEN)
            victim.kill9()
            victim.start()  # type: ignore[attr-defined]  # all of ours can be started again
        writers.go_on(BETWEEN)
    assert len(writers.acks) >= (len(victims) + 1) * BETWEEN
    return writers.acks


def test_kills_with_sqlite(tmp_path: Path) -> None:
    """SQLite: after five kills of the server every acknowledged move is stored exactly once."""
    file = tmp_path / "nightmail.db"
    with running_web(f"sqlite:///{file}") as web:
        acks = _write_and_kill(web, [web] * 5)
        web.kill9()
    with sqlite3.connect(file) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    with open_database(f"sqlite:///{file}") as database:
        check_whole(database, acks)


def test_kills_with_postgres(killable_postgres: Postgres) -> None:
    """PostgreSQL: the same after kills of the database, all its processes, and the server."""
    with killable_postgres.fresh_database() as url, running_web(url) as web:
        acks = _write_and_kill(web, [killable_postgres, web] * 2 + [killable_postgres])
        web.kill9()
        with open_database(url) as database:
            check_whole(database, acks)


def test_lazy_commits_are_noticed(
    killable_postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: with synchronous_commit=off a kill loses acknowledged moves."""
    monkeypatch.setattr(postgres_connections, "DURABLE", postgres_connections.NOTED)
    with killable_postgres.fresh_database() as url:
        missing = 0
        for number in range(10):
            missing += _lost_in_a_kill(killable_postgres, url, f"game {number}")
            if missing:
                return
    raise AssertionError("nothing was lost in ten kills")


def _lost_in_a_kill(postgres: Postgres, url: str, game: str) -> int:
    with open_database(url) as database:
        with database.writing() as tx:
            games.open_game(tx, GAME | {"id": game})
        acks: list[int] = []
        thread = threading.Thread(target=_append, args=(database, game, acks))
        thread.start()
        until(lambda: len(acks) > 50, "fifty moves")
        postgres.kill9()
        thread.join()
        postgres.start()
    with open_database(url) as database:
        return len(set(acks) - {move.number for move in moves_of(database, game)})


def _append(database: Database, game: str, acks: list[int]) -> None:
    number = 0
    while True:
        key = secrets.token_bytes(16)
        row = StoredMove(number, None, number, number, key, None, None, "{}", b"")
        try:
            with database.writing() as tx:
                games.append(tx, game, [row], [], (number - 1, 0))
        except StoreError:
            return
        acks.append(number)
        number += 1


def test_every_connection_is_safe_with_sqlite(tmp_path: Path) -> None:
    """SQLite: every connection has WAL, synchronous FULL, foreign keys and 5 s of busy timeout."""
    expected = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    with open_database(f"sqlite:///{tmp_path}/nightmail.db") as database:
        for connection in _every_connection(database):
            settings = {name: _ask(connection, f"PRAGMA {name}") for name in PRAGMAS}
            assert expected == {name: settings[name] for name in expected}
            assert settings["busy_timeout"] >= 5000
        for _ in range(2):  # the same connection serves both kinds of transaction in turn
            with database.noting():
                pass
            with database.writing() as tx:
                assert 2 == tx.scalar(text("PRAGMA synchronous"))


def _every_connection(database: Database) -> Iterator[PoolProxiedConnection]:
    """All connections of a pool, open at the same time."""
    with ExitStack() as stack:
        for _ in range(Pool().size):
            yield stack.enter_context(closing(database.engine.raw_connection()))


def _ask(connection: PoolProxiedConnection, question: str) -> Any:
    cursor = connection.cursor()
    cursor.execute(question)
    return cursor.fetchone()[0]  # type: ignore[index]  # there always is a row


def test_notes_alone_do_not_wait_for_the_disk(tmp_path: Path, postgres_cluster: Cluster) -> None:
    """`noting` commits without waiting for the disk, `writing` waits for it."""
    with postgres_cluster.fresh_database() as url:
        for where, query, lasting, noted in (
            (f"sqlite:///{tmp_path}/nightmail.db", "PRAGMA synchronous", 2, 1),
            (url, "SHOW synchronous_commit", "on", "off"),
        ):
            with open_database(where) as database:
                with database.noting() as tx:
                    assert noted == tx.scalar(text(query))
                with database.writing() as tx:
                    assert lasting == tx.scalar(text(query))


def test_transactions_begin_with_the_lock(tmp_path: Path) -> None:
    """SQLite: a write transaction takes the lock at its start, so its reads cannot be outdated."""
    with open_database(f"sqlite:///{tmp_path}/nightmail.db") as database:
        rival = sqlite3.connect(f"{tmp_path}/nightmail.db", timeout=0)
        with database.writing(), pytest.raises(sqlite3.OperationalError, match="locked"):
            rival.execute("BEGIN IMMEDIATE")
        rival.close()


def test_every_connection_is_safe_with_postgres(postgres: str) -> None:
    """PostgreSQL: every connection commits synchronously, even if the database's default is off."""
    with psycopg.connect(postgres.replace("+psycopg", ""), autocommit=True) as connection:
        (name,) = connection.execute("SELECT current_database()").fetchone() or ("",)
        connection.execute(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    with open_database(postgres) as database, ExitStack() as stack:
        for _ in range(Pool().size):
            tx = stack.enter_context(database.engine.begin())
            assert "on" == tx.scalar(text("SHOW synchronous_commit"))
            assert "on" == tx.scalar(text("SHOW fsync"))
