from service.desk import Desk
from workers.background.all_in_one import Household


def test_stops_before_it_has_started(desk: Desk) -> None:
    """A signal may come while the threads are being started; those that never were are no fault."""
    Household(desk).stop()


def test_stops_what_has_started(desk: Desk) -> None:
    """No thread of it is left behind."""
    household = Household(desk)
    household.start()

    household.stop()

    assert not household._clock.is_alive()
    assert not household._inbox.is_alive()
