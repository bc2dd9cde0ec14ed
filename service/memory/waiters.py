"""Wakes the coroutines of this process that wait for news of a game or of an account."""

import asyncio
import threading
from contextlib import suppress


class Waiters:
    """All waiters of this process, by topic: `game:…` or `account:…`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_topic: dict[str, set[Waiter]] = {}

    def wake(self, *topics: str) -> None:
        """Wake all waiters for these topics.

        Callable from any thread; it never blocks and never fails.
        """
        with self._lock:
            woken = {waiter for topic in topics for waiter in self._by_topic.get(topic, ())}
        for waiter in woken:
            waiter.wake()

    def wake_all(self) -> None:
        """Wake all waiters, after a gap in which news may have been missed."""
        with self._lock:
            woken = {waiter for waiters in self._by_topic.values() for waiter in waiters}
        for waiter in woken:
            waiter.wake()

    def topics(self) -> list[str]:
        """Return every topic with at least one waiter."""
        with self._lock:
            return list(self._by_topic)

    def add(self, waiter: "Waiter", topics: tuple[str, ...]) -> None:
        """Add a waiter to these topics."""
        with self._lock:
            for topic in topics:
                self._by_topic.setdefault(topic, set()).add(waiter)

    def remove(self, waiter: "Waiter", topics: tuple[str, ...]) -> None:
        """Remove a waiter, and topics without waiters."""
        with self._lock:
            for topic in topics:
                waiters = self._by_topic.get(topic, set())
                waiters.discard(waiter)
                if not waiters:
                    self._by_topic.pop(topic, None)


class Waiter:
    """A coroutine that waits; any thread may subscribe it to topics, or wake it.

    Subscribe before you look for news: what happens after the look is then never missed.
    """

    def __init__(self, waiters: Waiters, loop: asyncio.AbstractEventLoop) -> None:
        self._waiters = waiters
        self._loop = loop
        self._news = asyncio.Event()
        self._topics: tuple[str, ...] = ()

    def listen(self, *topics: str) -> None:
        """Subscribe to these topics instead of the previous ones."""
        self.close()
        self._topics = topics
        self._waiters.add(self, topics)

    def wake(self) -> None:
        """End the current wait, or the next one."""
        if not self._news.is_set():
            with suppress(RuntimeError):  # the event loop is closed
                self._loop.call_soon_threadsafe(self._news.set)

    async def changed(self, seconds: float) -> bool:
        """Wait until woken, or until the timeout; returns whether it was woken."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()
        is_woken = self._news.is_set()
        self._news.clear()
        return is_woken

    def close(self) -> None:
        """Unsubscribe."""
        self._waiters.remove(self, self._topics)
        self._topics = ()
