"""Reads the body of a request before it gets a thread: bounded in bytes and in time."""

import asyncio
from typing import NamedTuple

from api.http.json_body import MOST_BYTES
from api.server.asgi import Receive, Scope

MOST = 1024 * 1024 + 1
"""Bytes that are read of any body, one more than the largest that a view takes."""
SECONDS = 30.0
"""Time for a body to arrive."""
LARGE = 16
"""Bodies over 64 KiB that are read at a time, so that they cannot fill the memory."""


class Gone(Exception):
    """The client has hung up."""


class Body(NamedTuple):
    """What has arrived of a body."""

    content: bytes
    length: int | None
    """What the view is told as Content-Length; more than has arrived if the body is broken."""
    is_whole: bool = True


class Bodies:
    """Reads bodies for one process."""

    def __init__(self) -> None:
        self._large = asyncio.Semaphore(LARGE)

    async def read(self, scope: Scope, receive: Receive) -> Body:
        """Read a body; what is too large is left unread, for the view to refuse."""
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
    """Read up to this many bytes, and say whether that was all."""
    while len(content) <= most:
        message = await receive()
        if message["type"] != "http.request":
            raise Gone
        content += message["body"]
        if not message["more_body"]:
            return True
    return False
