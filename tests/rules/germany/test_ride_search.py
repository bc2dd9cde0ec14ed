"""The search for the ride of a passenger that takes most (R-MAR-28)."""

from engine.rules.ride_search import Leg, best_rides


def test_a_fare_is_proposed_only_for_more() -> None:
    """R-MAR-28: a ride over a route of others is proposed only if it takes more than without."""
    near = {
        "kassel": [Leg("own", "erfurt", foreign=False), Leg("foreign", "frankfurt", foreign=True)]
    }
    equal = {"kassel": 3, "erfurt": 2, "frankfurt": 2}

    assert [("kassel", "erfurt")] == [ride.cities for ride in best_rides("kassel", near, equal, 1)]
    better = [ride.cities for ride in best_rides("kassel", near, {**equal, "frankfurt": 4}, 1)]
    assert [("kassel", "erfurt"), ("kassel", "frankfurt")] == better


def test_fares_are_not_exceeded() -> None:
    """R-MAR-24: without a fare no route of others is ridden, even if it would take more."""
    own = [
        Leg("kassel-erfurt", "erfurt", foreign=False),
        Leg("kassel-mainz", "mainz", foreign=False),
    ]
    near = {
        "kassel": own,
        "erfurt": [own[0]._replace(to="kassel"), Leg("others", "mainz", foreign=True)],
        "mainz": [own[1]._replace(to="kassel"), Leg("others", "erfurt", foreign=True)],
    }
    values = {"kassel": 3, "erfurt": 2, "mainz": 1}

    assert [(0, 5)] == [
        (ride.foreign, ride.points) for ride in best_rides("kassel", near, values, 0)
    ]
    both = [(ride.foreign, ride.points) for ride in best_rides("kassel", near, values, 1)]
    assert [(0, 5), (1, 6)] == both


def test_a_city_pays_once_in_a_proposal() -> None:
    """R-MAR-23: a ride round a circle is worth no more for coming home, so it stops before."""
    ring = ["kassel", "erfurt", "mainz"]
    near = {
        here: [
            Leg(f"{here}-on", ring[at - 2], foreign=False),
            Leg(f"{ring[at - 1]}-on", ring[at - 1], foreign=False),
        ]
        for at, here in enumerate(ring)
    } | {"berlin": []}
    near["kassel"].append(Leg("branch", "berlin", foreign=False))
    values = {"kassel": 4, "erfurt": 2, "mainz": 1, "berlin": 3}

    (ride,) = best_rides("erfurt", near, values, 0)
    assert (10, 3) == (ride.points, len(ride.routes))
    (ride,) = best_rides("kassel", near, values, 0)
    assert (10, 4, "berlin") == (ride.points, len(ride.routes), ride.cities[-1])
