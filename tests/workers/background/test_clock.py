import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from service import housekeeping
from service.clocks import deadlines
from service.desk import Desk
from tests.service.conftest import desk_at
from tests.service.support.tables import table
from tests.service.support.timing import by_hand, sources
from workers.background import clock
from workers.background.clock import Clock


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk on a SQLite file."""
    with desk_at(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as opened:
        yield opened


@contextmanager
def _running(desk: Desk) -> Iterator[None]:
    """Run a clock in a thread, and stop it afterwards."""
    stop = threading.Event()
    thread = threading.Thread(target=Clock(desk).run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(20)
        assert not thread.is_alive()


def _becomes(what: Callable[[], bool]) -> bool:
    """Wait up to 20 seconds for a condition; returns whether it holds."""
    until = time.monotonic() + 20
    while not what() and time.monotonic() < until:
        time.sleep(0.01)
    return what()


def test_a_running_clock_plays_what_is_due(desk: Desk) -> None:
    """A running clock plays the defaults of overdue decisions by itself."""
    desk, hands = by_hand(desk)
    game, _ = table(desk, "Ada", "Ben", pace="daily")
    with _running(desk):
        hands.on(days=1)
        assert _becomes(lambda: ["clock", "clock"] == sources(desk, game))


def test_a_fault_does_not_end_the_clock(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """After errors in its sweep the clock goes on and plays what is due."""
    calls: list[Desk] = []
    sweep = deadlines.sweep

    def failing(desk: Desk) -> int:
        calls.append(desk)
        if len(calls) < 3:
            raise OSError
        return sweep(desk)

    monkeypatch.setattr(clock, "AFTER_AN_ERROR", 0.01)
    monkeypatch.setattr(deadlines, "sweep", failing)
    desk, hands = by_hand(desk)
    game, _ = table(desk, "Ada", "Ben", pace="daily")
    hands.on(days=1)
    with _running(desk):
        assert _becomes(lambda: ["clock", "clock"] == sources(desk, game))


def test_a_clock_tidies_now_and_then(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock tidies at its first sweep, and not again at the next two."""
    tidied: list[Desk] = []
    monkeypatch.setattr(housekeeping, "tidy", tidied.append)
    keeper = Clock(desk)
    for _ in range(3):
        keeper._sweep()

    assert [desk] == tidied
