"""Waking long polls in other processes, and polling for lost notifications."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import event, text, update

from service.desk import Desk
from service.memory import news as news_module
from service.memory.news import News, of_account, of_game
from service.memory.waiters import Waiters
from store import listening
from store.database import Database
from store.errors import Away
from store.games import games
from store.tables import games as games_table
from tests.promises.moves.test_numbering import GAME
from tests.service.conftest import desk_at
from tests.support.waiting import until

FIRST, OTHER = of_game("g"), of_game("h")


class Recorded(Waiters):
    """Waiters for these topics, which record the topics that they were woken for."""

    def __init__(self, *topics: str) -> None:
        super().__init__()
        self.woken: list[str] = []
        self.all_woken = 0
        self._waited = list(topics)

    def topics(self) -> list[str]:
        """The topics that are waited for."""
        return self._waited

    def wake(self, *topics: str) -> None:
        """Record these topics."""
        self.woken += topics

    def wake_all(self) -> None:
        """Count this call."""
        self.all_woken += 1


class Process:
    """The parts of another process: a connection pool, waiters and news."""

    def __init__(self, desk: Desk, *topics: str) -> None:
        self.database = Database(desk.database.url.render_as_string(hide_password=False))
        self.waiters = Recorded(*topics)
        self.news = News(self.waiters, self.database)

    def close(self) -> None:
        """Stop both threads."""
        self.news.stop()
        self.database.close()


@contextmanager
def _process(desk: Desk, *topics: str) -> Iterator[Process]:
    """Start a process that listens for news, and wait until it does."""
    process = Process(desk, *topics)
    process.news.start()
    try:
        _settle(desk, process)
        yield process
    finally:
        process.close()


def _settle(desk: Desk, process: Process) -> None:
    """Wait until a process listens for news; then clear what it has recorded."""
    if desk.database.is_sqlite:
        until(lambda: _is_woken_by_a_change(desk, process), "the first look")
    else:
        until(lambda: _listeners(desk) > 0, "somebody who listens")
    process.waiters.woken.clear()


def _is_woken_by_a_change(desk: Desk, process: Process) -> bool:
    _change(desk, "g")
    time.sleep(0.1)
    return FIRST in process.waiters.woken


def _listeners(desk: Desk) -> int:
    with desk.database.reading() as tx:
        query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'nightmail news'"
        return tx.scalar(text(f"{query} AND datname = current_database()")) or 0


def _change(desk: Desk, game: str) -> None:
    with desk.database.writing() as tx:
        tx.execute(
            update(games_table)
            .where(games_table.c.id == game)
            .values(changes=games_table.c.changes + 1)
        )


@pytest.fixture
def two_games(each_desk: Desk) -> Desk:
    """A desk on each kind of database, with the games g and h."""
    with each_desk.database.writing() as tx:
        for game in "gh":
            games.open_game(tx, GAME | {"id": game})
    return each_desk


@pytest.fixture
def postgres_desk(ready_postgres: str, tmp_path: Path) -> Iterator[Desk]:
    """A desk on PostgreSQL, where processes notify each other."""
    with desk_at(ready_postgres, tmp_path) as desk:
        yield desk


def test_publishing_wakes_this_process_at_once(each_desk: Desk) -> None:
    """Publishing wakes local waiters at once, without the threads of `News`."""
    process = Process(each_desk)
    process.news.publish(FIRST, of_account("a"))
    assert [FIRST, of_account("a")] == process.waiters.woken
    process.close()


def test_another_process_is_woken_within_a_second(two_games: Desk) -> None:
    """Publishing a topic wakes its waiters in another process, and no others."""
    publisher = Process(two_games)
    with _process(two_games, FIRST, OTHER) as waiting:
        until(lambda: _is_quiet(waiting), "a quiet moment")
        _change(two_games, "g")
        publisher.news.publish(FIRST)
        until(lambda: FIRST in waiting.waiters.woken, "the word", patience=1)
        assert OTHER not in waiting.waiters.woken
    publisher.close()


def _is_quiet(process: Process) -> bool:
    process.waiters.woken.clear()
    time.sleep(0.3)
    return not process.waiters.woken


def test_a_process_does_not_hear_itself(postgres_desk: Desk) -> None:
    """PostgreSQL: a process is not woken a second time by its own notification."""
    publisher = Process(postgres_desk)
    with _process(postgres_desk) as waiting:
        waiting.news.publish(FIRST)
        publisher.news.publish(OTHER)
        until(lambda: OTHER in waiting.waiters.woken, "the other's word")
        assert [FIRST, OTHER] == waiting.waiters.woken
    publisher.close()


def test_a_lost_word_is_found_by_the_net(two_games: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change without a notification is found by polling, and wakes only its own topic."""
    monkeypatch.setattr(news_module, "NET", 0.2)
    with _process(two_games, FIRST, OTHER) as waiting:
        if not two_games.database.is_sqlite:
            until(lambda: OTHER in waiting.waiters.woken, "the first look")
        until(lambda: _is_quiet(waiting), "a quiet moment")
        _change(two_games, "g")
        until(lambda: bool(waiting.waiters.woken), "the look")
        assert {FIRST} == set(waiting.waiters.woken)


