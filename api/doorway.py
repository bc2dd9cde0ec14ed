"""Gunicorn's main loop, in which nobody waits at the cost of others.

As it comes, gunicorn gives a thread to a connection before anything is asked there, lets that
thread wait for a request that comes in pieces, and waits in the main loop itself for whoever is to
leave: a few clients without manners keep everybody out. Here all of these wait in the poller, where
it costs nothing, and a thread gets requests that have come whole.
"""

import re
import selectors
import socket
import struct
import time
from collections.abc import Callable
from concurrent.futures import Future
from enum import Enum
from functools import partial
from typing import Any

from gunicorn.http.errors import LimitRequestHeaders
from gunicorn.workers.gthread import ThreadWorker

from api.lookout import END, LOOK, Connection, Lookout, asks_again, over, peeked
from api.strict import MOST_BYTES

PATIENCE = 10
"""Seconds for a request to come whole, for somebody to leave, and for one read of a thread."""
LEFTOVERS = 4 * MOST_BYTES
"""Bytes that are read of what somebody says after their last answer."""
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,6})[ \t]*\r\n", re.IGNORECASE)
EXPECTS = re.compile(rb"\r\nexpect:", re.IGNORECASE)


class Asked(Enum):
    """How much of a request has come."""

    PART = "the poller tells when there is more"
    WHOLE = "a thread may have it"
    ENDLESS = "nobody waits for the end of such a head"


def asked(client: socket.socket, said: bytes) -> Asked:
    """How much this is; if it is not enough, the poller is told how much is."""
    end = said.find(END)
    if end < 0 and len(said) >= MOST_BYTES:
        return Asked.ENDLESS
    least = end + len(END) + _body(said, end) if end >= 0 else len(said) + 1
    # Woken although there is not more than before, we know that no more will come.
    if len(said) < least and len(said) >= _enough(client):
        _wake(client, least)
        if _enough(client) == least:
            return Asked.PART
    _wake(client, 1)
    return Asked.WHOLE


def _body(said: bytes, end: int) -> int:
    """How long a body we wait for; whoever sends a longer one, or wants a word first, does not."""
    head = said[: end + len(END)]
    told = LENGTH.search(head)
    if told is None or EXPECTS.search(head):
        return 0
    length = int(told[1])
    return length if length <= MOST_BYTES else 0


def _enough(client: socket.socket) -> int:
    return client.getsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT)


def _wake(client: socket.socket, enough: int) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, enough)


class Doorway(ThreadWorker):
    """Lets requests in, and out whoever is done."""

    patience: float = PATIENCE

    def init_process(self) -> None:
        """Begin after the fork, for each process has a lookout of its own."""
        self.lookout = Lookout(self)
        super().init_process()

    def enqueue_req(self, conn: Connection) -> None:
        """Give a thread to a connection; on a new one somebody has to ask first."""
        if conn.initialized or conn.data_ready:
            super().enqueue_req(conn)
            return
        for way in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            conn.sock.setsockopt(socket.SOL_SOCKET, way, struct.pack("ll", PATIENCE, 0))
        self.wait_for(conn)

    def wait_for(self, conn: Connection) -> None:
        """Let a connection wait until somebody has asked."""
        self._hold(conn, self.on_pending_socket_readable)

    def on_pending_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        """Look whether a request has come whole meanwhile."""
        found = asked(client, peeked(client))
        if found is not Asked.PART:
            self.poller.unregister(client)
            self.pending_conns.remove(conn)
            self._let_in(conn, found)

    def on_client_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        """Let the lookout have whoever asks again."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        said = peeked(client)
        if asks_again(said):
            self.lookout.take(conn)
        elif (found := asked(client, said)) is Asked.PART:
            self.wait_for(conn)
        else:
            self._let_in(conn, found)

    def _let_in(self, conn: Connection, found: Asked) -> None:
        if found is Asked.WHOLE:
            conn.data_ready = True
            self.enqueue_req(conn)
        else:
            self.handle_error(
                None, conn.sock, conn.client, LimitRequestHeaders("a head without an end")
            )
            self.finish_request(conn, over())

    def handle(self, conn: Connection) -> Any:
        """Go on with what the lookout has found out about the request, if it had it."""
        LOOK.set(self.lookout.look_at(conn))
        return super().handle(conn)

    def finish_request(self, conn: Connection, fs: "Future[Any]") -> None:
        """See whoever is done to the door; what else becomes of a connection gunicorn knows.

        When there are too many, the last ones are not kept, so that newcomers are always let in.
        """
        stays = self.alive and self.nr_conns <= self.max_keepalived
        if fs.cancelled() or fs.exception() or (fs.result() and stays):
            super().finish_request(conn, fs)
            return
        conn.left = LEFTOVERS
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.part(conn)
        else:
            self._hold(conn, self._see_out)

    def _see_out(self, conn: Connection, client: socket.socket) -> None:
        """Close when they have, lest their last answer be lost with what they say after it."""
        try:
            read = len(client.recv(LEFTOVERS))
        except OSError:
            read = 0
        conn.left -= read
        if read and conn.left > 0:
            return
        self.poller.unregister(client)
        self.pending_conns.remove(conn)
        self.part(conn)

    def part(self, conn: Connection) -> None:
        """Close a connection without ado."""
        self.nr_conns -= 1
        conn.close()

    def _hold(self, conn: Connection, then: Callable[[Connection, socket.socket], None]) -> None:
        """Keep a connection for a while without a thread; gunicorn closes it afterwards."""
        conn.sock.settimeout(0)
        conn.timeout = time.monotonic() + self.patience
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(then, conn))
