from service.desk import Desk
from workers.background.all_in_one import AllInOne


def test_stops_before_it_has_started(desk: Desk) -> None:
    """Stopping works before any thread was started, as after an early signal."""
    AllInOne(desk).stop()


def test_stops_what_has_started(desk: Desk) -> None:
    """Stopping ends the threads of the clock and the inbox."""
    all_in_one = AllInOne(desk)
    all_in_one.start()

    all_in_one.stop()

    assert not all_in_one._clock.is_alive()
    assert not all_in_one._inbox.is_alive()
