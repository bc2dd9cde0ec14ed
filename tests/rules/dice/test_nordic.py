"""Dice on the Nordic Countries (rules 9.4)."""

import pytest

from engine.rules.tickets import TicketsRemoved
from tests.scenes import ADA, Scene, scene


def rolled(faces: str, lines: str = "") -> Scene:
    """Ada's turn after this roll."""
    return scene(f"nordic dice · ada ben · turn ada\nada rolled {faces}\n{lines}")


def ways(play: Scene, route: str) -> list[str]:
    """How Ada can pay for a route."""
    return [text.partition(" with ")[2] for text in play.texts(ADA, f"claim {route} ")]


def test_jokers_count_everywhere() -> None:
    """R-NOR-16: with dice a joker pays for a space of a plain route."""
    assert ["die 5"] == ways(rolled("4 station joker"), "alborg-arhus")
    play = rolled("3 station 2 joker").do("ada: claim goteborg-oslo with dice 4 5")
    assert 2 == play.network.points[ADA]


@pytest.mark.parametrize(
    ("faces", "listed"),
    [
        ("2 single 3 station", []),
        ("5 single", []),
        ("2 single 1 joker 2 station", ["dice 1 2 3"]),
        ("1 single 2 joker 2 station", ["dice 1 2 3"]),
    ],
)
def test_a_symbol_takes_a_joker_die(faces: str, listed: list[str]) -> None:
    """R-NOR-16, R-DICE-20: a ferry's symbol takes a joker, and no set of other dice."""
    assert listed == ways(rolled(faces), "alborg-oslo")


def test_unequal_tracks_are_double_routes() -> None:
    """R-NOR-17, R-DICE-2: both tracks of an unequal pair take double dice."""
    play = rolled("2 single 2 double 1 joker")

    assert [] == ways(rolled("5 single"), "kristiansand-stavanger-1")

    assert ["dice 3 4", "dice 3 5"] == ways(play, "kristiansand-stavanger-1")
    assert ["dice 3 4 5"] == ways(play, "kristiansand-stavanger-2")


def test_the_long_route_cannot_be_claimed() -> None:
    """R-NOR-17, R-DICE-12: Murmansk–Lieksa has one space more than all dice and tokens."""
    play = rolled("5 joker", "ada has tokens 3 single")
    refusal = play.refused("ada: claim lieksa-murmansk with dice 1 2 3 4 5 3 tokens")

    assert "R-DICE-12" == refusal.rule


def test_refused_tickets_leave_the_game() -> None:
    """R-NOR-17: tickets drawn for dice and refused do not go under the deck."""
    play = rolled("2 station 3 single", "next tickets: oslo-vaasa oslo-stavanger").do(
        "ada: tickets with dice 1 2", "ada: keep none"
    )

    assert TicketsRemoved(2) in play.events
    assert (44, ()) == (play.tickets.fresh, play.tickets.under)


def test_a_tunnel_on_this_board() -> None:
    """R-DICE-21: the tunnel dice cost one more die or token of the route's kind, here too."""
    play = rolled("2 single 2 double 1 joker", "next dice: tunnel blank blank").do(
        "ada: claim kristiansand-stavanger-1 with dice 3 4"
    )

    assert ["pay die 5", "give up"] == [text for text in play.texts(ADA) if "token" not in text]
    play.do("ada: pay die 5")
    assert 2 == play.network.points[ADA]
