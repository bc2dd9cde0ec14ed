"""Waking those who wait in this process; whoever waits elsewhere looks now and then."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from engine.translate import say
from service.refusals import Refused

T = TypeVar("T")

EACH = 8
"""So many may wait for one account at a time, or for one address without an account."""
LOOK_EVERY = 0.5
"""Seconds between two looks at the database, for what other processes have done."""


class Bell:
    """Rung with the names of games and accounts for which something is new."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._from_one = max(EACH, places // 2)
        self._sitting: Counter[str] = Counter()
        self._from: Counter[str] = Counter()
        self._changed = threading.Condition()
        self._rung: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def place(self, who: str, address: str) -> Iterator[None]:
        """A place to wait in. Waiting takes a thread, so there are never more than some.

        Accounts cost nothing, so those of one network address leave room for others as well.
        """
        with self._changed:
            if (
                self._sitting[who] >= EACH
                or self._from[address] >= self._from_one
                or self._sitting.total() >= self._places
            ):
                raise Refused(
                    "rate_limited",
                    say("Too many are waiting here; ask again later."),
                    retry_after=5,
                )
            self._sitting[who] += 1
            self._from[address] += 1
        try:
            yield
        finally:
            with self._changed:
                for counted, name in ((self._sitting, who), (self._from, address)):
                    counted[name] -= 1
                    if not counted[name]:
                        del counted[name]

    def ring(self, *names: str) -> None:
        """Tell everybody who waits for one of these names."""
        with self._changed:
            heard = [name for name in names if self._waiting[name]]
            self._rung.update(heard)
            if heard:
                self._changed.notify_all()

    def wait(self, name: str, look: Callable[[], T], seconds: float) -> T:
        """What `look` finds, as soon as it is anything, or what it finds in the end."""
        until = time.monotonic() + seconds
        with self._changed:
            self._waiting[name] += 1
        try:
            while True:
                rung = self._rung[name]
                found = look()
                left = until - time.monotonic()
                if found or left <= 0:
                    return found
                with self._changed:
                    if self._rung[name] == rung:
                        self._changed.wait(min(left, LOOK_EVERY))
        finally:
            self._leave(name)

    def _leave(self, name: str) -> None:
        with self._changed:
            self._waiting[name] -= 1
            if not self._waiting[name]:
                del self._waiting[name], self._rung[name]
