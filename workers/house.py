"""The house: plays where it is awaited, as long as its process lives.

It has a thread of its own, so that bots that think hold up neither mail nor hooks.
"""

import threading

from service import house
from service.desk import Desk
from workers.rounds import Round


class House:
    """Plays for the house, one game after the other."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._stopping = threading.Event()
        self._round = Round("house", self._stopping, self._play)

    def start(self) -> None:
        self._round.start()

    def wake(self) -> None:
        """The house may be awaited somewhere."""
        self._round.wake()

    def stop(self) -> None:
        """Finish the turn that is being played, and nothing more."""
        self._stopping.set()
        self._round.wake()
        self._round.join()

    def _play(self) -> None:
        while not self._stopping.is_set() and house.play_next(self._desk):
            pass
