"""A thread that repeats its work as long as its process lives."""

import threading
from collections.abc import Callable

import structlog

LOOK_EVERY = 1.0
"""Seconds between two runs when nobody wakes the thread."""
PAUSE = 5.0
"""Seconds to wait after an error, such as a database that cannot be reached."""

log = structlog.get_logger()


class WorkLoop:
    """A thread that works whenever it is woken, and at least every `LOOK_EVERY` seconds.

    Work may return the number of seconds after which it wants to run again, if that is sooner.
    """

    def __init__(
        self, name: str, stopping: threading.Event, work: Callable[[], float | None]
    ) -> None:
        self._name = name
        self._stopping = stopping
        self._work = work
        self._woken = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        """Run the work now, or once more if it is running."""
        self._woken.set()

    def join(self) -> None:
        """Wait for the thread to end, if it was ever started."""
        join_started(self._thread)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._woken.clear()
            try:
                seconds = self._work()
            except BaseException:  # such as a database that cannot be reached: it comes back
                log.exception("background work failed; trying again", part=self._name)
                self._stopping.wait(PAUSE)
            else:
                self._woken.wait(LOOK_EVERY if seconds is None else min(seconds, LOOK_EVERY))


def join_started(thread: threading.Thread) -> None:
    """Join a thread that may never have been started, if a signal came in between."""
    if thread.ident is not None:
        thread.join()
