"""The lane of most channels: one message after another, with the next ones composed ahead."""

import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
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


class InOrder(Generic[Message]):
    """Sends what is due on a channel in one thread, and composes in another."""

    def __init__(
        self, desk: Desk, stopping: threading.Event, channel: Channel, sender: Sender[Message]
    ) -> None:
        self._desk = desk
        self._stopping = stopping
        self._channel = channel
        self._sender = sender
        self._sending = WorkLoop(channel.name, self._stopping, self._send_all)
        self._composing = ThreadPoolExecutor(1, thread_name_prefix=f"{channel.name} composing")

    def start(self) -> None:
        self._sending.start()

    def wake(self) -> None:
        """Look for due deliveries now."""
        self._sending.wake()

    def join(self) -> None:
        """Wait for the message that is being sent; the others are given back."""
        self._sending.join()
        self._composing.shutdown()
        self._sender.close()

    def _send_all(self) -> None:
        ahead: deque[tuple[list[Delivery], Future[Message | None]]] = deque()
        while True:
            if len(ahead) <= CLAIMED // 2 and not self._stopping.is_set():
                for claimed in outbox.claim(self._desk, self._channel, CLAIMED):
                    ahead.append((claimed, self._composing.submit(self._sender.compose, claimed)))
            if not ahead:
                return
            deliveries, message = ahead.popleft()
            wait([] if self._stopping.is_set() else [message])
            if self._stopping.is_set() or not outbox.is_in_time(self._desk, deliveries):
                message.cancel()
                outbox.give_back(self._desk, deliveries)
                continue
            # Settled before the next is sent: so a crash sends at most one message twice.
            outcome = attempted(self._send, deliveries, message)
            outbox.settle(self._desk, [(delivery, outcome) for delivery in deliveries])

    def _send(self, deliveries: list[Delivery], composing: Future[Message | None]) -> Outcome:
        message = composing.result()
        if message is None:
            return Outcome("superseded")
        return self._sender.deliver(deliveries, message)
