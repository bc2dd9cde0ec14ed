"""Slow, silent, greedy and broken clients do not affect the others."""

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import psutil
import pytest

from api.server import bodies
from tests.api.lines import Line, get, posted
from tests.promises.support.web_server import Web, running_web, served_here
from tests.support.waiting import until

CROWD = 40
"""Far more connections than there are threads."""
SOON = 4.0
"""Seconds within which a well-behaved client gets its response, whatever the others do."""
WRONG = posted(b'{"name": 1}')
"""A request that gets 400 once it is complete, and changes nothing."""
LARGE = "/docs/files/docs/swagger-ui-bundle.js"
CHUNKED = WRONG.split(b"Content-Length")[0] + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A server of its own."""
    with running_web(f"sqlite:///{tmp_path_factory.mktemp('rude')}/n.db") as server:
        yield server


@pytest.fixture
def crowd(web: Web) -> Iterator[list[Line]]:
    """Many open connections."""
    with ExitStack() as stack:
        yield [stack.enter_context(Line(web.port)) for _ in range(CROWD)]


def is_open(port: int) -> bool:
    """Whether a well-behaved client gets a response soon, on a new connection and a kept one."""
    with Line(port, SOON) as line:
        return [400, 200] == [line.ask(request).status for request in (WRONG, get("/healthz"))]


HALVES = {
    "nothing": b"",
    "half a head": WRONG[:30],
    "half a body": WRONG[:-1],
    "one and a bit": WRONG + b"G",
    "chunks": CHUNKED + b"4\r\n{",
    "a large body": posted(b"x" * 1_000_000)[:-1],
    "a body after a word": WRONG.replace(b"Host: x", b"Host: x\r\nExpect: 100-continue")[:-11],
}


@pytest.mark.parametrize("raw_request", HALVES.values(), ids=HALVES)
def test_half_requests_keep_nobody_out(crowd: list[Line], web: Web, raw_request: bytes) -> None:
    """Incomplete requests do not keep other clients out."""
    for line in crowd:
        line.sock.sendall(raw_request)
    assert is_open(web.port)


def test_a_request_in_pieces_is_answered_when_it_is_whole(crowd: list[Line], web: Web) -> None:
    """A request sent in pieces is answered once it is complete, also on a kept connection."""
    for _ in range(2):
        for piece in (WRONG[:9], WRONG[9:-3], WRONG[-3:-1]):
            for line in crowd:
                line.sock.sendall(piece)
            assert is_open(web.port)
        assert {400} == {line.ask(WRONG[-1:]).status for line in crowd}


def test_clients_that_do_not_read_keep_nobody_out(crowd: list[Line], web: Web) -> None:
    """Clients that do not read their large responses do not occupy threads."""
    for line in crowd:
        line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sock.sendall(get(LARGE) * 20)
    for _ in range(5):
        assert is_open(web.port)


def test_requests_that_come_together_are_answered_in_order(web: Web) -> None:
    """Pipelined requests are answered in order, however long each takes."""
    with Line(web.port) as line:
        line.sock.sendall(get(LARGE) + WRONG + get("/healthz") + get("/nowhere"))
        assert [200, 400, 200, 404] == [line.hear().status for _ in range(4)]


def test_a_client_that_wants_a_word_first_gets_it(web: Web) -> None:
    """`Expect: 100-continue` gets 100 before the body, or 413 if the body is too large."""
    request = WRONG.replace(b"Host: x", b"Host: x\r\nExpect: 100-continue")
    with Line(web.port) as line:
        assert 100 == line.ask(request[:-11]).status
        assert 400 == line.ask(request[-11:]).status
    with Line(web.port) as line:
        assert 413 == line.ask(request[:-11].replace(b"Length: 11", b"Length: 99999999")).status


@pytest.mark.parametrize("size", [70_000, 1_000_000, 1_100_000])
def test_a_body_that_is_too_large_is_refused(web: Web, size: int) -> None:
    """A body that is too large gets 413, with a Content-Length or in chunks."""
    with Line(web.port) as line:
        assert 413 == line.ask(posted(b"x" * size)).status
    with Line(web.port) as line, suppress(ConnectionError):
        line.sock.sendall(CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (size, b"x" * size))
        assert 413 == line.hear().status
    assert is_open(web.port)


NOT_HTTP = {
    "a long line": get(f"/{'x' * 2_000_000}"),
    "no header": get("/healthz", "no header"),
    "two lengths": WRONG.replace(b"Length: 11", b"Length: 11\r\nContent-Length: 12"),
    "no number": WRONG.replace(b"Length: 11", b"Length: -1"),
    "a broken chunk": CHUNKED + b"zz\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 30,
    "bytes in the path": get("/nowhere").replace(b"nowhere", b"\xff\xfe"),
}


@pytest.mark.parametrize("raw_request", NOT_HTTP.values(), ids=NOT_HTTP)
def test_what_is_hardly_http_is_refused(web: Web, raw_request: bytes) -> None:
    """Malformed HTTP gets 400 or no response, and the connection is closed."""
    with Line(web.port, SOON) as line:
        with suppress(ConnectionError):
            line.sock.sendall(raw_request)
        assert line.rest()[9:12] in (b"400", b"")
    assert is_open(web.port)


NOISE = [
    *(
        WRONG,
        posted(b"x" * 30_000),
        get("/healthz"),
        get(LARGE),
        get("/nowhere"),
        WRONG[:30],
    ),
    *(b"\r\n", b"\r\n\r\n", b"\0", b"x" * 5000, b"GET / HTTP/1.1\r\n", b"PRI * HTTP/2.0\r\n\r\n"),
    *NOT_HTTP.values(),
]


def test_noise_keeps_nobody_out(web: Web) -> None:
    """Random input, cut and aborted anywhere, neither stops the server nor leaks connections."""
    assert web.process is not None
    server = psutil.Process(web.process.pid)
    files, luck = server.num_fds(), Random(1)
    for _ in range(200):
        with Line(web.port, SOON) as line:
            noise = b"".join(luck.choices(NOISE, k=luck.randint(1, 6)))
            cut = luck.randrange(len(noise) + 1)
            for piece in (noise[:cut], noise[cut:]):
                with suppress(ConnectionError):
                    line.sock.sendall(piece)
            if luck.random() < 0.3:
                line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    assert is_open(web.port)
    until(lambda: server.num_fds() <= files, "all connections are closed")
    assert "Traceback" not in web.log()


def test_too_many_connections_are_refused(tmp_path: Path) -> None:
    """Connections beyond WEB_CONNECTIONS get 503 until others have closed."""
    with running_web(f"sqlite:///{tmp_path}/n.db", WEB_CONNECTIONS="20") as web:
        with ExitStack() as stack:
            for _ in range(30):
                stack.enter_context(Line(web.port))
            with Line(web.port, SOON) as line:
                assert 503 == line.ask(get("/healthz")).status
        until(lambda: is_open(web.port), "it is open again")


def test_a_slow_body_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that takes too long gets 400, and the connection is closed."""
    monkeypatch.setattr(bodies, "SECONDS", 0.3)
    with served_here(f"sqlite:///{tmp_path}/n.db") as here:
        for request in (WRONG[:-1], CHUNKED + b"4\r\n{"):
            with Line(here.port, SOON) as line:
                response = line.ask(request)
                assert (400, "close", b"") == (
                    response.status,
                    response.headers["Connection"],
                    line.rest(),
                )


def test_a_header_cannot_pose_as_another(tmp_path: Path) -> None:
    """Headers with underscores are dropped, because WSGI cannot tell them from hyphens."""
    with running_web(f"sqlite:///{tmp_path}/n.db", TRUSTED_PROXIES="1") as web:
        for name, status in (("X_Forwarded_For", 200), ("X-Forwarded-For", 404)):
            request = get("/metrics", f"{name}: 203.0.113.9").replace(
                b"Host: x", b"Host: 127.0.0.1"
            )
            with Line(web.port) as line:
                assert status == line.ask(request).status
