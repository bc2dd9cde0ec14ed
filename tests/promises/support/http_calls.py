"""Calling a server through real sockets, one request at a time or many in the same moment."""

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
    """A server that listens on this port of the loopback, with the database at this URL."""

    @property
    def port(self) -> int:
        """Where it listens."""

    @property
    def url(self) -> str:
        """Where its database is."""


class Said(NamedTuple):
    """An answer as it came."""

    status: int
    headers: Headers
    body: bytes

    @property
    def json(self) -> Json:
        """The object in it."""
        found: Json = json.loads(self.body)
        return found

    @property
    def code(self) -> str:
        """What kind of problem it is."""
        return str(self.json["code"])


class Asked(NamedTuple):
    """A request, ready to be sent."""

    method: str
    path: str
    body: bytes | None = None
    headers: Mapping[str, str] = {}

    def sent(self, line: http.client.HTTPConnection) -> Said:
        """Its answer on this connection."""
        line.request(self.method, self.path, self.body, {**self.headers, "Connection": "close"})
        answer = line.getresponse()
        return Said(answer.status, Headers(answer.getheaders()), answer.read())


def asking(
    method: str, path: str, body: Json | None = None, token: str = "", **headers: str
) -> Asked:
    """A request with a JSON body; an underscore in a header's name stands for a hyphen."""
    worn = {name.replace("_", "-"): value for name, value in headers.items()}
    if token:
        worn["Authorization"] = f"Bearer {token}"
    if body is None:
        return Asked(method, path, None, worn)
    worn["Content-Type"] = "application/json"
    return Asked(method, path, json.dumps(body).encode(), worn)


def send(web: Reachable, asked: Asked, source: str = "127.0.0.1") -> Said:
    """The answer to one request, over a connection of its own from this address."""
    line = http.client.HTTPConnection("127.0.0.1", web.port, PATIENCE, source_address=(source, 0))
    try:
        return asked.sent(line)
    finally:
        line.close()


def ask(
    web: Reachable,
    method: str,
    path: str,
    body: Json | None = None,
    token: str = "",
    **headers: str,
) -> Said:
    """The answer to one request with a JSON body."""
    return send(web, asking(method, path, body, token, **headers))


class Volley:
    """Sends many requests in the same moment, from threads that are there already."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._pool = ThreadPoolExecutor(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def fire(self, web: Reachable, requests: Sequence[Asked]) -> list[Said]:
        """What is answered; all lines are open before the first request goes."""
        assert self._size == len(requests)
        ready = threading.Barrier(self._size)

        def one(asked: Asked) -> Said:
            line = http.client.HTTPConnection("127.0.0.1", web.port, PATIENCE)
            try:
                line.connect()
                ready.wait(PATIENCE)
                return asked.sent(line)
            finally:
                line.close()

        return list(self._pool.map(one, requests))
