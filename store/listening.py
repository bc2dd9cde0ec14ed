"""Detects commits of other processes: LISTEN with PostgreSQL, polling with SQLite."""

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple, Protocol

import psycopg
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url

from store.errors import Away

CHANNEL = "nightmail"
LONGEST = 7900
"""The most bytes in a payload; PostgreSQL allows fewer than 8000."""
LOOK_EVERY = 0.05
"""Seconds between two polls of SQLite's file."""
HEAR_FOR = 0.5
"""The longest wait for a notification of PostgreSQL, in seconds."""

_TELL = text("SELECT pg_notify(:channel, :payload)")


class Changes(NamedTuple):
    """The changes since the previous wait."""

    topics: frozenset[str] = frozenset()
    has_changed: bool = False
    """Whether anything has changed, if the topics are unknown (SQLite)."""


class Listener(Protocol):
    """An open connection that reports changes."""

    def hear(self) -> Changes:
        """Wait briefly for changes; raises Away when the connection is lost."""


def tell(tx: Connection, sender: str, topics: Iterable[str]) -> None:
    """Notify all listeners of these topics when this transaction commits (PostgreSQL)."""
    for payload in payloads(sender, topics):
        tx.execute(_TELL, {"channel": CHANNEL, "payload": payload})


def payloads(sender: str, topics: Iterable[str]) -> Iterator[str]:
    """Merge topics into as few payloads as possible."""
    payload = sender
    for topic in topics:
        if len(payload) + 1 + len(topic) > LONGEST:
            yield payload
            payload = sender
        payload += f" {topic}"
    if payload != sender:
        yield payload


@contextmanager
def listening(url: str, sender: str) -> Iterator[Listener]:
    """Listen to commits of others; notifications of this sender are ignored."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(parsed.database or "")) as file:
            yield _SqliteListener(file)
        return
    plain = parsed.set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        connection = psycopg.connect(
            plain,
            autocommit=True,
            connect_timeout=10,
            application_name="nightmail news",
            keepalives_idle=10,  # seconds; a server that vanishes is noticed in half a minute
            keepalives_interval=5,
            keepalives_count=3,
        )
        with connection:
            connection.execute(f"LISTEN {CHANNEL}")
            yield _PostgresListener(connection, sender)
    except psycopg.Error as error:
        raise Away(str(error)) from error


class _PostgresListener:
    def __init__(self, connection: "psycopg.Connection[tuple[object, ...]]", sender: str) -> None:
        self._connection = connection
        self._sender = sender

    def hear(self) -> Changes:
        topics: set[str] = set()
        for notify in self._connection.notifies(timeout=HEAR_FOR, stop_after=1):
            sender, *others = notify.payload.split()
            if sender != self._sender:
                topics.update(others)
        return Changes(frozenset(topics))


class _SqliteListener:
    def __init__(self, file: sqlite3.Connection) -> None:
        self._file = file
        self._version = self._data_version()

    def hear(self) -> Changes:
        time.sleep(LOOK_EVERY)
        before, self._version = self._version, self._data_version()
        return Changes(has_changed=self._version != before)

    def _data_version(self) -> int:
        """Return a number that changes with every commit of another connection."""
        try:
            (version,) = self._file.execute("PRAGMA data_version").fetchone()
        except sqlite3.Error as error:
            raise Away(str(error)) from error
        return int(version)
