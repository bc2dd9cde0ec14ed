"""Webhook receivers on this machine: one that works, and any that a test defines."""

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
    """A request that was received."""

    path: str
    headers: dict[str, str]
    body: bytes
    port: int
    """The client's port, which identifies the connection."""
    method: str = "POST"

    @property
    def payload(self) -> Any:
        """The JSON of the body."""
        return orjson.loads(self.body)


class Reply(NamedTuple):
    """A response to send."""

    status: int = 204
    body: bytes = b""
    headers: dict[str, str] = {}  # noqa: RUF012  # nobody changes it


class Receiver(ThreadingHTTPServer):
    """An HTTP server that records requests and sends the responses that a test sets."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.calls: list[Call] = []
        self.replies: deque[Reply] = deque()
        self.usually: Callable[[Call], Reply] = lambda _: Reply()

    @property
    def url(self) -> str:
        """The URL for a webhook."""
        return f"http://127.0.0.1:{self.server_port}/hook"

    def reply(self, status: int, body: bytes | object = b"", **headers: str) -> None:
        """Queue a response; a body that is not bytes is sent as JSON."""
        content = body if isinstance(body, bytes) else orjson.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if not isinstance(body, bytes):
            named["content-type"] = "application/json"
        self.replies.append(Reply(status, content, named))

    def handle_error(self, *_: object) -> None:
        """Ignore clients that disconnect."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Receiver

    def do_POST(self) -> None:
        """Record the request, and send the next response."""
        length = int(self.headers.get("content-length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        body, port = self.rfile.read(length), self.client_address[1]
        call = Call(self.path, headers, body, port, self.command)
        self.server.calls.append(call)
        replies = self.server.replies
        reply = replies.popleft() if replies else self.server.usually(call)
        lines = {"content-length": str(len(reply.body)), **reply.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self.wfile.write(f"HTTP/1.1 {reply.status} So\r\n{head}\r\n".encode() + reply.body)

    def do_GET(self) -> None:
        """Answer a request without a body."""
        self.do_POST()

    def do_PUT(self) -> None:
        """Answer a request that puts something."""
        self.do_POST()

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Run a receiver that works."""
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
    """Run a server that passes each connection to this function; yields its port."""
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
    """Read a whole request; the bytes that are returned can lack the end of its body."""
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
    """The signature that Standard Webhooks specifies, computed without a webhook library."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    prefix = f"{call.headers['webhook-id']}.{call.headers['webhook-timestamp']}.".encode()
    made = hmac.new(key, prefix + call.body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(made).decode()}"
