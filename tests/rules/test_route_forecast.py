"""What planned routes still need, one after the other, on every kind of board."""

from engine.forecast import DONE, EXCESS, LOCKED, LOST, OPEN, Forecast, forecast
from tests.scenes import ADA, Scene, scene


def _planned(here: Scene, *routes: str) -> Forecast:
    return forecast(here.rules, here.state, ADA, routes)


def _statuses(here: Scene, *routes: str) -> list[str]:
    return [prospect.status for prospect in _planned(here, *routes).prospects]


def test_a_hand_is_spent_only_once() -> None:
    """Each route is paid from what the routes before it leave, and the missing cards add up."""
    here = scene("usa · ada ben · turn ada\nada holds 5 green 2 locomotive")
    planned = _planned(here, "el_paso-houston", "little_rock-new_orleans", "calgary-winnipeg")

    assert ["", "2 green or locomotives", "6 white or locomotives"] == [
        prospect.shortfall.words for prospect in planned.prospects
    ]
    assert (("green", 2), ("white", 6)) == planned.missing
    assert (15, 45, 15 + 4 + 15) == (planned.trains, planned.trains_left, planned.points)


def test_the_order_decides_who_gets_the_cards() -> None:
    """What comes first is paid first."""
    here = scene("usa · ada ben · turn ada\nada holds 5 green 1 locomotive")
    planned = _planned(here, "little_rock-new_orleans", "el_paso-houston")

    assert ["", "3 green or locomotives"] == [
        prospect.shortfall.words for prospect in planned.prospects
    ]


def test_what_a_hand_pays_takes_what_the_thriftiest_payment_takes() -> None:
    """A gray route takes the colour that leaves most in hand, and no locomotive without need."""
    here = scene("usa · ada ben · turn ada\nada holds 4 green 1 red 1 locomotive")
    planned = _planned(here, "dallas-houston-1", "el_paso-houston")

    assert ["", "2 green or locomotives"] == [
        prospect.shortfall.words for prospect in planned.prospects
    ]


def test_one_route_that_nothing_fits_is_not_lost() -> None:
    """A gray route without any card needs any one colour."""
    here = scene("usa · ada ben · turn ada")
    planned = _planned(here, "houston-new_orleans")

    assert ((None, 2),) == planned.missing
    assert "2 of one colour or locomotives" == planned.prospects[0].shortfall.words


def test_claimed_routes_are_lost_and_own_ones_done() -> None:
    """R-CLAIM-1: a route of another seat can never be claimed; an own one is done."""
    here = scene("usa · ada ben · turn ada\nada owns duluth-helena\nben owns el_paso-houston")
    planned = _planned(here, "duluth-helena", "el_paso-houston")

    assert [DONE, LOST] == [prospect.status for prospect in planned.prospects]
    assert "El Paso–Houston belongs to another player." == planned.prospects[1].reason
    assert (0, 0, ()) == (planned.trains, planned.points, planned.missing)


def test_a_closed_track_is_lost() -> None:
    """R-DBL-2: with two seats the other track of a claimed one is closed."""
    here = scene("usa · ada ben · turn ada\nben holds 1 red\nada holds 1 red").do(
        "ada: draw deck", "ada: draw deck", "ben: claim dallas-houston-1 with 1 red"
    )
    (lost,) = _planned(here, "dallas-houston-2").prospects

    assert (LOST, True) == (lost.status, "is closed" in lost.reason)


def test_both_tracks_are_too_many() -> None:
    """R-DBL-1: only the first of two tracks counts, and an own track closes the other."""
    here = scene("usa · ada ben cem dora · turn ada")
    assert [OPEN, EXCESS] == _statuses(here, "dallas-houston-1", "dallas-houston-2")

    here = scene("usa · ada ben cem dora · turn ada\nada owns dallas-houston-1")
    assert [LOST] == _statuses(here, "dallas-houston-2")


