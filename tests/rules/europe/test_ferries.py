import pytest

from engine.rules.routes import ClaimRoute, RouteClaimed
from engine.values import CardPayment, Cost
from service.boards.atlas import ruleset
from tests.scenes import ADA, BEN, counted, scene


@pytest.mark.parametrize(
    ("hand", "payments"),
    [
        ("4 red 1 locomotive", ["3 red 1 locomotive"]),
        ("3 red 2 locomotive", ["3 red 1 locomotive", "2 red 2 locomotive"]),
        ("1 red 3 locomotive", ["1 red 3 locomotive"]),
        ("3 red 3 blue 1 locomotive", ["3 blue 1 locomotive", "3 red 1 locomotive"]),
        ("4 locomotive", ["4 locomotive"]),
        ("6 red", []),
        ("2 red 1 blue 1 locomotive", []),
    ],
)
def test_ferry_takes_a_locomotive_for_its_symbol(hand: str, payments: list[str]) -> None:
    """A ferry takes at least one locomotive, and otherwise cards of one colour (R-FERRY-1)."""
    texts = scene(f"""
        europe · ada ben · turn ada
        ada holds {hand}
    """).texts(ADA, "claim athina-brindisi")

    assert [f"claim athina-brindisi with {payment}" for payment in payments] == texts


def test_two_symbols_take_two_locomotives() -> None:
    """A ferry with two symbols takes at least two locomotives (R-FERRY-1)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 5 red 2 locomotive
    """)

    assert ["claim palermo-smyrna with 4 red 2 locomotive"] == play.texts(
        ADA, "claim palermo-smyrna"
    )


def test_ferry_without_locomotives_is_refused() -> None:
    """Four cards of a colour do not pay for a ferry of four spaces (R-FERRY-1)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 4 red 1 locomotive
    """)

    refusal = play.refused((ADA, ClaimRoute("athina-brindisi", CardPayment(counted(["red"] * 4)))))

    assert ("illegal", "R-CLAIM-6") == (refusal.code, refusal.rule)
    assert (
        "You cannot pay for Athína–Brindisi with 4 red. 1 of the cards must be a locomotive."
        == refusal.sentence
    )


def test_ferry_of_symbols_alone_is_paid_with_locomotives_alone() -> None:
    """A ferry with a symbol on every space takes locomotives only (R-FERRY-2)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 5 red 2 locomotive
    """)

    assert ["claim amsterdam-london with 2 locomotive"] == play.texts(ADA, "claim amsterdam-london")


def test_ferry_scores_like_any_route() -> None:
    """A ferry takes trains and scores points by its length, like any route (R-FERRY-3)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 3 red 1 locomotive
    """).do("ada: claim athina-brindisi")

    claimed = play.events[0]
    assert isinstance(claimed, RouteClaimed)
    assert (4, 7) == (claimed.trains, claimed.points)


def test_ferry_closes_its_twin() -> None:
    """With two seats the other ferry between Dieppe and London is closed (R-FERRY-3, R-DBL-2)."""
    play = scene("""
        europe · ada ben · turn ada
        ada holds 1 red 1 locomotive
        ben holds 1 red 1 locomotive
    """).do("ada: claim dieppe-london-1 with 1 red 1 locomotive")

    assert "R-DBL-2" == play.refused("ben: claim dieppe-london-2 with 1 red 1 locomotive").rule


def test_ferry_counts_for_the_trail() -> None:
    """A trail runs over ferries as over any route (R-FERRY-3)."""
    play = scene("""
        europe · ada ben · last turn ada
        ben owns athina-brindisi brindisi-roma
    """).do("ada: draw", "ada: draw")

    assert 6 == play.end.results[BEN].trail


def test_only_ferries_demand_locomotives() -> None:
    """Every route demands as many locomotives as it has symbols (R-FERRY-1)."""
    rules = ruleset("europe")

    assert {id: route.locomotives for id, route in rules.board.routes.items()} == {
        id: cost.locomotives for id, cost in rules.costs.items()
    }
    assert Cost(4, "gray", 1) == rules.costs["athina-brindisi"]
