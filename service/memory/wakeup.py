"""Wakes the background workers when there is work for them.

A lost wake-up does no harm: the workers poll the database as well.
"""

from collections.abc import Callable
from typing import Protocol


class Wakeup(Protocol):
    """A way to wake the background workers."""

    def send(self) -> None:
        """Wake the workers. Returns at once, and never fails."""


class NoWakeup:
    """Wakes nobody: no worker runs in this process, and there is no Redis."""

    def send(self) -> None:
        pass


class LocalWakeup:
    """Wakes the workers of this process, once they have set `wake`."""

    def __init__(self) -> None:
        self.wake: Callable[[], None] = lambda: None

    def send(self) -> None:
        self.wake()
