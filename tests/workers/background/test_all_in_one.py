from service.desk import Desk
from workers.background.all_in_one import AllInOne


def test_stops_before_it_has_started(desk: Desk) -> None:
    """A signal may come while the threads are being started; those that never were are no fault."""
    AllInOne(desk).stop()


def test_stops_what_has_started(desk: Desk) -> None:
    """No thread of it is left behind."""
    all_in_one = AllInOne(desk)
    all_in_one.start()

    all_in_one.stop()

    assert not all_in_one._clock.is_alive()
    assert not all_in_one._inbox.is_alive()
