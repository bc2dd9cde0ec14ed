"""Waking the workers of this process."""

from service.desk import Desk
from service.memory.wakeup import LocalWakeup, NoWakeup
from tests.service.support.tables import table
from tests.service.support.timing import table_at


def test_workers_are_woken_once_they_listen() -> None:
    """Each wake-up wakes them; one before they have set `wake` is lost and does no harm."""
    wakeup, woken = LocalWakeup(), list[str]()
    wakeup.send()
    wakeup.wake = lambda: woken.append("woken")
    assert [] == woken

    wakeup.send()
    wakeup.send()
    assert ["woken", "woken"] == woken


def test_a_move_wakes_the_workers(desk: Desk) -> None:
    """The deal of a game wakes the workers: there are letters to send, and a bot may have to move.

    Without a wakeup the game is stored as well.
    """
    wakeup, woken = LocalWakeup(), list[str]()
    wakeup.wake = lambda: woken.append("woken")
    game, _ = table(desk._replace(wakeup=wakeup), "Ada", "Ben")
    silent, _ = table(desk._replace(wakeup=NoWakeup()), "Cem", "Dora")

    assert woken
    assert ["running", "running"] == [table_at(desk, id).status for id in (game, silent)]
