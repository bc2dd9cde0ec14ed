"""The deliverer: turns notices into deliveries, and runs a lane for each channel.

Each lane has threads of its own, so that a channel whose servers hang holds up no other.
All of them look for work every second; waking them only makes it sooner.
"""

import threading
from collections.abc import Sequence

from service.desk import Desk
from service.notify import outbox
from service.notify.channels import Channel
from service.people import sessions
from workers.lanes.work_loop import WorkLoop


class Deliverer:
    """Delivers notices, by threads of this process."""

    def __init__(self, desk: Desk, channels: Sequence[Channel]) -> None:
        self._desk = desk
        self._stopping = threading.Event()
        self._lanes = [channel.lane(desk, self._stopping) for channel in channels]
        self._spreading = WorkLoop("spread", self._stopping, self._spread)

    def start(self) -> None:
        self._spreading.start()
        for lane in self._lanes:
            lane.start()

    def wake(self) -> None:
        """Look for notices and for due deliveries now; a ping to a hook comes without a notice."""
        self._spreading.wake()
        self._wake_lanes()

    def stop(self) -> None:
        """Finish what is being sent, and nothing more."""
        self._stopping.set()
        self.wake()
        self._spreading.join()
        for lane in self._lanes:
            lane.join()

    def _spread(self) -> None:
        while not self._stopping.is_set() and outbox.spread(self._desk):
            self._wake_lanes()
        # Last, so that everything else is delivered even if no address can be looked up.
        if sessions.answer_requests(self._desk):
            self._spreading.wake()

    def _wake_lanes(self) -> None:
        for lane in self._lanes:
            lane.wake()
