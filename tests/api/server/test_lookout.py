"""The lookout: whoever asks again is answered there, and nobody else pays for it."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random

import pytest

from tests.api.lines import PATIENCE, POST, Line, again
from tests.api.watched import LONG, Manners, Watched, watched

LOOKOUT = "lookout"
KEPT = 16


@pytest.fixture
def line(server: Watched) -> Iterator[Line]:
    """A connection that is on the lookout."""
    with known(server) as found:
        yield found


def known(server: Watched) -> Line:
    """A connection on which somebody has asked again."""
    line = Line(server.port)
    assert LOOKOUT != line.ask(again("same")).thread
    assert LOOKOUT == line.ask(again("same")).thread
    return line


def test_whoever_asks_again_is_answered_on_the_lookout(line: Line) -> None:
    """As long as they do; what else they ask is for the others, and then they may come back."""
    assert [LOOKOUT] * 3 == [line.ask(again("same")).thread for _ in range(3)]
    moved = line.ask(POST)
    assert (200, b"move") == (moved.status, moved.body)
    assert LOOKOUT != moved.thread
    assert LOOKOUT == line.ask(again("same")).thread


def test_what_is_new_is_told_by_others(line: Line) -> None:
    """They know what was found out on the lookout, and only about this request."""
    for _ in range(2):
        told = line.ask(again("new"))
        assert (200, LONG, LOOKOUT) == (told.status, told.body, told.headers["X-Found"])
        assert LOOKOUT != told.thread
    assert "nothing" == line.ask(POST).headers["X-Found"]
    assert LOOKOUT == line.ask(again("same")).thread


@pytest.mark.parametrize("last", ["Connection: close", ""])
def test_the_last_request_is_answered(line: Line, last: str) -> None:
    """Also if it takes more than a glance."""
    said = again("new", last) if last else again("new").replace(b"HTTP/1.1", b"HTTP/1.0")
    told = line.ask(said)
    assert (200, LONG, b"") == (told.status, told.body, line.rest())


def test_requests_that_come_together_are_answered_in_order(line: Line) -> None:
    """Whether or not the first of them takes more than a glance."""
    for first, status in (("same", 304), ("new", 200)):
        for more, told in ((again("same"), 304), (POST, 200)):
            line.sock.sendall(again(first) + again("new") + more)
            assert [status, 200, told] == [line.hear().status for _ in range(3)]
        assert LOOKOUT == [line.ask(again("same")).thread for _ in range(2)][1]


def test_what_comes_while_it_reads_is_not_lost(line: Line) -> None:
    """Sooner or later a second request arrives between the look at the first and its reading."""
    luck = Random(1)
    for _ in range(500):
        line.sock.sendall(again("same"))
        time.sleep(luck.random() / 5000)
        line.sock.sendall(POST)
        assert [304, 200] == [line.hear().status for _ in range(2)]
        line.ask(again("same"))


def test_a_request_may_come_in_pieces(line: Line, server: Watched) -> None:
    """The lookout does not wait for the rest."""
    said = again("same")
    line.sock.sendall(said[:40])
    with known(server) as other:
        assert LOOKOUT == other.ask(again("same")).thread
    assert 304 == line.ask(said[40:]).status


BODY = again("new")


@pytest.mark.parametrize(
    ("header", "body"),
    [
        (f"Content-Length: {len(BODY)}", BODY),
        ("Transfer-Encoding: chunked", b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY)),
    ],
)
def test_a_body_is_no_request(line: Line, header: str, body: bytes) -> None:
    """What follows the head of a request with a body belongs to it, whenever it comes."""
    said = again("same", header)
    for pieces in ([said + body], [said, body]):
        for piece in pieces:
            line.sock.sendall(piece)
        assert [304, 200] == [line.hear().status, line.ask(POST).status]


def test_whoever_expects_a_word_gets_it_once(line: Line) -> None:
    """Even if the request has to be passed on."""
    told = line.ask(again("new", "Expect: 100-continue"))
    assert [100, 200, 304] == [told.status, line.hear().status, line.ask(again("same")).status]


def test_what_is_not_http_is_refused(line: Line) -> None:
    """As the other threads refuse it."""
    told = line.ask(again("same", "no header"))
    assert (400, "application/problem+json") == (told.status, told.headers["Content-Type"])
    assert b"" == line.rest()


def test_what_breaks_is_told(line: Line, server: Watched) -> None:
    """The connection ends, and the lookout goes on."""
    with known(server) as other:
        assert 500 == line.ask(again("broken")).status
        assert b"" == line.rest()
        assert LOOKOUT == other.ask(again("same")).thread


def test_whoever_does_not_read_is_let_go(line: Line, server: Watched) -> None:
    """Nobody waits for them."""
    line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    with known(server) as other:
        for _ in range(200):
            line.sock.sendall(again("full"))
            # While these are answered one after the other, the lookout comes by it at least once.
            assert [LOOKOUT] * 3 == [other.ask(again("same")).thread for _ in range(3)]
    assert 0 < line.rest().count(b"304 Not Modified") < 200


def test_a_lookout_that_waits_keeps_nobody_else(line: Line, server: Watched) -> None:
    """A database that hangs holds up those who ask again, and no other."""
    line.sock.sendall(again("stuck"))
    with Line(server.port) as other:
        assert [200, 200] == [other.ask(POST).status for _ in range(2)]
        assert 200 == other.ask(b"GET /free HTTP/1.1\r\nHost: x\r\n\r\n").status
    assert (304, LOOKOUT) == (line.hear().status, line.ask(again("same")).thread)


def test_silence_ends_a_connection(line: Line) -> None:
    """After as long as everywhere."""
    assert b"" == line.rest()


def test_newcomers_find_room() -> None:
    """However many ask again and again: who comes last is answered, and told not to stay."""
    with watched(Manners(kept=KEPT)) as server, ExitStack() as stack:
        kept: list[Line] = []
        for _ in range(2 * KEPT):
            line = stack.enter_context(Line(server.port))
            told = line.ask(again("same")).headers["Connection"]
            if told == "close":
                line.sock.close()
            else:
                kept.append(line)
            assert {"keep-alive"} == {one.ask(again("same")).headers["Connection"] for one in kept}
        assert KEPT - 2 <= len(kept) <= KEPT


def test_a_server_that_stops_does_not_wait_for_the_silent() -> None:
    """Whoever might ask again is let go at once."""
    with watched() as server, known(server) as line:
        assert server.process is not None
        server.process.terminate()
        assert b"" == line.rest()
        assert 0 == server.process.wait(PATIENCE)
