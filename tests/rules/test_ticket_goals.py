"""Tickets as goals: what they lack, and whether they can still be completed."""

from engine import Goal
from engine.display import goals
from tests.scenes import ADA, scene


def _goals(text: str) -> dict[str, Goal]:
    play = scene(text)
    return {goal.id: goal for goal in goals(play.rules, play.state, ADA)}


def test_a_ticket_lacks_the_rest_of_a_shortest_way() -> None:
    """Own routes are part of the way, and the routes of others are not."""
    goal = _goals("""
        usa · ada ben · turn ada
        ada has tickets boston-miami
        ada owns boston-new_york-red
        ben owns charleston-miami new_york-pittsburgh-white
    """)["boston-miami"]
    assert (False, False) == (goal.done, goal.lost)
    assert goal.missing is not None
    assert ("new_york-washington", "raleigh-washington", "atlanta-raleigh", "atlanta-miami") == (
        tuple("-".join(id.split("-")[:2]) for id in goal.missing)
    )


def test_a_completed_ticket_lacks_nothing() -> None:
    """A ticket whose cities are connected is done and lacks nothing."""
    goal = _goals("""
        usa · ada ben · turn ada
        ada has tickets denver-el_paso
        ada owns denver-santa_fe el_paso-santa_fe
    """)["denver-el_paso"]
    assert (True, (), False) == (goal.done, goal.missing, goal.lost)


def test_a_ticket_is_lost_without_a_free_way() -> None:
    """Where nothing can be borrowed, a ticket whose city is cut off is lost."""
    goal = _goals("""
        usa · ada ben · turn ada
        ada has tickets boston-miami
        ben owns charleston-miami atlanta-miami miami-new_orleans
    """)["boston-miami"]
    assert (None, True) == (goal.missing, goal.lost)


def test_a_ticket_is_lost_without_enough_trains() -> None:
    """A way that takes more trains than are left is none."""
    goal = _goals("""
        usa · ada ben · turn ada
        ada has tickets boston-miami
        ada has 5 trains
    """)["boston-miami"]
    assert (None, True) == (goal.missing, goal.lost)


def test_a_station_may_still_help() -> None:
    """R-STA-5: where routes can be borrowed, a ticket without a free way is not lost."""
    goal = _goals("""
        europe · ada ben · turn ada
        ada has tickets edinburgh-paris
        ben owns edinburgh-london-black
    """)["edinburgh-paris"]
    assert (None, False) == (goal.missing, goal.lost)


def test_a_borrowed_route_is_part_of_the_way() -> None:
    """R-STA-5: a route that a station borrows costs nothing, as in the final scoring."""
    ticket_goals = _goals("""
        europe · ada ben · turn ada
        ada has tickets edinburgh-paris london-wien
        ada has stations in london
        ada owns dieppe-paris dieppe-london-1
        ben owns edinburgh-london-black
    """)
    assert (True, ()) == (
        ticket_goals["edinburgh-paris"].done,
        ticket_goals["edinburgh-paris"].missing,
    )
    assert ticket_goals["london-wien"].missing
    assert not any("london" in id for id in ticket_goals["london-wien"].missing)


def test_a_right_that_can_be_bought_may_still_help() -> None:
    """R-TECH-3: routes that need a technology are used only where nothing else leads there."""
    plain = _goals("""
        uk · ada ben · turn ada
        ada has tickets london-brighton
    """)["london-brighton"]
    wales = _goals("""
        uk · ada ben · turn ada
        ada has tickets aberystwyth-cardiff
    """)["aberystwyth-cardiff"]
    assert (("brighton-london",), False) == (plain.missing, plain.lost)
    assert wales.missing
    assert not wales.lost
