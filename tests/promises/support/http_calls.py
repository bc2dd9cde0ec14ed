"""Sends HTTP requests over real sockets, one at a time or many at once."""

import http.client
import json
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol, Self

from werkzeug.datastructures import Headers

PATIENCE = 30.0
Json = dict[str, Any]


class Reachable(Protocol):
    """A server on a loopback port, and its database."""

    @property
    def port(self) -> int:
        """The port on which it listens."""

    @property
    def url(self) -> str:
        """The URL of its database."""


class Response(NamedTuple):
    """An HTTP response."""

    status: int
    headers: Headers
    body: bytes

    @property
    def json(self) -> Json:
        """The parsed JSON body."""
        document: Json = json.loads(self.body)
        return document

    @property
    def code(self) -> str:
        """The code of the problem document."""
        return str(self.json["code"])


class Request(NamedTuple):
    """A request, ready to be sent."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = {}

    def sent(self, line: http.client.HTTPConnection) -> Response:
        """Send the request on this connection, and return the response."""
        line.request(self.method, self.path, self.body, {**self.headers, "Connection": "close"})
        answer = line.getresponse()
        return Response(answer.status, Headers(answer.getheaders()), answer.read())


def asking(
    method: str, path: str, body: Json | None = None, token: str = "", **headers: str
) -> Request:
    """A request with a JSON body; underscores in header names become hyphens."""
    lines = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        lines["Authorization"] = f"Bearer {token}"
    if body is None:
        return Request(method, path, None, lines)
    lines["Content-Type"] = "application/json"
    return Request(method, path, json.dumps(body).encode(), lines)


def send(web: Reachable, request: Request, source: str = "127.0.0.1") -> Response:
    """Send a request over its own connection from this address, and return the response."""
    line = http.client.HTTPConnection("127.0.0.1", web.port, PATIENCE, source_address=(source, 0))
    try:
        return request.sent(line)
    finally:
        line.close()


def ask(
    web: Reachable,
    method: str,
    path: str,
    body: Json | None = None,
    token: str = "",
    **headers: str,
) -> Response:
    """Send a request with a JSON body, and return the response."""
    return send(web, asking(method, path, body, token, **headers))


class Volley:
    """Sends many requests at the same moment, from threads that are already running."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._pool = ThreadPoolExecutor(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def fire(self, web: Reachable, requests: Sequence[Request]) -> list[Response]:
        """Open all connections, then send the requests; returns the responses."""
        assert self._size == len(requests)
        ready = threading.Barrier(self._size)

        def sent(request: Request) -> Response:
            line = http.client.HTTPConnection("127.0.0.1", web.port, PATIENCE)
            try:
                line.connect()
                ready.wait(PATIENCE)
                return request.sent(line)
            finally:
                line.close()

        return list(self._pool.map(sent, requests))
