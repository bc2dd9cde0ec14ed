"""Raw connections: tests send exact bytes and read the whole response."""

import socket
from email.message import Message
from email.parser import BytesHeaderParser
from typing import NamedTuple, Self

PATIENCE = 20.0


class RawResponse(NamedTuple):
    """A raw response."""

    status: int
    headers: Message
    body: bytes


class Line:
    """A kept-alive connection."""

    def __init__(self, port: int, patience: float = PATIENCE) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), patience)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # send each request at once
        self._input = self.sock.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._input.close()
        self.sock.close()

    def hear(self) -> RawResponse:
        """Read the next response."""
        first = self._input.readline()
        if not first:
            raise ConnectionError("it has ended")
        status = int(first.split()[1])
        lines = b"".join(iter(self._input.readline, b"\r\n"))
        headers = BytesHeaderParser().parsebytes(lines)
        return RawResponse(status, headers, self._input.read(int(headers.get("Content-Length", 0))))

    def ask(self, request: bytes) -> RawResponse:
        """Send a request and read the response."""
        self.sock.sendall(request)
        return self.hear()

    def rest(self) -> bytes:
        """Read until the server closes the connection, or a timeout."""
        try:
            return self._input.read()
        except ConnectionResetError:
            return b""


def posted(body: bytes) -> bytes:
    """A request with a body."""
    head = (
        "POST /v1/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def get(path: str, *headers: str) -> bytes:
    """A request without a body."""
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: x", *headers, "", ""]).encode()
