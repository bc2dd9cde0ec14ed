"""A thread that answers those who ask again and again whether anything is new.

To hand a request from gunicorn's main thread to another and back takes longer than to see that
nothing is new, and threads that take turns in the middle of it double that. So connections on which
somebody asks again are watched by one thread, which answers there and then as long as there is
nothing new. It waits for no client, and everything else that is asked goes to the other threads.
"""

import re
import selectors
import socket
import time
from collections.abc import Callable
from contextvars import ContextVar
from threading import Lock, Thread
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from api.http.json_body import MOST_BYTES

PAUSE = 0.5
"""Seconds after which it looks at least for connections that have fallen silent."""
PEEKED = 2 * MOST_BYTES
"""Bytes that are looked at of what waits, enough for a head and a body."""
END = b"\r\n\r\n"
ASKS = re.compile(rb"get /v1/games/[a-z0-9_-]+ http/1\.[01]\r\n")
"""How a request for a game begins, in small letters."""
BODIES = (b"\r\nexpect:", b"\r\ncontent-length:", b"\r\ntransfer-encoding:")

Connection = Any
"""Gunicorn's, for which nobody has written types."""


class Later(Exception):
    """The answer takes more than a glance, so that another thread shall give it."""


class Look:
    """A request on the lookout, and what was found out about it there."""

    in_haste = True
    """Whether the lookout still has it."""
    found: Any = None


LOOK: ContextVar[Look | None] = ContextVar("look", default=None)
"""How the request in hand is looked at; None if it has never been on the lookout."""


def peeked(waiting: socket.socket) -> bytes:
    """The beginning of what waits to be read here."""
    try:
        return waiting.recv(PEEKED, socket.MSG_PEEK)
    except OSError:
        return b""


def asks_again(head: bytes) -> bool:
    """Whether this is one whole request for a game that its sender knows already."""
    said = head.lower()
    return (
        ASKS.match(said) is not None
        and b"\r\nif-none-match:" in said
        and said.find(END) == len(said) - len(END)
        and not any(name in said for name in BODIES)
    )


class Lookout:
    """Watches connections of one web process."""

    def __init__(self, worker: ThreadWorker) -> None:
        self._worker: Any = worker
        self._poller = selectors.DefaultSelector()
        self._lock = Lock()
        self._thread: Thread | None = None
        self._over = False
        self._looks: dict[Connection, Look] = {}

    def take(self, connection: Connection) -> None:
        """Watch a connection on which somebody asks again, from the main thread."""
        connection.set_timeout()
        with self._lock:
            if not self._over:
                self._poller.register(connection.sock, selectors.EVENT_READ, connection)
                if self._thread is None:
                    self._thread = Thread(target=self._watch, name="lookout", daemon=True)
                    self._thread.start()
                return
        self._worker.enqueue_req(connection)

    def look_of(self, connection: Connection) -> Look | None:
        """What was found out about the request that waits on a connection."""
        return self._looks.pop(connection, None)

    def _watch(self) -> None:
        swept = time.monotonic()
        try:
            while self._worker.alive:
                for key, _ in self._poller.select(PAUSE):
                    self._heed(key.data)
                if time.monotonic() - swept >= PAUSE:
                    swept = time.monotonic()
                    self._dismiss(before=swept)
        finally:
            with self._lock:
                self._over = True
            self._dismiss(before=float("inf"))

    def _heed(self, connection: Connection) -> None:
        """Answer what is asked on a connection if that takes a glance, or let others do it."""
        head = peeked(connection.sock)
        if not asks_again(head):
            self._give_back(connection, self._worker.wait_for)
            return
        look = Look()
        LOOK.set(look)
        try:
            keep = self._answered(connection)
        except Later:
            look.in_haste = False
            self._looks[connection] = look
            connection.parser.unreader.unread(head)
            connection.parser.mesg = None  # or the parser would take it for the last one
            self._give_back(connection, self._worker.let_in)
            return
        if not keep:
            self._give_back(connection, self._worker.see_out)
        elif connection.parser.unreader.buf.getvalue():  # more was asked meanwhile, and read
            self._give_back(connection, self._worker.go_on)
        else:
            connection.set_timeout()

    def _answered(self, connection: Connection) -> bool:
        """Whether a connection that has been answered, or could not be, may ask again."""
        request = None
        try:
            request = next(connection.parser)
            return bool(self._worker.handle_request(request, connection))
        except Later:
            raise
        except (OSError, StopIteration):  # it is gone, or does not read what it is told
            return False
        except Exception as error:  # noqa: BLE001  # gunicorn's threads do so, too
            self._worker.handle_error(request, connection.sock, connection.client, error)
            return False

    def _dismiss(self, before: float) -> None:
        """End connections that have been silent for too long; we may be late for some others."""
        with self._lock:
            watched = [key.data for key in self._poller.get_map().values()]
        for connection in watched:
            if connection.timeout < before:
                has_asked = peeked(connection.sock)
                self._give_back(
                    connection, self._worker.wait_for if has_asked else self._worker.part
                )

    def _give_back(self, connection: Connection, then: Callable[[Connection], None]) -> None:
        """Let the main thread do this with a connection that is no longer watched."""
        self._poller.unregister(connection.sock)
        self._worker.method_queue.defer(then, connection)
