"""Gunicorn's main loop, in which nobody waits at the cost of others.

As it comes, gunicorn gives a thread to a connection before anything is asked there, lets that
thread wait for a request that comes in pieces, and waits in the main loop itself for whoever is to
leave: a few clients without manners keep everybody out. Here all of these wait in the poller, where
it costs nothing, and a thread gets requests that have come whole. Those of which nobody can tell
when they are whole share a few of the threads.
"""

import errno
import re
import selectors
import socket
import struct
import termios
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from enum import Enum
from fcntl import ioctl
from functools import partial
from typing import Any

from gunicorn.http.errors import LimitRequestHeaders, ParseException
from gunicorn.workers.gthread import ThreadWorker

from api.http.json_body import MOST_BYTES
from api.server.lookout import END, LOOK, Connection, Lookout, asks_again, peeked

SILENCE = 5.0
"""Seconds for a newcomer to begin, and for somebody to leave."""
PATIENCE = 30
"""Seconds for a request to come whole."""
ONE_WAIT = {socket.SO_RCVTIMEO: PATIENCE, socket.SO_SNDTIMEO: 10}
"""Seconds for a single read or write of a thread."""
UNREAD = 65_536
"""Bytes of earlier answers that somebody may leave unread, and still be as good as others."""
FAREWELL = 2.0
"""Seconds for all of that, when we stop."""
MOST_HEAD = 32_768
LEFTOVERS = 4 * MOST_BYTES
"""Bytes that are read of what somebody says after their last answer."""
OUT_OF_FILES = (errno.EMFILE, errno.ENFILE)
BREATH = 0.05
"""Seconds until somebody may have closed a file."""
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*0*(\d{1,6})[ \t]*\r\n", re.IGNORECASE)
ODD = re.compile(rb"\r\n(content-length|transfer-encoding|expect):", re.IGNORECASE)


class Arrival(Enum):
    """How much of a request has come."""

    GONE = "nothing, and nothing will"
    PART = "the poller tells when there is more"
    WHOLE = "a thread may have it"
    SLOW = "a thread has to find out, and may have to wait"
    ENDLESS = "nobody waits for the end of such a head"


def needed(said: bytes) -> int | None:
    """How many bytes a request that begins so has at least; None if that is hard to tell."""
    end = said.find(END)
    if end < 0:
        return len(said) + 1
    head = said[: end + len(END)]
    told, odd = LENGTH.search(head), ODD.findall(head)
    if not odd:
        return len(head)
    if told is None or len(odd) > 1 or int(told[1]) > MOST_BYTES:
        return None
    return len(head) + int(told[1])


def arrival(client: socket.socket, read: bytes) -> Arrival:
    """How much waits here, after what was read; the poller is told how much would be enough."""
    here = peeked(client)
    found = _arrival(client, read, here)
    if found is not Arrival.PART:
        _wake_at(client, 1)
    return found


def _arrival(client: socket.socket, read: bytes, here: bytes) -> Arrival:
    said = read + here
    least = needed(said)
    if not here:
        return Arrival.GONE
    if END not in said and len(said) >= MOST_HEAD:
        return Arrival.ENDLESS
    if least is None:
        return Arrival.SLOW
    if len(said) >= least:
        return Arrival.WHOLE
    if len(here) < _wakes_at(client):
        return Arrival.SLOW  # woken without more, we know that no more will come
    _wake_at(client, least - len(read))
    return Arrival.PART if _wakes_at(client) == least - len(read) else Arrival.SLOW


def _wakes_at(client: socket.socket) -> int:
    return client.getsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT)


def _wake_at(client: socket.socket, enough: int) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, enough)


