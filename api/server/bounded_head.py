"""uvicorn's HTTP protocol with a bound for the head of a request, in bytes and in time.

uvicorn itself waits for ever for a head, and keeps whatever arrives of it. What is not HTTP is
refused with a problem, as everything else is.
"""

import asyncio
from typing import Any

import orjson
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api.http import problems
from api.http.headers import ALWAYS

MOST_HEAD = 65_536
"""Bytes of a request's line and headers."""
SECONDS = 20.0
"""Time for a head to arrive on a new connection, or after its first byte on one that is kept."""


def _refusal() -> bytes:
    body = orjson.dumps(problems.document("", "unreadable", NOT_HTTP))
    headers = ALWAYS | {
        "Content-Type": problems.MEDIA_TYPE,
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "Connection": "close",
    }
    lines = ["HTTP/1.1 400 Bad Request", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


NOT_HTTP = "This is not HTTP, or the head of the request is too long."
REFUSAL = _refusal()


class BoundedHead(HttpToolsProtocol):
    """Ends connections on which the head of a request does not end."""

    _received = 0
    """Bytes of the head so far; some of them may belong to the body of the request before."""
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Give a new connection its time."""
        super().connection_made(transport)
        self._begin_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._end_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Refuse a head that is too long."""
        self._received += len(data)
        super().data_received(data)
        if self._timer and self._received > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response("too long")

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  # uvicorn's signature
        """Refuse what is not HTTP, without the client's words."""
        self.transport.write(REFUSAL)
        self.transport.close()

    def on_message_begin(self) -> None:
        """The first byte of a request has come."""
        super().on_message_begin()
        self._received = 0
        if self._timer is None:
            self._begin_head()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._end_head()
        super().on_headers_complete()

    def _begin_head(self) -> None:
        self._timer = self.loop.call_later(SECONDS, self._give_up)

    def _end_head(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
