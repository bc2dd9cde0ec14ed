"""Household: everything that is done without a request, as threads of one process."""

import threading

import structlog

from service.desk import Desk
from service.memory.wakeup import Here
from workers.background.clock import Clock
from workers.background.deliverer import Deliverer
from workers.background.house import House
from workers.background.rounds import join_started
from workers.channels.mail.channel import Mail
from workers.channels.webhook.channel import Webhooks
from workers.inbox.server import Inbox

AGAIN = 5.0
"""Seconds after which an address is tried again that somebody else has taken."""

log = structlog.get_logger()


class Staff:
    """Those who hear the doorbell: whoever delivers, and whoever plays for the house."""

    def __init__(self, desk: Desk) -> None:
        bell = Here()
        self.desk = desk._replace(doorbell=bell)
        """A desk whose doorbell wakes exactly them."""
        self._members = (
            Deliverer(self.desk, Mail(self.desk), Webhooks(self.desk)),
            House(self.desk),
        )
        bell.wake = self.wake

    def start(self) -> None:
        for one in self._members:
            one.start()

    def wake(self) -> None:
        """There may be something to do."""
        for one in self._members:
            one.wake()

    def stop(self) -> None:
        """Finish what has been begun."""
        for one in self._members:
            one.stop()


class Household:
    """Delivers, plays, keeps the clocks and takes mail in, beside whoever answers requests."""

    def __init__(self, desk: Desk) -> None:
        self._staff = Staff(desk)
        self.desk = self._staff.desk
        self._stopping = threading.Event()
        self._clock = threading.Thread(
            target=Clock(self.desk).run, args=(self._stopping,), name="clock", daemon=True
        )
        self._inbox = threading.Thread(target=self._take_in, name="inbox", daemon=True)

    def start(self) -> None:
        self._staff.start()
        self._clock.start()
        self._inbox.start()

    def stop(self) -> None:
        """Finish what has been begun."""
        self._stopping.set()
        self._staff.stop()
        join_started(self._clock)
        join_started(self._inbox)

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
