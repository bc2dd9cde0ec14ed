"""The house: plays where it is awaited, as long as its process lives.

It has a thread of its own, so that bots that think hold up neither mail nor hooks.
"""

import threading

from service.desk import Desk
from service.games import house
from workers.background.rounds import Round


class House:
    """Plays for the house, one game after the other."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._answers = house.Answers()
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

    def _play(self) -> float | None:
        """Play wherever the house is awaited; after how long an answer that waits is due."""
        while not self._stopping.is_set() and house.play_next(self._desk, self._answers):
            pass
        return self._answers.seconds_left(self._desk.now())
