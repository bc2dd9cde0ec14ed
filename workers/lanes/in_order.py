"""The lane of most channels: one message after another, with the next ones composed ahead.

A message that takes long, because a server is slow, does not hold up the next one: it goes on
being sent in its own thread, and its lease is renewed meanwhile.
"""

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Generic

from service.desk import Desk
from service.notify import outbox
from service.notify.channels import Channel
from service.notify.outbox import Delivery, Outcome
from workers.lanes.sender import Message, Sender, attempted
from workers.lanes.work_loop import WorkLoop

CLAIMED = 20
"""Deliveries that are claimed at a time and composed while those before them are sent; what
cannot be sent before its lease ends is given back."""
PATIENCE = 3.0
"""Seconds after which the next message is sent, although the one before is still being sent."""
MOST_SLOW = 10
"""Messages that may take longer at the same time; until one is done, no other is begun."""
GRACE = 15.0
"""Seconds that messages have to be finished when the process stops."""
TO_END = 2.0
"""Seconds that they have to end after their connections were closed."""


class InOrder(Generic[Message]):
    """Sends what is due on a channel, and composes by another thread."""

    def __init__(
        self, desk: Desk, stopping: threading.Event, channel: Channel, sender: Sender[Message]
    ) -> None:
        self._desk = desk
        self._stopping = stopping
        self._channel = channel
        self._sender = sender
        self._sending = WorkLoop(channel.name, self._stopping, self._send_all)
        self._composing = ThreadPoolExecutor(1, thread_name_prefix=f"{channel.name} composing")
        self._running: list[_Attempt] = []
        """Messages that are being sent, or were sent and are not settled yet."""

    def start(self) -> None:
        self._sending.start()

    def wake(self) -> None:
        """Look for due deliveries now."""
        self._sending.wake()

    def join(self) -> None:
        """Wait for messages that are being sent, but not for ever; the others are given back.

        A message whose server does not answer in time is sent again, with the same id.
        """
        self._sending.join()
        self._composing.shutdown()
        self._wait_for_running(GRACE)
        self._sender.close()
        self._wait_for_running(TO_END)
        for attempt in list(self._running):
            self._settle(attempt, Outcome("again", error="the worker was stopped"))

    def _wait_for_running(self, seconds: float) -> None:
        self._settle_finished()  # and renew the leases of the others
        wait([attempt.outcome for attempt in self._running], timeout=seconds)
        self._settle_finished()

    def _send_all(self) -> None:
        ahead: deque[tuple[list[Delivery], Future[Message | None]]] = deque()
        while True:
            self._settle_finished()
            is_free = len(self._running) < MOST_SLOW and not self._stopping.is_set()
            if is_free and len(ahead) <= CLAIMED // 2:
                for claimed in outbox.claim(self._desk, self._channel, CLAIMED):
                    ahead.append((claimed, self._composing.submit(self._sender.compose, claimed)))
            if not ahead:
                return
            deliveries, message = ahead.popleft()
            wait([message] if is_free and not self._stopping.is_set() else [])
            if (
                not is_free
                or self._stopping.is_set()
                or not outbox.is_in_time(self._desk, deliveries)
            ):
                message.cancel()
                outbox.give_back(self._desk, deliveries)
                continue
            # Settled before the next is sent: so a crash sends at most one message twice, and
            # besides only those that are slow.
            attempt = _Attempt(deliveries, partial(self._send, deliveries, message))
            self._running.append(attempt)
            wait([attempt.outcome], timeout=PATIENCE)

    def _send(self, deliveries: list[Delivery], composing: Future[Message | None]) -> Outcome:
        message = composing.result()
        if message is None:
            return Outcome("superseded")
        return self._sender.deliver(deliveries, message)

    def _settle_finished(self) -> None:
        """Settle messages that were sent meanwhile, and renew the leases of the others."""
        for attempt in list(self._running):
            if attempt.outcome.done():
                self._settle(attempt, attempt.outcome.result())
            elif not outbox.is_in_time(self._desk, attempt.deliveries):
                attempt.deliveries = outbox.renewed(self._desk, attempt.deliveries)

    def _settle(self, attempt: "_Attempt", outcome: Outcome) -> None:
        outbox.settle(self._desk, [(delivery, outcome) for delivery in attempt.deliveries])
        self._running.remove(attempt)


class _Attempt:
    """A message that is being sent by a thread of its own.

    The thread is a daemon: it does not keep the process alive if a server never answers.
    """

    def __init__(self, deliveries: list[Delivery], send: Callable[[], Outcome]) -> None:
        self.deliveries = deliveries
        self.outcome: Future[Outcome] = Future()
        self._send = send
        threading.Thread(target=self._run, name="sending", daemon=True).start()

    def _run(self) -> None:
        self.outcome.set_result(attempted(self._send))
