"""Household: everything that is done without a request, as threads of one process."""

import threading

import structlog

from service.desk import Desk
from service.doorbell import Here
from workers.clock import Clock
from workers.deliverer import Deliverer
from workers.inbox import Inbox
from workers.mail import Mail
from workers.webhooks import Webhooks


def deliverer_at(desk: Desk) -> tuple[Desk, Deliverer]:
    """Somebody who delivers, and a desk whose doorbell wakes exactly them."""
    bell = Here()
    desk = desk._replace(doorbell=bell)
    deliverer = Deliverer(desk, Mail(desk), Webhooks(desk))
    bell.wake = deliverer.wake
    return desk, deliverer


AGAIN = 5.0
"""Seconds after which an address is tried again that somebody else has taken."""

log = structlog.get_logger()


class Household:
    """Delivers, keeps the clocks and takes mail in, beside whoever answers requests."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self._deliverer = deliverer_at(desk)
        self._stopping = threading.Event()
        self._clock = threading.Thread(
            target=Clock(self.desk).run, args=(self._stopping,), name="clock", daemon=True
        )
        self._inbox = threading.Thread(target=self._take_in, name="inbox", daemon=True)

    def start(self) -> None:
        self._deliverer.start()
        self._clock.start()
        self._inbox.start()

    def stop(self) -> None:
        """Finish what has been begun."""
        self._stopping.set()
        self._deliverer.stop()
        self._clock.join()
        self._inbox.join()

    def _take_in(self) -> None:
        """Take mail in, as soon as nobody else does so at our address."""
        told = False
        while not self._stopping.is_set():
            inbox = Inbox(self.desk)
            try:
                inbox.start()
            except OSError as error:
                if not told:
                    log.warning("cannot take mail in yet", reason=error.strerror or str(error))
                told = True
                self._stopping.wait(AGAIN)
            else:
                self._stopping.wait()
                inbox.stop()
