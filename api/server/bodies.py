"""Reads the body of a request before it gets a thread, with limits on size and time."""

import asyncio
from typing import NamedTuple

from api.http.json_body import MOST_BYTES
from api.server.asgi import Receive, Scope

MOST = 1024 * 1024 + 1
"""Bytes read from a body: one more than the largest body that a view accepts."""
SECONDS = 30.0
"""Time for a body to arrive."""
LARGE = 16
"""Bodies over 64 KiB that are read at the same time, to bound memory."""


class Gone(Exception):
    """The client has disconnected."""


class Body(NamedTuple):
    """A body, as far as it has arrived."""

    content: bytes
    length: int | None
    """The Content-Length for the view; more than has arrived if the body is incomplete."""
    is_whole: bool = True


class Bodies:
    """Reads bodies for one process."""

    def __init__(self) -> None:
        self._large = asyncio.Semaphore(LARGE)

    async def read(self, scope: Scope, receive: Receive) -> Body:
        """Read a body; one that is too large is left unread, and the view refuses it."""
        headers = dict(scope["headers"])
        declared = headers.get(b"content-length")
        if declared is None and b"transfer-encoding" not in headers:
            return Body(b"", None)
        length = int(declared) if declared is not None else None
        if length is not None and length >= MOST:
            return Body(b"", length, is_whole=False)
        content = bytearray()
        try:
            async with asyncio.timeout(SECONDS):
                is_whole = await self._read(receive, content)
        except TimeoutError:
            return Body(bytes(content), len(content) + 1, is_whole=False)
        return Body(bytes(content), len(content), is_whole)

    async def _read(self, receive: Receive, content: bytearray) -> bool:
        if await _read_until(receive, content, MOST_BYTES):
            return True
        async with self._large:
            return await _read_until(receive, content, MOST)


async def _read_until(receive: Receive, content: bytearray, most: int) -> bool:
    """Read up to this many bytes, and return whether the body is complete."""
    while len(content) <= most:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        content += message["body"]
        if not message["more_body"]:
            return True
    return False
