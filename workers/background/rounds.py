"""Rounds: work that is done again and again, as long as a process lives."""

import threading
from collections.abc import Callable

import structlog

LOOK_EVERY = 1.0
"""Seconds between two looks when nobody rings."""
PAUSE = 5.0
"""Seconds to wait after something went wrong, such as a database that is away."""

log = structlog.get_logger()


class Round:
    """A thread that does its work whenever it is woken, and by itself every now and then.

    Work may return after how many seconds it wants to be done again, if that is sooner.
    """

    def __init__(
        self, name: str, stopping: threading.Event, work: Callable[[], float | None]
    ) -> None:
        self._name = name
        self._stopping = stopping
        self._work = work
        self._rung = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        self._rung.set()

    def join(self) -> None:
        """Wait for the thread to end, if it was ever started."""
        join_started(self._thread)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._rung.clear()
            try:
                again = self._work()
            except BaseException:  # such as a database that is away: it comes back
                log.exception("a round has to wait", part=self._name)
                self._stopping.wait(PAUSE)
            else:
                self._rung.wait(LOOK_EVERY if again is None else min(again, LOOK_EVERY))


def join_started(thread: threading.Thread) -> None:
    """Wait for a thread that may never have started: a signal can stop us in the middle of it."""
    if thread.ident is not None:
        thread.join()