class Doorway(ThreadWorker):
    """Lets requests in, and out whoever is done."""

    silence = SILENCE
    patience: float = PATIENCE

    def init_process(self) -> None:
        """Begin after the fork, for each process has a lookout of its own."""
        self.lookout = Lookout(self)
        self._slow: set[Connection] = set()
        """Those that have a thread, and may let it wait."""
        self._line: deque[Connection] = deque()
        """Those that wait for one of these to be done."""
        self._swept = 0.0
        super().init_process()

    @property
    def max_keepalived(self) -> int:
        """How many may be kept in the poller: all others need room, too, or nobody could come in.

        Whoever is on the lookout has a place already.
        """
        look = LOOK.get()
        others = 0 if look and look.in_haste else self.nr_conns - len(self.keepalived_conns)
        return self._room - others

    @max_keepalived.setter
    def max_keepalived(self, room: int) -> None:
        self._room = room

    def accept(self, listener: socket.socket) -> None:
        """Let somebody in, as soon as there is room for one more."""
        try:
            super().accept(listener)
        except OSError as error:
            if error.errno not in OUT_OF_FILES:
                raise
            self.log.warning("too many open files: %s connections", self.nr_conns)
            time.sleep(BREATH)

    def enqueue_req(self, conn: Connection) -> None:
        """Give a thread to a connection; on a new one somebody has to ask first."""
        if conn.initialized or conn.data_ready:
            super().enqueue_req(conn)
            return
        for way, seconds in ONE_WAIT.items():
            conn.sock.setsockopt(socket.SOL_SOCKET, way, struct.pack("ll", seconds, 0))
        self._hold(conn, self.on_pending_socket_readable, self.silence)

    def wait_for(self, conn: Connection) -> None:
        """Let a connection wait until all is there that is asked on it."""
        self._hold(conn, self.on_pending_socket_readable, self.patience)

    def let_in(self, conn: Connection, found: Arrival = Arrival.WHOLE) -> None:
        """Do with a connection what is right when so much has come."""
        conn.data_ready = True
        if found is Arrival.GONE:
            self.part(conn)
        elif found is Arrival.ENDLESS:
            error = LimitRequestHeaders("a head without an end")
            self.handle_error(None, conn.sock, conn.client, error)
            self.see_out(conn)
        elif found is Arrival.WHOLE and _unread(conn.sock) < UNREAD:
            self.enqueue_req(conn)
        else:
            conn.timeout = time.monotonic() + self.patience
            if len(self._slow) < max(1, self.cfg.threads // 4):
                self._slow.add(conn)
                self.enqueue_req(conn)
            else:
                self._line.append(conn)

    def go_on(self, conn: Connection) -> None:
        """Go on with a connection of which more was read than one request."""
        read = _read(conn)
        least = needed(read)
        if least is None:
            self.let_in(conn, Arrival.SLOW)
        elif len(read) >= least:
            self.let_in(conn)
        else:
            self.wait_for(conn)

    def on_pending_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        """Look whether a request has come whole meanwhile."""
        found = arrival(client, _read(conn))
        if found is not Arrival.PART:
            self._release(conn)
            self.let_in(conn, found)
        elif not conn.data_ready:
            conn.data_ready = True
            conn.timeout = time.monotonic() + self.patience

    def on_client_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        """Let the lookout have whoever asks again."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        if asks_again(peeked(client)):
            self.lookout.take(conn)
        elif (found := arrival(client, b"")) is Arrival.PART:
            self.wait_for(conn)
        else:
            self.let_in(conn, found)

    def handle(self, conn: Connection) -> Any:
        """Go on with what the lookout has found out about the request, if it had it."""
        LOOK.set(self.lookout.look_of(conn))
        return super().handle(conn)

    def _keepalive_after(self, conn: Connection, keepalive: bool) -> bool:  # noqa: FBT001  # gunicorn's signature
        """Whether a connection may be asked again; not if the rest of its request is broken.

        Gunicorn would answer that, although the request has been answered already.
        """
        try:
            return bool(super()._keepalive_after(conn, keepalive))  # type: ignore[misc]  # not in its types
        except (ParseException, OSError) as error:
            self.log.debug("the rest of a request is broken: %s", type(error).__name__)
            return False

    def finish_request(self, conn: Connection, fs: "Future[Any]") -> None:
        """See whoever is done to the door; what else becomes of a connection gunicorn knows."""
        if conn in self._slow:
            self._slow.remove(conn)
            if self._line:
                self.let_in(self._line.popleft(), Arrival.SLOW)
        if fs.cancelled() or fs.exception():
            super().finish_request(conn, fs)
        elif not (fs.result() and self.alive):
            self.see_out(conn)
        elif _read(conn):
            self.go_on(conn)
        else:
            super().finish_request(conn, fs)

    def see_out(self, conn: Connection) -> None:
        """End a connection, but not before the other side does: its last answer could be lost."""
        conn.left = LEFTOVERS
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.part(conn)
        else:
            self._hold(conn, self._leave, self.silence)

    def part(self, conn: Connection) -> None:
        """Close a connection without ado."""
        self.nr_conns -= 1
        conn.close()

    def murder_pending(self) -> None:
        """End what takes too long, which is less when we stop."""
        now = time.monotonic()
        if self.alive:
            if now - self._swept < 1:
                return
            self._swept = now
        is_over = now - self._swept > FAREWELL
        held: list[Connection] = list(self.pending_conns)
        for conn in held:
            if conn.timeout < now or is_over or not (self.alive or peeked(conn.sock)):
                self._release(conn)
                self.part(conn)
        for conn in self._slow:
            if conn.timeout < now or is_over:
                with suppress(OSError):  # it may be gone already
                    conn.sock.shutdown(socket.SHUT_RD)
        while self._line and (self._line[0].timeout < now or is_over):
            self.part(self._line.popleft())

    def _leave(self, conn: Connection, client: socket.socket) -> None:
        """Read what is said after the last answer, until they have closed their side."""
        try:
            read = len(client.recv(LEFTOVERS))
        except OSError:
            read = 0
        conn.left -= read
        if not read or conn.left <= 0:
            self._release(conn)
            self.part(conn)

    def _hold(
        self, conn: Connection, then: Callable[[Connection, socket.socket], None], seconds: float
    ) -> None:
        """Keep a connection for a while without a thread."""
        conn.sock.settimeout(0)
        conn.timeout = time.monotonic() + seconds
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(then, conn))

    def _release(self, conn: Connection) -> None:
        self.poller.unregister(conn.sock)
        self.pending_conns.remove(conn)


def _unread(client: socket.socket) -> int:
    """How many bytes of earlier answers the other side has not taken yet."""
    try:
        (found,) = struct.unpack("i", ioctl(client, termios.TIOCOUTQ, bytes(4)))
    except OSError:  # not every system can tell
        return 0
    return int(found)


def _read(conn: Connection) -> bytes:
    """What was read from a connection, and not looked at yet."""
    found: bytes = conn.parser.unreader.buf.getvalue() if conn.parser else b""
    return found
