"""Standing orders: a thread that plays what players have ordered.

It is a thread of its own, so that neither thinking bots nor slow deliveries delay it.
"""

import threading

from service.desk import Desk
from service.games.ordering import carrying_out
from workers.lanes.work_loop import WorkLoop


class Orders:
    """Carries out orders when they are due."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._stopping = threading.Event()
        self._playing = WorkLoop("orders", self._stopping, self._play)

    def start(self) -> None:
        self._playing.start()

    def wake(self) -> None:
        """Look for orders that are due now."""
        self._playing.wake()

    def stop(self) -> None:
        """Finish the turn that is being played."""
        self._stopping.set()
        self._playing.wake()
        self._playing.join()

    def _play(self) -> float | None:
        """Carry out all orders that are due; return the seconds until the next are."""
        while not self._stopping.is_set() and carrying_out.play_next(self._desk):
            pass
        return carrying_out.seconds_left(self._desk)
