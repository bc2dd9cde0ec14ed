"""The clock: sends reminders, and plays defaults when deadlines have passed."""

import threading
import time

import structlog

from service import housekeeping
from service.clocks import deadlines
from service.desk import Desk

TIDY_EVERY = 3600.0
"""Seconds between two deletions of old rows."""
AFTER_AN_ERROR = 2.0
"""Seconds to wait after an error."""

log = structlog.get_logger()


class Clock:
    """Handles deadlines when they are due; several clocks may run at the same time."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tidied = float("-inf")

    def run(self, stop: threading.Event) -> None:
        """Run until `stop` is set."""
        while not stop.is_set():
            stop.wait(self._sweep())

    def _sweep(self) -> float:
        """Handle what is due; return the seconds until something is due again."""
        try:
            deadlines.sweep(self._desk)
            if time.monotonic() - self._tidied >= TIDY_EVERY:
                self._tidied = time.monotonic()
                housekeeping.tidy(self._desk)
            return deadlines.pause(self._desk)
        except Exception:
            log.exception("the clock failed; trying again")
            return AFTER_AN_ERROR
