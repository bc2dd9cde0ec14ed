"""What orders do with the rules that only some boards have: claims, collecting, and what asks."""

import pytest

from engine import Refusal
from tests.engine.orders.ordering import carry_out
from tests.scenes import scene

NORDIC = "nordic · ada ben · turn ada\n"
SWITZERLAND = "switzerland · ada ben · turn ada\n"
GERMANY = "germany · ada ben · turn ada\n"
MARKLIN = "marklin · ada ben · turn ada\n"
MARKET = "market locomotive red blue green white\nnext cards: black black"


@pytest.mark.parametrize(
    ("given", "route", "payment"),
    [
        (f"{NORDIC} ada holds 1 purple 1 locomotive", "alborg-arhus", "1 purple"),
        (
            f"{NORDIC} ada holds 2 red 2 locomotive",
            "alborg-kristiansand",
            "1 red 1 locomotive",
        ),
        (f"{SWITZERLAND} ada holds 2 purple 1 locomotive", "baden-olten", "2 purple"),
        (f"{GERMANY} ada holds 4 orange 1 locomotive", "augsburg-nurnberg", "4 orange"),
        (f"{MARKLIN} ada holds 4 orange 1 locomotive", "augsburg-nurnberg", "4 orange"),
    ],
)
def test_claim_when_it_can_be_paid(given: str, route: str, payment: str) -> None:
    """A wish is paid with no more locomotives than the route requires."""
    run = carry_out(scene(given), f"claim {route} when I can")

    assert ([f"claim {route} with {payment}"], 1) == (run.moves, run.progress.step)


@pytest.mark.parametrize(
    ("given", "route", "moves"),
    [
        (f"{NORDIC} {MARKET}", "alborg-kristiansand", ["take 2", "take 1"]),
        (f"{SWITZERLAND} {MARKET}", "baden-basel", ["take 2", "draw"]),
        (
            f"{GERMANY} market orange red blue green white\nnext cards: black",
            "augsburg-nurnberg",
            ["take 1", "draw"],
        ),
        (
            f"{MARKLIN} market orange red blue green white\nnext cards: black",
            "augsburg-nurnberg",
            ["take 1", "draw"],
        ),
    ],
)
def test_wish_collects(given: str, route: str, moves: list[str]) -> None:
    """It takes matching cards, and an open locomotive only for a ferry that lacks one."""
    run = carry_out(scene(given), f"claim {route} when I can")

    assert (moves, "", 0) == (run.moves, run.end, run.progress.step)


@pytest.mark.parametrize(
    ("given", "route", "reason"),
    [
        (
            f"{NORDIC} ada holds 6 blue\nnext cards: blue blue red",
            "bergen-oslo-1",
            "Pay 2 more blue cards or locomotives for the tunnel",
        ),
        (
            f"{SWITZERLAND} ada holds 4 red\nnext cards: red blue green",
            "baden-basel",
            "Pay 1 more red card or locomotive for the tunnel",
        ),
    ],
)
def test_tunnel_asks(given: str, route: str, reason: str) -> None:
    """A surcharge about which nothing is said is the player's to pay."""
    run = carry_out(scene(given), f"claim {route} when I can; draw")

    assert 1 == len(run.moves)
    assert run.end.startswith(reason)


@pytest.mark.parametrize("board", [GERMANY, MARKLIN])
def test_mix_of_tickets_asks(board: str) -> None:
    """Which tickets are drawn is asked where there are short and long ones."""
    run = carry_out(scene(board), "tickets; keep all")

    assert [] == run.moves
    assert "tickets with 2 long" in run.end


@pytest.mark.parametrize("board", [NORDIC, SWITZERLAND])
def test_tickets_are_drawn_and_kept(board: str) -> None:
    """Where there is one deck of tickets, drawing and keeping them can be ordered."""
    run = carry_out(scene(board), "tickets; keep all; draw")

    assert ["tickets", "keep"] == [move.split()[0] for move in run.moves]
    assert (2, "") == (run.progress.step, run.end)


def test_passenger_to_place_asks() -> None:
    """Where a passenger is to stand after a claim is asked, and nothing is placed."""
    play = scene(f"{MARKLIN} ada holds 4 orange")
    text = "claim augsburg-nurnberg when I can; claim augsburg-munchen when I can"

    run = carry_out(play, text)

    assert ["claim augsburg-nurnberg with 4 orange"] == run.moves
    assert "passenger" in run.end


def test_ride_cannot_be_ordered() -> None:
    """A ride depends on what stands in the cities by then, so it is refused when it is given."""
    with pytest.raises(Refusal, match="cannot be ordered for later"):
        carry_out(scene(MARKLIN), "ride augsburg nurnberg")
