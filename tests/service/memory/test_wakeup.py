"""Waking the workers of this process."""

from service.desk import Desk
from service.memory.wakeup import LocalDoorbell, NoDoorbell
from tests.service.tables import table
from tests.service.timing import table_at


def test_workers_are_woken_once_they_listen() -> None:
    """Each ring wakes them; one before they have set `wake` is lost and does no harm."""
    doorbell, woken = LocalDoorbell(), list[str]()
    doorbell.ring()
    doorbell.wake = lambda: woken.append("woken")
    assert [] == woken

    doorbell.ring()
    doorbell.ring()
    assert ["woken", "woken"] == woken


def test_a_move_rings(desk: Desk) -> None:
    """The deal of a game wakes the workers: there are letters to send, and a bot may have to move.

    Without a doorbell the game is stored as well.
    """
    doorbell, woken = LocalDoorbell(), list[str]()
    doorbell.wake = lambda: woken.append("woken")
    game, _ = table(desk._replace(doorbell=doorbell), "Ada", "Ben")
    silent, _ = table(desk._replace(doorbell=NoDoorbell()), "Cem", "Dora")

    assert woken
    assert ["running", "running"] == [table_at(desk, id).status for id in (game, silent)]
