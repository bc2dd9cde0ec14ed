"""Promise 18: whatever a receiver does, it costs 15 seconds, 4 KiB and no memory."""

import socket
import threading
import zlib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache

import psutil
import pytest

from tests.support.hook_calls import SHORT, fault, here, impatient, post
from tests.support.hook_receiver import behaving, read_request
from workers.calling import connector
from workers.calling.connector import MOST_BODY, MOST_HEAD, Connector, Unreached, anywhere


@pytest.fixture
def caller() -> Iterator[Connector]:
    """A connector with a short deadline that may call this machine."""
    with impatient() as made:
        yield made


def test_deadline_is_that_of_standard_webhooks() -> None:
    """A receiver has 15 seconds for everything, and at most 4 KiB of its response are read."""
    assert (15.0, 4096) == (connector.DEADLINE, connector.MOST_BODY)
    assert connector.DEADLINE == Connector(anywhere)._deadline


def _never_speaks(guest: socket.socket) -> None:
    while guest.recv(65536):
        pass


def _drip(guest: socket.socket, drop: bytes, drops: int = 200) -> None:
    """Send single drops for much longer than the deadline, and then hang up."""
    for _ in range(drops):
        guest.sendall(drop)
        threading.Event().wait(SHORT / 50)
    guest.shutdown(socket.SHUT_RDWR)


def _drips_head(guest: socket.socket) -> None:
    read_request(guest)
    _drip(guest, b"x")


def _drips_body(guest: socket.socket) -> None:
    read_request(guest)
    guest.sendall(b"HTTP/1.1 200 So\r\ncontent-length: 4000\r\n\r\n")
    _drip(guest, b"x")


def _drips_chunks(guest: socket.socket) -> None:
    read_request(guest)
    guest.sendall(b"HTTP/1.1 200 So\r\ntransfer-encoding: chunked\r\n\r\n")
    _drip(guest, b"1\r\nx\r\n")


@pytest.mark.parametrize(
    "behave",
    [_never_speaks, _drips_head, _drips_body, _drips_chunks],
    ids=lambda behaviour: behaviour.__name__,
)
def test_slow_server_is_given_up(caller: Connector, behave: object) -> None:
    """A server that does not respond, or only byte by byte, is given up at the deadline."""
    with behaving(behave) as port:  # type: ignore[arg-type]  # a function of a socket
        assert connector.NO_ANSWER.format(SHORT) == fault(caller, here(port))


def test_slow_reader_is_given_up(caller: Connector) -> None:
    """A server that reads our request slowly is given up at the deadline."""

    def sip(guest: socket.socket) -> None:
        for _ in range(100):
            guest.recv(100_000)
            threading.Event().wait(SHORT / 50)
        guest.shutdown(socket.SHUT_RDWR)

    with behaving(sip) as port, pytest.raises(Unreached) as raised:
        caller.post("hook", here(port), bytes(30_000_000), {})

    assert connector.NO_ANSWER.format(SHORT) == raised.value.sentence


def test_plain_time_out_would_wait_for_the_drip(caller: Connector) -> None:
    """The mutant: with a socket's own timeout each byte buys new time, past the deadline."""

    class Patient(connector._Allowance):
        def seconds(self) -> float:
            return SHORT  # as `timeout=` does: afresh for each read

    def drip(guest: socket.socket) -> None:
        read_request(guest)
        guest.sendall(b"HTTP/1.1 200 So\r\ncontent-length: 100\r\n\r\n")
        _drip(guest, b"x", 100)

    with behaving(drip) as port, pytest.MonkeyPatch.context() as patch:
        patch.setattr(connector, "_Allowance", Patient)
        assert 200 == post(caller, port).status  # after twice the deadline


@cache
def _packed() -> bytes:
    """200 MB, compressed to less than 200 kB."""
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([packer.compress(bytes(1_000_000)) for _ in range(200)]) + packer.flush()


def _bomb(guest: socket.socket) -> None:
    read_request(guest)
    head = b"HTTP/1.1 200 So\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n"
    guest.sendall(head % len(_packed()) + _packed())
    guest.recv(1)


def _many_headers(guest: socket.socket) -> None:
    read_request(guest)
    guest.sendall(b"HTTP/1.1 200 So\r\n" + b"x: y\r\n" * 100_000 + b"\r\n")
    guest.recv(1)


