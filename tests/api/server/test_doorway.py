"""The doorway: clients without manners keep nobody out."""

import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from random import Random

import pytest

from tests.api.lines import POST, Line, again, posted
from tests.api.watched import Manners, Watched, watched
from tests.support.waiting import until

CROWD = 40
"""More than there are threads."""
FILES = 60
SOON = 4.0
"""Seconds: less than gunicorn, or we, would wait for anybody."""


@pytest.fixture
def crowd(server: Watched) -> Iterator[list[Line]]:
    """More connections than there are threads."""
    with ExitStack() as stack:
        yield [stack.enter_context(Line(server.port)) for _ in range(CROWD)]


def is_open(server: Watched) -> bool:
    """Whether somebody with manners is let in."""
    with Line(server.port, SOON) as line:
        return [200, 200] == [line.ask(POST).status for _ in range(2)]


@pytest.mark.parametrize("said", [again("same"), POST, posted(b"x" * 60_000)])
@pytest.mark.parametrize("kept", [False, True])
def test_a_request_in_pieces_keeps_nobody_out(
    crowd: list[Line], server: Watched, said: bytes, *, kept: bool
) -> None:
    """It is answered when it is whole, on a new connection or on one that was kept."""
    if kept:
        assert {200} == {line.ask(POST).status for line in crowd}
    for piece in (said[:9], said[9:-3], said[-3:-1]):
        for line in crowd:
            line.sock.sendall(piece)
        assert is_open(server)
    status = 304 if said == again("same") else 200
    assert {status} == {line.ask(said[-1:]).status for line in crowd}
    assert {200} == {line.ask(POST).status for line in crowd}


HALVES = {
    "nothing": b"",
    "half a body": POST[:-1],
    "one and a bit": POST + b"G",
    "a word first": POST.replace(b"Host: x", b"Host: x\r\nExpect: 100-continue")[:-4],
    "chunks": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nmo",
    "zeros": POST.replace(b"Length: ", b"Length: 0000000")[:-1],
    "long": posted(b"x" * 100_000)[:-1],
}


@pytest.mark.parametrize("said", HALVES.values(), ids=HALVES)
def test_whoever_does_not_ask_keeps_nobody_out(said: bytes) -> None:
    """They are let go by and by."""
    with watched(Manners(silence=1, patience=2)) as server, ExitStack() as stack:
        crowd = [stack.enter_context(Line(server.port)) for _ in range(CROWD)]
        for line in crowd:
            line.sock.sendall(said)
        assert is_open(server)
        crowd[0].rest()
        assert is_open(server)


@pytest.mark.parametrize("kind", ["a word first", "chunks", "long"])
def test_slow_ones_are_answered_in_their_turn(
    crowd: list[Line], server: Watched, kind: str
) -> None:
    """When the rest comes, however many they are."""
    rest = {"a word first": b"move", "chunks": b"ve\r\n0\r\n\r\n", "long": b"x"}[kind]
    for line in crowd:
        line.sock.sendall(HALVES[kind])
    assert is_open(server)
    for line in crowd:
        line.sock.sendall(rest)
    told = [line.hear() for line in crowd]
    if kind == "a word first":
        assert {100} == {one.status for one in told}
        told = [line.hear() for line in crowd]
    assert {(200, len(told[0].body))} == {(one.status, len(one.body)) for one in told}


def test_drops_keep_a_thread_for_a_while() -> None:
    """As long as a request may take, and not for ever."""
    with (
        watched(Manners(patience=1)) as server,
        Line(server.port) as line,
        suppress(ConnectionError),
    ):
        line.sock.sendall(posted(b"x" * 100_000)[:-1000])
        line.sock.settimeout(0.1)
        for _ in range(100):
            line.sock.sendall(b"x")
            with suppress(TimeoutError):
                line.sock.recv(1)  # whatever becomes of half a body
                return
        pytest.fail("somebody has all the time of the world")


def test_whoever_does_not_read_keeps_nobody_out(crowd: list[Line], server: Watched) -> None:
    """Who asks on, and leaves the answers lying, shares a few of the threads."""
    asked = again("new").replace(b"If-None-Match", b"X-Nothing")
    for line in crowd:
        line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.sock.sendall(asked * 20)
    for _ in range(5):
        assert is_open(server)


def test_a_broken_body_is_answered_once(server: Watched) -> None:
    """Also if nobody has read it."""
    body = b"Host: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
    with Line(server.port) as line:
        assert 304 == line.ask(b"POST /same HTTP/1.1\r\n" + body).status
        assert b"" == line.rest()


