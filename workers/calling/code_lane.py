"""A lane that also waits for the codes with which new destinations are connected."""

from collections.abc import Sequence
from threading import Event
from typing import Protocol

from service.desk import Desk
from service.notify.channels import Lane
from service.notify.destinations import connecting
from service.notify.destinations.connecting import Waiting
from workers.lanes.work_loop import WorkLoop

LOOK_EVERY = 3.0
"""Seconds between two looks while a code may arrive."""


class Reader(Protocol):
    """Reads what people send to us."""

    def look(self, waiting: Sequence[Waiting]) -> None:
        """Connect the destinations whose codes have arrived."""

    def close(self) -> None:
        """Close all connections."""


class CodeLane:
    """Sends messages, and looks for codes while there is a destination that waits for one."""

    def __init__(
        self,
        desk: Desk,
        stopping: Event,
        name: str,
        sending: Lane,
        reader: Reader,
    ) -> None:
        self._desk = desk
        self._stopping = stopping
        self._name = name
        self._sending = sending
        self._reader = reader
        self._looking = WorkLoop(f"{name} codes", stopping, self._look_for_codes)

    def start(self) -> None:
        self._sending.start()
        self._looking.start()

    def wake(self) -> None:
        """Look for due deliveries now."""
        self._sending.wake()
        if self._stopping.is_set():
            self._looking.wake()

    def join(self) -> None:
        """Wait until what is being sent has been sent."""
        self._looking.join()
        self._reader.close()
        self._sending.join()

    def _look_for_codes(self) -> None:
        waiting = connecting.waiting(self._desk, self._name)
        if waiting:
            self._reader.look(waiting)
            self._stopping.wait(LOOK_EVERY)