def test_the_net_is_cast_every_quarter_of_a_minute() -> None:
    """The interval of polling for lost notifications is at most fifteen seconds."""
    assert news_module.NET <= 15


def test_after_a_lost_connection_everybody_is_woken(
    postgres_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL: after a lost connection the listener reconnects and wakes all waiters."""
    monkeypatch.setattr(news_module, "AGAIN", 0.05)
    publisher = Process(postgres_desk)
    with _process(postgres_desk, FIRST) as waiting:
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name"
        with postgres_desk.database.reading() as tx:
            tx.execute(text(f"{query} = 'nightmail news'"))
        until(lambda: waiting.waiters.all_woken == 1, "everybody to be woken")
        waiting.waiters.woken.clear()
        publisher.news.publish(OTHER)
        until(lambda: OTHER in waiting.waiters.woken, "a word on the new connection")
    publisher.close()


def test_words_wait_while_the_database_is_away(
    postgres_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL: notifications that cannot be sent are sent later, and publishing never fails."""
    monkeypatch.setattr(news_module, "AGAIN", 0.01)
    publisher, failures = Process(postgres_desk), iter(range(3))
    noting = publisher.database.noting

    def away() -> object:
        if next(failures, None) is not None:
            raise Away("not now")
        return noting()

    monkeypatch.setattr(publisher.database, "noting", away)
    with _process(postgres_desk) as waiting:
        publisher.news.publish(FIRST)
        until(lambda: FIRST in waiting.waiters.woken, "the word")
        assert next(failures, None) is None
    publisher.close()


def test_publishing_never_waits_for_the_database(
    each_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Publishing a thousand times takes less than a second, even if the database hangs."""
    publisher, goes_on = Process(each_desk), threading.Event()

    def slow() -> object:
        goes_on.wait(30)
        raise Away("too late")

    monkeypatch.setattr(publisher.database, "noting", slow)
    began = time.monotonic()
    for _ in range(1000):
        publisher.news.publish(FIRST)
    assert time.monotonic() - began < 1
    goes_on.set()
    publisher.close()


def test_what_was_published_last_is_told_before_the_stop(
    postgres_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL: a process that stops sends its pending notifications first."""
    publisher, is_telling, goes_on = Process(postgres_desk), threading.Event(), threading.Event()
    noting = publisher.database.noting

    def slow() -> object:
        is_telling.set()
        goes_on.wait(30)
        return noting()

    monkeypatch.setattr(publisher.database, "noting", slow)
    with _process(postgres_desk) as waiting:
        publisher.news.publish(FIRST)
        is_telling.wait(30)
        publisher.news.publish(OTHER)
        threading.Timer(0.2, goes_on.set).start()
        publisher.close()
        until(lambda: {FIRST, OTHER} == set(waiting.waiters.woken), "both topics")


def test_many_topics_are_merged_and_split(each_desk: Desk) -> None:
    """2000 topics are split into payloads of less than 8000 bytes, and all of them arrive."""
    topics = [of_game(f"{number:032}") for number in range(2000)]
    payloads = list(listening.payloads("me", topics))
    assert 10 <= len(payloads) <= 12
    assert all(len(payload.encode()) < 8000 for payload in payloads)
    assert topics == [topic for payload in payloads for topic in payload.split()[1:]]
    assert [] == list(listening.payloads("me", []))
    if each_desk.database.is_sqlite:
        return
    publisher = Process(each_desk)
    with _process(each_desk) as waiting:
        publisher.news.publish(*topics)
        until(lambda: set(topics) == set(waiting.waiters.woken), "all topics")
    publisher.close()


def test_waiting_asks_the_database_nothing(two_games: Desk) -> None:
    """While nothing happens, waiting borrows no connection from the pool."""
    with _process(two_games, FIRST, OTHER) as waiting:
        until(lambda: _is_quiet(waiting), "a quiet moment")
        statements: list[str] = []
        event.listen(
            waiting.database.engine.pool, "checkout", lambda *_: statements.append("borrowed")
        )
        time.sleep(1)
        assert [] == statements


def test_a_listener_uses_no_connection_of_the_pool(ready_postgres: str) -> None:
    """A listener has a session of its own, because LISTEN is state of the session."""
    with psycopg.connect(ready_postgres.replace("+psycopg", ""), autocommit=True) as watcher:
        with listening.listening(ready_postgres, "me"):
            sessions = (
                "SELECT query FROM pg_stat_activity"
                " WHERE application_name = %s AND datname = current_database()"
            )
            rows = watcher.execute(sessions, ["nightmail news"]).fetchall()
        assert [("LISTEN nightmail",)] == rows
