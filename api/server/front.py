"""The ASGI application in front of Flask.

Flask answers every request, in a small thread pool. A waiting request holds no thread: its
coroutine awaits news, and then calls Flask again. Nothing here depends on a resource: a view says
in the request's `Hold` whether to answer, to wait or to stream.
"""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext, suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

import structlog

from api.http.waiting import COME_AGAIN, Hold, Outcome
from api.server.asgi import Message, Receive, Scope, Send
from api.server.bodies import Bodies, Body, Gone
from api.server.bridge import Answer, call, environ_of
from api.server.compression import compressed
from service.memory.waiters import Waiter, Waiters

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

log = structlog.get_logger()

BEATS = 15.0
"""Seconds after which a silent stream sends its beat, which keeps the connection alive."""


class Front:
    """Answers the requests of one process."""

    def __init__(self, application: "WSGIApplication", waiters: Waiters, threads: int) -> None:
        self._application = application
        self._waiters = waiters
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="web")
        # Requests that are woken together must not take all threads from new ones.
        self._again = asyncio.Semaphore(max(1, threads // 2))
        self._bodies = Bodies()
        self.is_stopping = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        with suppress(Gone):
            body = await self._bodies.read(scope, receive)
            visit = _Visit(self, scope, body)
            try:
                await visit.answer(receive, _careful(send))
            finally:
                visit.hold.close()

    def stop(self) -> None:
        """Answer all waiting requests now; streams end with a hint to reconnect."""
        self.is_stopping = True
        self._waiters.wake_all()

    def close(self) -> None:
        """Shut down the thread pool."""
        self._pool.shutdown()

    def _work(self, visit: "_Visit") -> Answer:
        answer = call(self._application, visit.environ, visit.body.content, visit.hold)
        return compressed(visit.environ, answer, visit.hold)

    def waiter(self) -> Waiter:
        """Make a waiter for this event loop."""
        return Waiter(self._waiters, asyncio.get_running_loop())

    async def ask(self, visit: "_Visit") -> Answer:
        """Call Flask in a thread."""
        loop, hold = asyncio.get_running_loop(), visit.hold
        hold.outcome = Outcome.ANSWER
        work = partial(self._work, visit)
        async with self._again if hold.is_again else nullcontext():
            answer = await loop.run_in_executor(self._pool, work)
        hold.is_again = True
        return answer


def _careful(send: Send) -> Send:
    """Wrap `send` for clients that may be gone: uvloop refuses to write to a closed connection."""

    async def deliver(message: Message) -> None:
        try:
            await send(message)
        except RuntimeError as error:
            log.info("not sent", reason=str(error))
            raise Gone from None

    return deliver


class _Visit:
    """One request and its response."""

    def __init__(self, front: Front, scope: Scope, body: Body) -> None:
        self._front = front
        self._method = scope["method"]
        self._is_gone = False
        self.body = body
        self.environ = environ_of(scope, body)
        self.hold = Hold(front.waiter())

    async def answer(self, receive: Receive, send: Send) -> None:
        """Call Flask until it has a response, and send that."""
        answer = await self._front.ask(self)
        if self.hold.outcome is Outcome.ANSWER or self._method == "HEAD":
            await self._send(send, answer)
            return
        async with self._watching(receive):
            while self.hold.outcome is Outcome.WAIT:
                await self._pause()
                answer = await self._front.ask(self)
            await self._give(send, answer)

    async def _give(self, send: Send, answer: Answer) -> None:
        """Send the response to a request that may have waited, if the client is still there."""
        if self._is_gone:
            return
        if self.hold.outcome is Outcome.STREAM:
            await self._stream(send, answer)
        else:
            await self._send(send, answer)

    async def _send(self, send: Send, answer: Answer) -> None:
        headers = answer.headers
        if not self.body.is_whole:
            headers = [*headers, (b"connection", b"close")]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def _stream(self, send: Send, answer: Answer) -> None:
        """Send pieces until the view marks the last one, or the time is over."""
        headers = [pair for pair in answer.headers if pair[0] != b"content-length"]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        self.hold.is_stream = True
        piece = answer.body
        while self.hold.outcome is Outcome.STREAM and not self.hold.is_over:
            await send(
                {"type": "http.response.body", "body": piece or self.hold.beat, "more_body": True}
            )
            piece = await self._next_piece()
        last = piece if self.hold.outcome is Outcome.ANSWER else COME_AGAIN
        await send({"type": "http.response.body", "body": last})

    async def _next_piece(self) -> bytes:
        """Wait for the next piece of a stream; it is empty if nothing is new."""
        if not await self._pause(BEATS) or self.hold.is_over:
            return b""
        answer = await self._front.ask(self)
        return answer.body if answer.status == 200 else b""

    async def _pause(self, most: float = float("inf")) -> bool:
        """Wait for news, the timeout or shutdown; returns whether there may be news."""
        hold = self.hold
        left = hold.until - monotonic()
        woken = await hold.waiter.changed(min(left, most))
        hold.is_over = self._is_gone or self._front.is_stopping or monotonic() >= hold.until
        return woken

    @asynccontextmanager
    async def _watching(self, receive: Receive) -> AsyncIterator[None]:
        """Watch for a disconnect of the client, which frees its place at once."""

        async def watch() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            self._is_gone = True
            self.hold.close()
            self.hold.waiter.wake()

        task = asyncio.create_task(watch())
        try:
            yield
        finally:
            task.cancel()
