"""Wakes everyone who waits for a change, in this process and in others.

After a commit its topics are sent to the other processes (PostgreSQL), or they poll for changes
(SQLite). Notifications can be lost, so every few seconds a query compares fingerprints of what is
waited for and finds the changes that were missed.
"""

import secrets
import threading
import time

import structlog

from service.memory.waiters import Waiters
from store import fingerprints, listening
from store.database import Database
from store.errors import Away, StoreError
from store.fingerprints import Fingerprint
from store.listening import Listener

NET = 15.0
"""Seconds between two routine checks of the database."""
AGAIN = 1.0
"""Seconds before a lost connection is opened again."""
SHARE = 10
"""The pause after a look, as a multiple of the time it took, so that looks cost little."""
STOPPING = 3.0
"""Seconds that `stop` waits for each thread."""
_GAME, _ACCOUNT = "game:", "account:"

log = structlog.get_logger()


def of_game(game: str) -> str:
    """Return the topic of a game: moves, players who join or leave, messages."""
    return f"{_GAME}{game}"


def of_account(account: str) -> str:
    """Return the topic of an account: its decisions, games, messages, tokens and seats."""
    return f"{_ACCOUNT}{account}"


class News:
    """Publishes topics after the commit of a change.

    Any process may publish; processes with waiting clients also call `start`.
    """

    def __init__(self, waiters: Waiters, database: Database, direct_url: str | None = None) -> None:
        self._waiters = waiters
        sender = secrets.token_hex(8)
        url = direct_url or database.url.render_as_string(hide_password=False)
        self._teller = None if database.is_sqlite else _Teller(database, sender)
        self._hearing = _Hearing(waiters, database, url, sender)

    def publish(self, *topics: str) -> None:
        """Wake all waiters for these topics. Returns at once and never fails."""
        self._waiters.wake(*topics)
        if self._teller:
            self._teller.tell(*topics)

    def start(self) -> None:
        """Start the thread that listens to other processes."""
        self._hearing.start()

    def stop(self) -> None:
        """Send the pending topics, and stop listening."""
        self._hearing.stop()
        if self._teller:
            self._teller.stop()


class _Teller:
    """Sends topics to other processes, in a thread of its own.

    Topics that arrive while it is busy are merged: commits with NOTIFY wait for each other, so
    there are few of them, and none is part of a move's transaction.
    """

    def __init__(self, database: Database, sender: str) -> None:
        self._database = database
        self._sender = sender
        self._lock = threading.Lock()
        self._pending: set[str] = set()
        self._ready = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def tell(self, *topics: str) -> None:
        with self._lock:
            self._pending.update(topics)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="news out", daemon=True)
                self._thread.start()
        self._ready.set()

    def stop(self) -> None:
        self._stopping.set()
        self._ready.set()
        if self._thread:
            self._thread.join(STOPPING)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._ready.wait()
            self._ready.clear()
            if not self._has_sent():
                log.warning("cannot notify other processes; trying again")
                while not self._stopping.wait(AGAIN) and not self._has_sent():
                    pass
        self._has_sent()

    def _has_sent(self) -> bool:
        """Send all pending topics; keep them if the database is unavailable."""
        with self._lock:
            topics, self._pending = self._pending, set()
        try:
            if topics:
                with self._database.noting() as tx:
                    listening.tell(tx, self._sender, topics)
        except StoreError:
            with self._lock:
                self._pending |= topics
            return False
        return True


class _Hearing:
    """Wakes waiters after changes by other processes, in one thread for all waiters."""

    def __init__(self, waiters: Waiters, database: Database, url: str, sender: str) -> None:
        self._waiters = waiters
        self._database = database
        self._url = url
        self._sender = sender
        self._known: dict[str, Fingerprint] = {}
        self._next_look = 0.0
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="news in", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(STOPPING)

    def _run(self) -> None:
        was_lost = False
        while not self._stopping.is_set():
            try:
                with listening.listening(self._url, self._sender) as listener:
                    if was_lost:
                        self._waiters.wake_all()
                        log.info("listening for news again")
                    was_lost = False
                    self._hear(listener)
            except Away:
                if not was_lost:
                    log.warning("cannot listen for news; polling the database instead")
                was_lost = True
                self._look()
                self._stopping.wait(AGAIN)

    def _hear(self, listener: Listener) -> None:
        """Wake the waiters for every notification, until the connection is lost."""
        looked, has_changed = time.monotonic(), False
        while not self._stopping.is_set():
            changes = listener.hear()
            self._waiters.wake(*changes.topics)
            has_changed |= changes.has_changed
            now = time.monotonic()
            if (has_changed and now >= self._next_look) or now - looked > NET:
                self._look()
                looked, has_changed = time.monotonic(), False

    def _look(self) -> None:
        """Wake the waiters for topics whose fingerprint has changed, and for new topics."""
        topics, began = self._waiters.topics(), time.monotonic()
        try:
            current = self._fingerprints(topics)
        except StoreError:
            return  # the next look finds what this one missed
        before, self._known = self._known, current
        self._waiters.wake(*(topic for topic in topics if before.get(topic) != current[topic]))
        ended = time.monotonic()
        self._next_look = ended + SHARE * (ended - began)

    def _fingerprints(self, topics: list[str]) -> dict[str, Fingerprint]:
        if not topics:
            return {}
        games, accounts = _ids(topics, _GAME), _ids(topics, _ACCOUNT)
        with self._database.reading() as tx:
            of_games = fingerprints.of_games(tx, games)
            of_accounts = fingerprints.of_accounts(tx, accounts)
        by_topic = {of_game(id): fingerprint for id, fingerprint in of_games.items()}
        by_topic |= {of_account(id): fingerprint for id, fingerprint in of_accounts.items()}
        return by_topic


def _ids(topics: list[str], kind: str) -> list[str]:
    return [topic.removeprefix(kind) for topic in topics if topic.startswith(kind)]
