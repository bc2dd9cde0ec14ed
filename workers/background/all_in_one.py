"""All background work as threads of one process, for `nightmail serve`."""

import threading

import structlog

from service.desk import Desk
from workers.background.background import Background
from workers.background.clock import Clock
from workers.inbox.server import Inbox
from workers.lanes.work_loop import join_started

RETRY_BIND = 5.0
"""Seconds before the inbox tries again to listen, if another process has its address."""

log = structlog.get_logger()


class AllInOne:
    """The background, the clock and the inbox, beside a web server in the same process."""

    def __init__(self, desk: Desk) -> None:
        self._background = Background(desk)
        self.desk = self._background.desk
        self._stopping = threading.Event()
        self._clock = threading.Thread(
            target=Clock(self.desk).run, args=(self._stopping,), name="clock", daemon=True
        )
        self._inbox = threading.Thread(target=self._run_inbox, name="inbox", daemon=True)

    def start(self) -> None:
        self._background.start()
        self._clock.start()
        self._inbox.start()

    def stop(self) -> None:
        """Finish what has been begun."""
        self._stopping.set()
        self._background.stop()
        join_started(self._clock)
        join_started(self._inbox)

    def _run_inbox(self) -> None:
        """Receive mail, as soon as no other process listens at our address."""
        is_logged = False
        while not self._stopping.is_set():
            inbox = Inbox(self.desk)
            try:
                inbox.start()
            except OSError as error:
                if not is_logged:
                    log.warning("cannot receive mail yet", reason=error.strerror or str(error))
                is_logged = True
                self._stopping.wait(RETRY_BIND)
            else:
                self._stopping.wait()
                inbox.stop()
