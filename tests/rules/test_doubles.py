"""Double routes (rules 1.7)."""

import pytest

from service.boards.atlas import board
from tests.scenes import ADA, BEN, CEM, scene

SEATS = {2: "ada ben", 3: "ada ben cem", 4: "ada ben cem dora", 5: "ada ben cem dora eli"}
few = pytest.mark.parametrize("seats", [SEATS[2], SEATS[3]])
many = pytest.mark.parametrize("seats", [SEATS[4], SEATS[5]])


def test_twins_are_alike() -> None:
    """R-DBL-0: the tracks of a double route join the same cities with the same length."""
    for name in ("usa", "europe", "uk"):
        routes = board(name).routes
        for route in routes.values():
            if route.twin:
                twin = routes[route.twin]
                assert (route.id, set(route.cities), route.length) == (
                    twin.twin,
                    set(twin.cities),
                    twin.length,
                )


def test_tracks_of_different_length_are_no_twins() -> None:
    """R-DBL-0: the two tracks between Penzance and Plymouth are two single routes."""
    tracks = [
        route
        for route in board("uk").routes.values()
        if set(route.cities) == {"penzance", "plymouth"}
    ]

    assert [(2, None), (3, None)] == sorted((route.length, route.twin) for route in tracks)


@pytest.mark.parametrize("seats", SEATS.values())
def test_nobody_owns_both_tracks(seats: str) -> None:
    """R-DBL-1: a seat cannot claim the twin of its own route, with any number of seats."""
    play = scene(f"""
        usa · {seats} · turn ada
        ada holds 2 yellow
        ada owns boston-new_york-red
    """)

    refusal = play.refused("ada: claim boston-new_york-yellow with 2 yellow")
    rule = "R-DBL-1" if "dora" in seats else "R-DBL-2"
    assert ("illegal", rule) == (refusal.code, refusal.rule)
    assert [] == play.texts(ADA, "claim boston-new_york")


def test_reason_with_four_seats() -> None:
    """R-DBL-1: the refusal says that the other track is the seat's own."""
    play = scene("""
        usa · ada ben cem dora · turn ada
        ada holds 2 yellow
        ada owns boston-new_york-red
    """)

    refusal = play.refused("ada: claim boston-new_york-yellow with 2 yellow")
    assert "The other track of Boston–New York (yellow) is already yours." == refusal.sentence


@few
def test_claim_closes_the_twin(seats: str) -> None:
    """R-DBL-2: with two or three seats a claimed track closes its twin to everyone."""
    play = scene(f"""
        usa · {seats} · turn ada
        ada holds 2 red
        ben holds 2 yellow
    """).do("ada: claim boston-new_york-red with 2 red")

    refusal = play.refused("ben: claim boston-new_york-yellow with 2 yellow")
    assert ("illegal", "R-DBL-2") == (refusal.code, refusal.rule)
    assert (
        "Boston–New York (yellow) is closed: its other track has been claimed." == refusal.sentence
    )
    assert [] == play.texts(BEN, "claim boston-new_york")


def test_twin_stays_closed() -> None:
    """R-DBL-2: the twin is closed for the rest of the game."""
    play = scene("""
        usa · ada ben · turn ada
        ada holds 2 red
        ben holds 2 yellow
    """).do("ada: claim boston-new_york-red with 2 red", "ben: draw", "ben: draw")
    play.do("ada: draw", "ada: draw")

    assert "R-DBL-2" == play.refused("ben: claim boston-new_york-yellow with 2 yellow").rule


@few
def test_single_routes_close_nothing(seats: str) -> None:
    """R-DBL-2: a route without a twin closes no other."""
    play = scene(f"""
        usa · {seats} · turn ada
        ada holds 3 red
        ben holds 4 locomotive
    """)
    before = len(play.rules.board.routes)
    play.do("ada: claim chicago-duluth with 3 red")

    open_to_ben = {text.split()[1] for text in play.texts(BEN, "claim")}
    short = [route for route in play.rules.board.routes.values() if route.length <= 4]
    assert {route.id for route in short} - {"chicago-duluth"} == open_to_ben
    assert before > len(open_to_ben)


@many
def test_both_tracks_by_different_seats(seats: str) -> None:
    """R-DBL-3: with four or five seats another seat may claim the other track."""
    play = scene(f"""
        usa · {seats} · turn ada
        ada holds 2 red
        ben holds 2 yellow
        cem holds 2 red 2 yellow
    """).do(
        "ada: claim boston-new_york-red with 2 red",
        "ben: claim boston-new_york-yellow with 2 yellow",
    )

    owners = play.network.owners
    assert ((ADA,), (BEN,)) == (owners["boston-new_york-red"], owners["boston-new_york-yellow"])
    assert [] == play.texts(CEM, "claim boston-new_york")


def test_like_tracks_stand_for_each_other() -> None:
    """R-DBL-3: of two free tracks that cost the same the first is meant, then the other."""
    play = scene("""
        usa · ada ben cem dora · turn ada
        ada holds 2 red
        ben holds 2 red
    """).do("ada: claim boston-montreal with 2 red", "ben: claim montreal-boston with 2 red")

    owners = play.network.owners
    assert ((ADA,), (BEN,)) == (owners["boston-montreal-1"], owners["boston-montreal-2"])
