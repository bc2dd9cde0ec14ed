"""Receivers of webhooks on this machine: an honest one, and any that a test can think of."""

import base64
import hashlib
import hmac
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import orjson


class Call(NamedTuple):
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: bytes
    port: int
    """The caller's, which tells one connection from another."""

    @property
    def said(self) -> Any:
        """What the body says."""
        return orjson.loads(self.body)


class Reply(NamedTuple):
    """What is answered."""

    status: int = 204
    body: bytes = b""
    headers: dict[str, str] = {}  # noqa: RUF012  # nobody changes it


class Receiver(ThreadingHTTPServer):
    """Notes every call, and answers what it was told to."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.calls: list[Call] = []
        self.replies: deque[Reply] = deque()
        self.usually: Callable[[Call], Reply] = lambda _: Reply()

    @property
    def url(self) -> str:
        """Where a hook calls it."""
        return f"http://127.0.0.1:{self.server_port}/hook"

    def reply(self, status: int, body: bytes | object = b"", **headers: str) -> None:
        """Answer the next call like this."""
        said = body if isinstance(body, bytes) else orjson.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if not isinstance(body, bytes):
            named["content-type"] = "application/json"
        self.replies.append(Reply(status, said, named))

    def handle_error(self, *_: object) -> None:
        """A caller who hangs up is none of our business."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Receiver

    def do_POST(self) -> None:
        """Note it and answer."""
        length = int(self.headers.get("content-length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        call = Call(self.path, headers, self.rfile.read(length), self.client_address[1])
        self.server.calls.append(call)
        replies = self.server.replies
        reply = replies.popleft() if replies else self.server.usually(call)
        lines = {"content-length": str(len(reply.body)), **reply.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.wfile.write(f"HTTP/1.1 {reply.status} So\r\n{head}\r\n".encode() + reply.body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def receiving() -> Iterator[Receiver]:
    """An honest receiver."""
    server = Receiver()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def behaving(behave: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a server that does this with every connection, for as long as it is there."""
    door = socket.create_server(("127.0.0.1", 0))
    inside: list[socket.socket] = []

    def meet(guest: socket.socket) -> None:
        with suppress(OSError):
            behave(guest)

    def welcome() -> None:
        with suppress(OSError):
            while True:
                guest, _ = door.accept()
                inside.append(guest)
                threading.Thread(target=meet, args=(guest,), daemon=True).start()

    thread = threading.Thread(target=welcome, daemon=True)
    thread.start()
    try:
        yield door.getsockname()[1]
    finally:
        door.shutdown(socket.SHUT_RDWR)
        door.close()
        thread.join()
        for guest in inside:
            with suppress(OSError):
                guest.shutdown(socket.SHUT_RDWR)
            guest.close()


def read_request(guest: socket.socket) -> bytes:
    """A whole request, as far as a test needs to know."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += guest.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            while len(body) < int(line.split(b":")[1]):
                body += guest.recv(65536)
    return data


def signature(secret: str, call: Call) -> str:
    """What Standard Webhooks says the signature is, worked out without anybody's library."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    said = f"{call.headers['webhook-id']}.{call.headers['webhook-timestamp']}.".encode()
    made = hmac.new(key, said + call.body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(made).decode()}"
