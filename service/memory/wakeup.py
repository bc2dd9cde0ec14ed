"""Telling those who deliver that there is something to deliver.

Nothing is lost when nobody hears it: whoever delivers also looks by itself, now and then.
"""

from collections.abc import Callable
from typing import Protocol


class Doorbell(Protocol):
    def ring(self) -> None:
        """Something waits to be delivered. Returns at once, and never fails."""


class Nobody:
    """There is nobody to tell: this process does not deliver, and there is no Redis."""

    def ring(self) -> None:
        pass


class Here:
    """Wakes those who deliver in this process, once they are there."""

    def __init__(self) -> None:
        self.wake: Callable[[], None] = lambda: None

    def ring(self) -> None:
        self.wake()
