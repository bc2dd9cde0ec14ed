"""HTTP requests to foreign servers, with limits on addresses, time and bytes.

The name is resolved once, every address is checked, and the connection goes to one of them and
nowhere else. Redirects are not followed, and no proxy is used.
"""

import io
import logging
import socket
import ssl
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException, RemoteDisconnected
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.response import HTTPResponse

from service.notify.hook_targets import Target

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

DEADLINE = 15.0
"""Seconds for everything: name look-up, connection, TLS, request and response."""
MOST_BODY = 4096
"""Bytes of a response's body that are read by default; one more shows that it is longer."""
MOST_HEAD = 32 * 1024
"""Bytes of a response's headers that are read."""
MOST_ADDRESSES = 4
"""Addresses of one name that are tried."""
IDLE = 30.0
"""Seconds for which an idle connection is kept."""
OLDEST = 300.0
"""Seconds after which the name is resolved again, even if the connection is open."""
MOST_IDLE = 200
"""Idle connections that are kept."""
LOOK_UPS = 64
"""Names that may be resolved at once; each takes a thread, for as long as its server hangs."""

NOT_CALLED = "The address cannot be called."
"""For refused and unknown names alike, so that nobody learns the names of our network."""
NOT_REACHED = "The server could not be reached."
NOT_TRUSTED = "There was no secure connection to the server; check its certificate."
NO_ANSWER = "There was no complete answer within {:g} seconds."
BROKEN = "The answer was too long, or was not HTTP."

# It logs the URL of a response that it cannot read, and a URL may hold a secret.
logging.getLogger("urllib3").setLevel(logging.CRITICAL)

Address = tuple[socket.AddressFamily, Any]
Resolve = Callable[..., Sequence[tuple[Any, ...]]]


def anywhere(_: str) -> bool:
    """Allow every address, including those of this machine and its network."""
    return True


class Request(NamedTuple):
    """A request to a server."""

    method: str
    target: Target
    body: bytes
    headers: Mapping[str, str]


class Answer(NamedTuple):
    """The response of a server."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    is_whole: bool
    """Whether the body was short enough to be read to its end."""


class Unreached(Exception):
    """There was no response; the sentence says why, and nothing about our network."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class _Late(TimeoutError):
    """The time for the request is over."""


class _TooMuch(HTTPException):
    """The response is too long."""


class _Allowance:
    """The time and the bytes that are left to one request."""

    def __init__(self, seconds: float, most_body: int) -> None:
        self._ends = monotonic() + seconds
        self._bytes = MOST_HEAD + most_body

    def seconds(self) -> float:
        left = self._ends - monotonic()
        if left <= 0:
            raise _Late
        return left

    def take(self, read: int) -> None:
        self._bytes -= read
        if self._bytes < 0:
            raise _TooMuch


class _Bounded:
    """A socket whose reads and writes keep to the allowance of their request.

    A socket's own timeout starts again with each byte: a server that sends slowly would never end.
    """

    def __init__(self, real: socket.socket, allowance: _Allowance) -> None:
        self._real = real
        self.allowance = allowance

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            self._real.settimeout(self.allowance.seconds())
            rest = rest[self._real.send(rest) :]

    def makefile(self, *_: object) -> io.BufferedReader:
        return io.BufferedReader(_Reader(self._real, self.allowance), MOST_BODY)

    def settimeout(self, _: float | None) -> None:
        """Ignore it: the allowance sets the timeout."""

    def fileno(self) -> int:
        return self._real.fileno()

    def close(self) -> None:
        self._real.close()


class _Reader(io.RawIOBase):
    """Reads from a socket, within the allowance."""

    def __init__(self, real: socket.socket, allowance: _Allowance) -> None:
        self._real = real
        self._raw = real.makefile("rb", buffering=0)
        self._allowance = allowance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        self._real.settimeout(self._allowance.seconds())
        read = self._raw.readinto(buffer) or 0
        self._allowance.take(read)
        return read

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Pinned(HTTPConnection):
    """A connection to addresses that were checked; the name is used for TLS and `Host` only."""

    addresses: Sequence[Address]
    allowance: _Allowance
    _bounded: _Bounded | None = None

    def _new_conn(self) -> socket.socket:
        fault: OSError | None = None
        for tried, (family, address) in enumerate(self.addresses):
            sock = socket.socket(family, socket.SOCK_STREAM)
            try:
                # Each has its share of the time, or the first to hang would use it up.
                sock.settimeout(self.allowance.seconds() / (len(self.addresses) - tried))
                sock.connect(address)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                sock.settimeout(self.allowance.seconds())  # the whole handshake's, with TLS
            except OSError as error:
                sock.close()
                fault = error
            else:
                return sock
        raise fault or OSError("no address")

    def connect(self) -> None:
        super().connect()
        self.sock = self._bounded = _Bounded(self.sock, self.allowance)

    def begin(self, allowance: _Allowance) -> None:
        """Hold the next request to this allowance."""
        self.allowance = allowance
        if self._bounded is not None:
            self._bounded.allowance = allowance


class _Secure(_Pinned, HTTPSConnection):
    """The same with TLS."""