def _long_headers(guest: socket.socket) -> None:
    read_request(guest)
    guest.sendall(b"HTTP/1.1 200 So\r\n" + (b"x: " + b"y" * 60_000 + b"\r\n") * 90 + b"\r\n")
    guest.recv(1)


def _endless_line(guest: socket.socket) -> None:
    read_request(guest)
    while True:
        guest.sendall(b"HTTP/1.1" * 8192)


def _endless_continue(guest: socket.socket) -> None:
    read_request(guest)
    while True:
        guest.sendall(b"HTTP/1.1 100 Go on\r\n\r\n" * 1000)


def _endless_body(guest: socket.socket) -> None:
    read_request(guest)
    guest.sendall(b"HTTP/1.1 200 So\r\n\r\n")
    while True:
        guest.sendall(bytes(1_000_000))


def _endless_chunk(guest: socket.socket) -> None:
    read_request(guest)
    guest.sendall(b"HTTP/1.1 200 So\r\ntransfer-encoding: chunked\r\n\r\nffffffff\r\n")
    while True:
        guest.sendall(bytes(1_000_000))


def _endless_trailer(guest: socket.socket) -> None:
    read_request(guest)
    guest.sendall(b"HTTP/1.1 200 So\r\ntransfer-encoding: chunked\r\n\r\n0\r\n")
    while True:
        guest.sendall(b"x: y\r\n" * 1000)


HEADS = [_many_headers, _long_headers, _endless_line, _endless_continue, _endless_trailer]
BODIES = [_bomb, _endless_body, _endless_chunk]


@pytest.mark.parametrize("behave", HEADS, ids=lambda behaviour: behaviour.__name__)
def test_long_head_is_cut_off(behave: object) -> None:
    """A response with more than 32 KiB outside of its body is cut off."""
    patient = Connector(anywhere)
    with behaving(behave) as port:  # type: ignore[arg-type]  # a function of a socket
        assert connector.BROKEN == fault(patient, here(port))


@pytest.mark.parametrize("behave", BODIES, ids=lambda behaviour: behaviour.__name__)
def test_long_body_is_cut_off(behave: object) -> None:
    """Only MOST_BODY bytes of a long or compressed body are read, and its status counts."""
    patient = Connector(anywhere)
    with behaving(behave) as port:  # type: ignore[arg-type]  # a function of a socket
        answer = post(patient, port)

    assert (200, MOST_BODY, False) == (answer.status, len(answer.body), answer.is_whole)


def _growth(caller: Connector, calls: int) -> int:
    """Bytes by which the process grows at most while hostile servers are called."""
    process, done, sizes = psutil.Process(), threading.Event(), list[int]()

    def watch() -> None:
        while not done.wait(0.005):
            sizes.append(process.memory_info().rss)

    with behaving(_bomb) as bomb, behaving(_many_headers) as headers:
        for port in (bomb, headers):  # a first call allocates things once
            _call(caller, port)
        before = process.memory_info().rss
        watcher = threading.Thread(target=watch)
        watcher.start()
        for port in (bomb, headers):
            for _ in range(calls):
                _call(caller, port)
        done.set()
        watcher.join()
    return max(sizes, default=before) - before


def _call(caller: Connector, port: int) -> None:
    with suppress(Unreached):
        post(caller, port)


def test_hostile_servers_cost_no_memory() -> None:
    """While each of two servers is called 100 times the process grows by less than 20 MB."""
    assert _growth(Connector(anywhere), 100) < 20_000_000


def test_unpacking_would_cost_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mutant: reading to the end and decompressing makes the process grow visibly."""
    monkeypatch.setattr(connector._Allowance, "take", lambda *_: None)
    monkeypatch.setattr(connector, "_read", lambda response, *_: response.read(decode_content=True))

    assert _growth(Connector(anywhere, deadline=60), 1) > 20_000_000


def test_handshake_that_hangs_is_given_up(caller: Connector) -> None:
    """A server that never finishes the TLS handshake is given up at the deadline."""
    with behaving(_never_speaks) as port:
        assert connector.NO_ANSWER.format(SHORT) == fault(caller, here(port, "https"))


def test_head_and_body_are_bounded() -> None:
    """Head and body together are limited to less than 40 KiB."""
    assert 40 * 1024 > MOST_HEAD + MOST_BODY
