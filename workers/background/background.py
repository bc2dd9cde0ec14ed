"""The background work that a process does when it is woken: deliveries, the house, orders."""

import workers.channels  # noqa: F401  # registers the channels
from service.desk import Desk
from service.memory.wakeup import LocalWakeup
from service.notify import channels
from workers.background.deliverer import Deliverer
from workers.background.house import House
from workers.background.orders import Orders


class Background:
    """The deliverer, the house and the orders, and a desk whose wakeup wakes all of them."""

    def __init__(self, desk: Desk) -> None:
        wakeup = LocalWakeup()
        self.desk = desk._replace(wakeup=wakeup)
        self._workers = (
            Deliverer(self.desk, channels.registered()),
            House(self.desk),
            Orders(self.desk),
        )
        wakeup.wake = self.wake

    def start(self) -> None:
        for worker in self._workers:
            worker.start()

    def wake(self) -> None:
        """Look for work now."""
        for worker in self._workers:
            worker.wake()

    def stop(self) -> None:
        """Finish what has been begun."""
        for worker in self._workers:
            worker.stop()
