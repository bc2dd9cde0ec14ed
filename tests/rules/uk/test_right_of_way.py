"""Right of Way: claiming what another seat holds (rules 5.3)."""

import pytest

from engine import default_for
from engine.rules.routes import ClaimRoute
from engine.rules.technologies import (
    TechnologyReturned,
    technologies,
)
from engine.rules.technology_claims import ClaimTaken
from engine.rules.turns import TakeTurn
from tests.rules.uk.buying import bought, cards
from tests.scenes import ADA, BEN, CEM, scene


def test_right_of_way() -> None:
    """R-TECH-12: the buyer claims a route of another seat at once, and the card goes back."""
    play = scene("""
        uk · ada ben · turn ada
        ben owns hull-leeds
        ada holds 4 locomotive 2 yellow
    """).do("ada: buy right-of-way with 4 locomotive")

    assert ClaimTaken(ADA) == play.decision_of(ADA)
    assert ["claim hull-leeds with 1 yellow"] == play.texts(ADA)
    play.do("ada: claim hull-leeds with 1 yellow")
    assert (BEN, ADA) == play.network.owners["hull-leeds"]
    assert (1, 34) == (play.network.points[ADA], play.network.trains[ADA])
    assert TechnologyReturned(ADA, "right_of_way") in play.events
    assert ((), ()) == technologies.part(play.state).owned
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_right_of_way_is_the_action() -> None:
    """R-ACT-2: while a claim is due by Right of Way nothing else can be done."""
    play = scene("""
        uk · ada ben · turn ada
        ben owns hull-leeds
        ada holds 4 locomotive 2 yellow 1 red
    """).do("ada: buy right-of-way with 4 locomotive")

    assert "R-TURN-1" == play.refused("ada: draw").rule
    assert "R-TURN-1" == play.refused("ada: tickets").rule
    assert "R-TECH-5" == play.refused("ada: buy booster with 2 locomotive").rule
    assert "R-TURN-2" == play.refused("ada: end").rule
    refusal = play.refused("ada: claim barrow-carlisle with 1 red")
    assert (
        "R-TECH-13",
        "Nobody has claimed Barrow–Carlisle; choose a route of another player.",
    ) == (
        refusal.rule,
        refusal.sentence,
    )
    due = ClaimRoute("hull-leeds", cards("yellow"))
    assert due == default_for(play.rules, play.state, ADA)


def test_right_of_way_lifts_one_obstacle_only() -> None:
    """R-TECH-13: own routes, twins of own routes, closed tracks and missing rights stay barred."""
    play = scene("""
        uk · ada ben cem · turn ada
        ada owns leeds-manchester-1 barrow-carlisle
        ben owns leeds-manchester-2 edinburgh-glasgow-1 hull-leeds
        ada holds 4 locomotive 2 yellow 2 red 2 black
    """).do("ada: buy right-of-way with 4 locomotive")

    assert ["claim hull-leeds with 1 yellow"] == play.texts(ADA)
    assert "R-TECH-13" == play.refused("ada: claim barrow-carlisle with 1 red").rule
    assert "R-DBL-1" == play.refused("ada: claim leeds-manchester-2 with 1 red").rule
    assert "R-TECH-3" == play.refused("ada: claim edinburgh-glasgow-1 with 1 black").rule
    closed = scene("""
        uk · ada ben · turn ada
        ben owns leeds-manchester-1
        ada holds 4 locomotive 1 blue 1 red
    """).do("ada: buy right-of-way with 4 locomotive")
    assert ["claim leeds-manchester-1 with 1 blue"] == closed.texts(ADA)
    assert "R-TECH-13" == closed.refused("ada: claim leeds-manchester-2 with 1 red").rule


def test_right_of_way_adds_further_owners() -> None:
    """R-TECH-13: a route belongs fully to each of its owners, and rewards count as usual."""
    play = scene("""
        uk · ada ben cem · turn ada
        ben owns cambridge-london-1
        ada has technologies boiler_lagging
        ada has tickets cambridge-london
        ada holds 4 locomotive 1 orange
        cem holds 4 locomotive 1 orange
    """).do(
        "ada: buy right-of-way with 4 locomotive",
        "ada: claim cambridge-london-1 with 1 orange",
        "ben: draw",
        "ben: draw",
        "cem: buy right of way with 4 locomotive",
        "cem: claim cambridge-london with 1 orange",
    )

    assert (BEN, ADA, CEM) == play.network.owners["cambridge-london-1"]
    assert (2, 1, 1) == play.network.points


@pytest.mark.parametrize(
    "hand",
    [
        "4 locomotive",
        "4 locomotive 3 green",
        "3 locomotive 4 yellow",
    ],
)
def test_right_of_way_must_be_usable(hand: str) -> None:
    """R-TECH-14: a seat that could not claim after paying cannot buy; the refusal says so."""
    play = scene(f"""
        uk · ada ben · turn ada
        ben owns hull-leeds
        ada holds {hand}
    """)
    payment = hand.removesuffix(" 3 green")

    refusal = play.refused(f"ada: buy right-of-way with {payment}")

    assert [] == play.texts(ADA, "buy right-of-way")
    assert ("illegal", "R-TECH-14") == (refusal.code, refusal.rule)
    assert f"If you pay {_spoken(payment)}, you cannot use Right of Way this turn." == (
        refusal.sentence
    )


def _spoken(payment: str) -> str:
    """The payment as the refusal writes it, with colours before locomotives."""
    return "4 yellow and 3 locomotives" if "yellow" in payment else f"{payment}s"


def test_a_usable_payment_is_found() -> None:
    """R-TECH-14: the one yellow card is kept for the claim, though odd cards are proposed first."""
    play = scene("""
        uk · ada ben · turn ada
        ben owns hull-leeds
        ada holds 3 locomotive 1 yellow 4 red
    """)

    assert ["buy right-of-way with 4 red 3 locomotive"] == play.texts(ADA, "buy right-of-way")
    assert (
        "R-TECH-14" == play.refused("ada: buy right-of-way with 1 yellow 3 red 3 locomotive").rule
    )


def test_nothing_to_aim_at() -> None:
    """R-TECH-14: without a route of another seat Right of Way is not for sale."""
    play = scene("""
        uk · ada ben · turn ada
        ada owns hull-leeds
        ada holds 8 locomotive
    """)

    assert "right-of-way" not in bought(play, ADA)
