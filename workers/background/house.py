"""The house: a thread that plays the seats of house bots.

It is a thread of its own, so that thinking bots hold up no delivery.
"""

import threading

from service.desk import Desk
from service.games.bots import house
from workers.lanes.work_loop import WorkLoop


class House:
    """Plays the seats of the house, one game after another."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._answers = house.Answers()
        self._stopping = threading.Event()
        self._playing = WorkLoop("house", self._stopping, self._play)

    def start(self) -> None:
        self._playing.start()

    def wake(self) -> None:
        """Look for seats to play now."""
        self._playing.wake()

    def stop(self) -> None:
        """Finish the turn that is being played."""
        self._stopping.set()
        self._playing.wake()
        self._playing.join()

    def _play(self) -> float | None:
        """Play all seats that are awaited; return the seconds until a held answer is due."""
        while not self._stopping.is_set() and house.play_next(self._desk, self._answers):
            pass
        return self._answers.seconds_left(self._desk.now())