class _IdleConnection(NamedTuple):
    """An idle connection."""

    target: Target
    connection: _Pinned
    opened: float
    used: float


def _read(response: HTTPResponse, allowance: _Allowance, most: int) -> bytes:
    try:
        # Not decompressed: a small body may be a huge one.
        return response.read(most + 1, decode_content=False)
    except HTTPError:
        allowance.seconds()  # raises if it was a timeout
        raise


def _result(results: SimpleQueue[Sequence[Any]], allowance: _Allowance) -> Sequence[Any]:
    try:
        return results.get(timeout=allowance.seconds())
    except Empty:
        raise _Late from None


class Connector:
    """Sends requests, and keeps connections open for a while."""

    def __init__(
        self,
        judge: Callable[[str], bool],
        *,
        deadline: float = DEADLINE,
        most_body: int = MOST_BODY,
        tls: ssl.SSLContext | None = None,
        resolve: Resolve = socket.getaddrinfo,
    ) -> None:
        self._judge = judge
        self._deadline = deadline
        self._most_body = most_body
        self._tls = tls or ssl.create_default_context()
        self._resolve = resolve
        self._look_ups = threading.Semaphore(LOOK_UPS)
        self._lock = threading.Lock()
        self._idle: OrderedDict[str, _IdleConnection] = OrderedDict()

    def post(self, owner: str, target: Target, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send a POST request and read its response."""
        return self.send(owner, Request("POST", target, body, headers))

    def send(self, owner: str, request: Request) -> Answer:
        """Send a request and read its response; connections are not shared between owners."""
        allowance, target = _Allowance(self._deadline, self._most_body), request.target
        try:
            idle = self._take(owner, target)
            if idle is not None:
                try:
                    return self._exchange(owner, idle, allowance, request)
                except (RemoteDisconnected, ConnectionError):
                    pass  # it was closed while idle, so the request was not read
            return self._exchange(owner, self._fresh(target, allowance), allowance, request)
        except TimeoutError:
            raise Unreached(NO_ANSWER.format(self._deadline)) from None
        except ssl.SSLError:
            raise Unreached(NOT_TRUSTED) from None
        except RemoteDisconnected:
            raise Unreached(BROKEN) from None
        except OSError:
            raise Unreached(NOT_REACHED) from None
        except (HTTPException, HTTPError, ValueError):
            raise Unreached(BROKEN) from None

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            while self._idle:
                self._idle.popitem()[1].connection.close()

    def _exchange(
        self,
        owner: str,
        idle: _IdleConnection,
        allowance: _Allowance,
        request: Request,
    ) -> Answer:
        connection, most = idle.connection, self._most_body
        connection.begin(allowance)
        finished = False
        try:
            connection.request(
                request.method,
                idle.target.path,
                request.body or None,
                request.headers,
                preload_content=False,
            )
            response = connection.getresponse()
            read = _read(response, allowance, most)
            answer = Answer(response.status, response.headers, read[:most], len(read) <= most)
            finished = answer.is_whole and response.closed and not connection.is_closed
        finally:
            if not finished:
                connection.close()
        if finished:
            self._keep(owner, idle._replace(used=monotonic()))
        else:
            response.close()
        return answer

    def _fresh(self, target: Target, allowance: _Allowance) -> _IdleConnection:
        addresses = self._looked_up(target, allowance)
        connection = (
            _Secure(target.host, target.port, ssl_context=self._tls)
            if target.scheme == "https"
            else _Pinned(target.host, target.port)
        )
        connection.addresses = addresses
        return _IdleConnection(target, connection, monotonic(), monotonic())

    def _looked_up(self, target: Target, allowance: _Allowance) -> list[Address]:
        """Return the addresses of a name, if all of them may be called."""
        if not self._look_ups.acquire(timeout=allowance.seconds()):
            raise _Late
        results: SimpleQueue[Sequence[Any]] = SimpleQueue()

        def look_up() -> None:
            try:
                results.put(self._resolve(target.host, target.port, type=socket.SOCK_STREAM))
            except (OSError, UnicodeError):
                results.put(())
            finally:
                self._look_ups.release()

        # The resolver has no timeout, so it runs in a thread that may be left behind.
        threading.Thread(target=look_up, name="look-up", daemon=True).start()
        rows = _result(results, allowance)
        if not rows or not all(self._judge(row[4][0]) for row in rows):
            raise Unreached(NOT_CALLED)
        return [(row[0], row[4]) for row in rows[:MOST_ADDRESSES]]

    def _take(self, owner: str, target: Target) -> _IdleConnection | None:
        with self._lock:
            idle = self._idle.pop(owner, None)
        if idle is None:
            return None
        now = monotonic()
        fits = idle.target == target and now - idle.used < IDLE and now - idle.opened < OLDEST
        if fits and idle.connection.is_connected:  # and has sent nothing unasked
            return idle
        idle.connection.close()
        return None

    def _keep(self, owner: str, idle: _IdleConnection) -> None:
        with self._lock:
            before = self._idle.pop(owner, None)
            self._idle[owner] = idle
            oldest = self._idle.popitem(last=False)[1] if len(self._idle) > MOST_IDLE else None
        for dropped in (before, oldest):
            if dropped is not None:
                dropped.connection.close()
