"""The clock: reminds those who are awaited, and plays for those whose time is over."""

import threading
import time

import structlog

from service import housekeeping
from service.clocks import deadlines
from service.desk import Desk

TIDY_EVERY = 3600.0
AFTER_A_FAULT = 2.0

log = structlog.get_logger()


class Clock:
    """Sweeps when something is due; any number of them may do so side by side."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tidied = float("-inf")

    def run(self, stop: threading.Event) -> None:
        """Keep all clocks until somebody stops this one."""
        while not stop.is_set():
            stop.wait(self._round())

    def _round(self) -> float:
        """Do what is due; how many seconds there is nothing to do then."""
        try:
            deadlines.sweep(self._desk)
            if time.monotonic() - self._tidied >= TIDY_EVERY:
                self._tidied = time.monotonic()
                housekeeping.tidy(self._desk)
            return deadlines.pause(self._desk)
        except Exception:
            log.exception("the clock has to wait")
            return AFTER_A_FAULT