def test_whoever_has_begun_may_take_longer() -> None:
    """Than somebody who says nothing."""
    with (
        watched(Manners(silence=1)) as server,
        Line(server.port) as slow,
        Line(server.port) as silent,
    ):
        slow.sock.sendall(POST[:9])
        assert b"" == silent.rest()
        assert 200 == slow.ask(POST[9:]).status


def test_too_many_files_are_survived() -> None:
    """Nobody is let in until somebody has left, and the same process goes on."""
    with watched(Manners(kept=1000, files=FILES)) as server:
        worker = server.worker
        with ExitStack() as stack:
            crowd = [stack.enter_context(Line(server.port)) for _ in range(2 * FILES)]
            until(lambda: worker.num_fds() == FILES, "all its files are open")
            assert 200 == crowd[0].ask(POST).status
        assert is_open(server)
        assert worker == server.worker


LEAVING = {
    "nothing": b"",
    "half a head": POST[:9],
    "half in chunks": HALVES["chunks"],
    "no leave": POST.replace(b"Host: x", b"Connection: close"),
}


@pytest.mark.parametrize("said", LEAVING.values(), ids=LEAVING)
def test_a_server_that_stops_does_not_wait_for_long(said: bytes) -> None:
    """Neither for who does not ask nor for who does not leave."""
    with watched(Manners(silence=60, patience=60)) as server, ExitStack() as stack:
        for _ in range(CROWD):
            stack.enter_context(Line(server.port)).sock.sendall(said)
        assert is_open(server)
        assert server.process is not None
        server.process.terminate()
        assert 0 == server.process.wait(15)


def test_whoever_hangs_up_is_let_go(server: Watched) -> None:
    """At once, for no more can come."""
    with Line(server.port, SOON) as line:
        line.sock.sendall(POST[:20])
        line.sock.shutdown(socket.SHUT_WR)
        assert b"200 OK" not in line.rest()


def test_whoever_does_not_leave_keeps_nobody_out(crowd: list[Line], server: Watched) -> None:
    """Even if the crowd has been told that its connections are over."""
    for line in crowd:
        line.sock.sendall(POST.replace(b"Host: x", b"Host: x\r\nConnection: close"))
    assert is_open(server)
    assert {200} == {line.hear().status for line in crowd}


def test_whoever_wants_a_word_first_gets_it(server: Watched) -> None:
    """Before the body, which does not come without it."""
    said = POST.replace(b"Host: x", b"Host: x\r\nExpect: 100-continue")
    with Line(server.port) as line:
        for _ in range(2):
            assert 100 == line.ask(said[:-4]).status
            told = line.ask(said[-4:])
            assert (200, b"move") == (told.status, told.body)


def test_the_last_answer_is_heard(server: Watched) -> None:
    """Whatever is said after it."""
    with Line(server.port) as line:
        line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        line.sock.sendall(again("new", "Connection: close") + b"x" * 50_000)
        assert is_open(server)  # by now it has been answered
        told = line.hear()
        assert (200, 1_000_000, b"") == (told.status, len(told.body), line.rest())


@pytest.mark.parametrize("size", [60_000, 70_000, 1_000_000])
def test_a_long_body_is_read(server: Watched, size: int) -> None:
    """In a thread, if it is longer than most."""
    with Line(server.port) as line:
        assert [size] * 2 == [len(line.ask(posted(b"x" * size)).body) for _ in range(2)]


def test_a_head_without_an_end_is_refused(server: Watched) -> None:
    """Nobody waits for it for ever."""
    with Line(server.port, SOON) as line:
        line.sock.sendall(POST[:40] + b"X: " + b"x" * 70_000)
        assert 400 == line.hear().status


NOISE = [
    *(POST, posted(b"x" * 30_000), again("same"), again("new"), again("broken"), POST[:30]),
    *(b"\r\n", b"\r\n\r\n", b"\0", b"x" * 5000, b"GET / HTTP/1.1\r\n", b"PRI * HTTP/2.0\r\n\r\n"),
    b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n",
    b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
]


def test_noise_keeps_nobody_out(server: Watched) -> None:
    """Whatever is said, in whatever pieces, and however it ends: the same process goes on."""
    worker, files = server.worker, server.worker.num_fds()
    luck = Random(1)
    for _ in range(300):
        with Line(server.port, SOON) as line:
            said = b"".join(luck.choices(NOISE, k=luck.randint(1, 6)))
            cut = luck.randrange(len(said) + 1)
            for piece in (said[:cut], said[cut:]):
                with suppress(ConnectionError):
                    line.sock.sendall(piece)
            if luck.random() < 0.3:
                line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            elif luck.random() < 0.3:
                with suppress(OSError):
                    line.sock.shutdown(socket.SHUT_WR)
    assert is_open(server)
    until(lambda: worker.num_fds() <= files, "all connections are closed")
    assert worker == server.worker