def test_trains_are_spent_only_once() -> None:
    """R-CLAIM-2: a route is lost without the trains for it alone, in excess after others."""
    here = scene("usa · ada ben · turn ada\nada has 6 trains")
    planned = _planned(here, "houston-new_orleans", "el_paso-houston", "dallas-houston-1")

    assert [OPEN, EXCESS, OPEN] == [prospect.status for prospect in planned.prospects]
    assert (3, 6) == (planned.trains, planned.trains_left)
    here = scene("usa · ada ben · turn ada\nada has 5 trains")
    assert [LOST] == _statuses(here, "el_paso-houston")


def test_a_ticket_is_completed_by_what_is_planned_and_owned() -> None:
    """Tickets count that the planned routes complete together with own ones, and no others."""
    here = scene(
        "usa · ada ben · turn ada\nada owns el_paso-houston\n"
        "ada has tickets denver-el_paso kansas_city-houston"
    )
    assert () == _planned(here, "denver-santa_fe").completes
    planned = _planned(here, "denver-santa_fe", "el_paso-santa_fe")

    assert ["denver-el_paso"] == [ticket.id for ticket in planned.completes]


def test_a_lost_route_completes_nothing() -> None:
    """What cannot be claimed does not count for tickets."""
    here = scene(
        "usa · ada ben · turn ada\nben owns el_paso-santa_fe\nada has tickets denver-el_paso"
    )

    assert () == _planned(here, "denver-santa_fe", "el_paso-santa_fe").completes


def test_technologies_can_still_be_bought() -> None:
    """R-TECH-3: a route that needs a technology is locked with the reason, and counts."""
    here = scene("uk · ada ben · turn ada")
    planned = _planned(here, "aberdeen-dundee")

    assert LOCKED == planned.prospects[0].status
    assert "Scotland Concession" in planned.prospects[0].reason
    assert 1 == planned.trains
    here = scene("uk · ada ben · turn ada\nada has technologies scotland_concession")
    assert [OPEN] == _statuses(here, "aberdeen-dundee")


def test_right_of_way_keeps_routes_of_others_possible() -> None:
    """R-TECH-12: where a right to claim others' routes can be bought, they are locked, not lost."""
    here = scene("uk · ada ben · turn ada\nben owns aberdeen-dundee")
    (locked,) = _planned(here, "aberdeen-dundee").prospects

    assert (LOCKED, True) == (locked.status, "belongs to another player" in locked.reason)


def test_fewer_units_are_missing_with_diesel_power() -> None:
    """R-ADV-5: units that may be left out are not missing."""
    advanced = "uk advanced_technologies · ada ben · turn ada\nada holds 2 white"
    here = scene(f"{advanced}\nada has technologies scotland_concession diesel_power")
    three = [
        route.id
        for route in here.rules.board.routes.values()
        if route.colour == "white" and route.length >= 4
    ]
    here = scene(f"{advanced}")
    without = _planned(here, three[0]).missing
    here = scene(f"{advanced}\nada has technologies scotland_concession diesel_power")
    with_it = _planned(here, three[0]).missing

    assert without[0][1] == with_it[0][1] + 1


def test_dice_name_trains_and_points_only() -> None:
    """With dice nothing is missing that could be named."""
    here = scene("usa dice · ada ben · turn ada")
    planned = _planned(here, "el_paso-houston", "houston-new_orleans")

    assert ((), 8) == (planned.missing, planned.trains)
    assert ["", ""] == [prospect.shortfall.words for prospect in planned.prospects]


def test_other_routes_are_those_that_may_be_claimed_some_day() -> None:
    """Neither planned nor claimed routes are offered to be planned."""
    here = scene("usa · ada ben · turn ada\nada owns duluth-helena\nben owns el_paso-houston")
    others = _planned(here, "houston-new_orleans").others

    assert {"duluth-helena", "el_paso-houston", "houston-new_orleans"}.isdisjoint(others)
    assert "dallas-houston-1" in others
