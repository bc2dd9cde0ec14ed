"""Household: everything that is done without a request, as threads of one process."""

import threading

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


class Household:
    """Delivers, keeps the clocks and takes mail in, beside whoever answers requests."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self._deliverer = deliverer_at(desk)
        self._stopping = threading.Event()
        self._clock = threading.Thread(
            target=Clock(self.desk).run, args=(self._stopping,), name="clock", daemon=True
        )
        self._inbox = Inbox(self.desk)

    def start(self) -> None:
        self._deliverer.start()
        self._clock.start()
        self._inbox.start()

    def stop(self) -> None:
        """Finish what has been begun."""
        self._stopping.set()
        self._inbox.stop()
        self._deliverer.stop()
        self._clock.join()
