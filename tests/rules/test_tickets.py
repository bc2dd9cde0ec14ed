"""Drawing and keeping tickets (rules 1.9)."""

import pytest

from engine.rules.tickets import ChooseTickets, KeepTickets, TicketsKept, TicketsOffered
from engine.rules.turns import TakeTurn, TurnBegan
from engine.views import seen_by
from tests.scenes import ADA, BEN, scene

A, B, C, D = "boston-miami", "calgary-phoenix", "denver-el_paso", "dallas-new_york"
OFFER = f"""
    usa · ada ben · turn ada
    next tickets: {A} {B} {C}
"""


def test_joined_cities_count_for_and_a_gap_counts_against() -> None:
    """R-TKT-1: a ticket counts its value for or against, as its cities are joined or not."""
    play = scene("""
        usa · ada ben · last turn ada
        ada owns denver-santa_fe el_paso-santa_fe
        ada has tickets denver-el_paso boston-miami
    """).do("ada: draw", "ada: draw")

    ada = play.end.results[ADA]
    assert ("denver-el_paso",) == ada.completed
    assert ("boston-miami",) == ada.failed
    assert {"tickets_completed": 4, "tickets_failed": -12} == {
        line.kind: line.points for line in ada.lines if line.kind.startswith("tickets")
    }


def test_routes_of_others_join_nothing() -> None:
    """R-TKT-1: only the owner's own routes count for a ticket."""
    play = scene("""
        usa · ada ben · last turn ada
        ada owns denver-santa_fe
        ben owns el_paso-santa_fe
        ada has tickets denver-el_paso
    """).do("ada: draw", "ada: draw")

    assert ("denver-el_paso",) == play.end.results[ADA].failed


def test_three_tickets_are_drawn() -> None:
    """R-TKT-2: the action shows the seat three tickets and asks which it keeps."""
    play = scene(OFFER).do("ada: tickets")

    assert (TicketsOffered(ADA, (A, B, C), long=0, fresh=3, least=1, opening=False),) == play.events
    assert ChooseTickets(ADA, 1, opening=False) == play.decision_of(ADA)


@pytest.mark.parametrize("top", [f"{A} {B}", A])
def test_fewer_are_drawn_when_fewer_are_left(top: str) -> None:
    """R-TKT-2: of fewer than three tickets all are drawn."""
    play = scene(f"""
        usa · ada ben · turn ada
        ticket top {top}
        ben has tickets the rest
    """).do("ada: tickets")

    assert set(top.split()) == set(play.tickets.offers[ADA])


def test_no_tickets_to_draw() -> None:
    """R-TKT-2: with an empty ticket deck the action is not available."""
    play = scene("""
        usa · ada ben · turn ada
        ticket top nothing
        ben has tickets the rest
    """)

    refusal = play.refused("ada: tickets")
    assert ("illegal", "R-TKT-2") == (refusal.code, refusal.rule)
    assert "There are no tickets left to draw." == refusal.sentence
    assert [] == play.texts(ADA, "tickets")


def test_returned_tickets_are_tickets_to_draw() -> None:
    """R-TKT-2: the deck is not empty while returned tickets lie under it."""
    play = scene(f"""
        usa · ada ben · turn ada
        ticket top {A}
        ticket bottom {B} {C} {D}
        ben has tickets the rest
    """).do("ada: tickets")

    assert (A, B, C) == play.tickets.offers[ADA]
    assert (D,) == play.tickets.under


def test_every_set_of_one_or_more_may_be_kept() -> None:
    """R-TKT-3: at least one and at most all of the drawn tickets are kept."""
    play = scene(OFFER).do("ada: tickets")

    assert [
        f"keep {A}",
        f"keep {B}",
        f"keep {C}",
        f"keep {A} {B}",
        f"keep {A} {C}",
        f"keep {B} {C}",
        f"keep {A} {B} {C}",
    ] == play.texts(ADA)


@pytest.mark.parametrize("top", [f"{A} {B} {C}", f"{A} {B}", A])
def test_one_must_be_kept_also_of_few(top: str) -> None:
    """R-TKT-3: at least one ticket must be kept, even if only one or two were drawn."""
    play = scene(f"""
        usa · ada ben · turn ada
        ticket top {top}
        ben has tickets the rest
    """).do("ada: tickets")

    refusal = play.refused("ada: keep none")
    assert ("illegal", "R-TKT-3") == (refusal.code, refusal.rule)
    assert "You must keep at least 1 ticket." == refusal.sentence


def test_all_may_be_kept() -> None:
    """R-TKT-3: all drawn tickets may be kept, and nothing returns."""
    play = scene(OFFER).do("ada: tickets", "ada: keep all")

    assert (A, B, C) == play.tickets.held[ADA]
    assert () == play.tickets.under


@pytest.mark.parametrize(
    ("text", "under"),
    [
        (f"keep {A}", (D, B, C)),
        (f"keep {A} return {C} {B}", (D, C, B)),
        ("keep 3 return 2 1", (D, B, A)),
        ("keep all", (D,)),
    ],
)
def test_returned_tickets_go_to_the_bottom_as_named(text: str, under: tuple[str, ...]) -> None:
    """R-TKT-4: tickets not kept go to the bottom in the order named, or as dealt."""
    play = scene(f"{OFFER}    ticket bottom {D}").do("ada: tickets", f"ada: {text}")

    assert under == play.tickets.under


def test_bottom_is_drawn_last_and_in_order() -> None:
    """R-TKT-4: returned tickets come again in their order, after all that lie above them."""
    play = scene(f"""
        usa · ada ben · turn ada
        ticket top {A} {B} {C} {D}
        ben has tickets the rest
        next tickets: {A} {B} {C}
    """).do("ada: tickets", f"ada: keep {A} return {C} {B}", "ben: tickets")

    assert (D, C, B) == play.tickets.offers[BEN]


@pytest.mark.parametrize(
    "action",
    [
        KeepTickets((A,), (B,)),
        KeepTickets((A,), (B, C, C)),
        KeepTickets((A, A), (B, C)),
        KeepTickets((A, B), (B, C)),
    ],
)
def test_every_ticket_is_kept_or_returned_once(action: KeepTickets) -> None:
    """R-TKT-4: an order that leaves a ticket out or names it twice is refused."""
    refusal = scene(OFFER).do("ada: tickets").refused((ADA, action))

    assert ("illegal", "R-TKT-4") == (refusal.code, refusal.rule)


def test_kept_tickets_cannot_be_returned_later() -> None:
    """R-TKT-5: a ticket of an earlier draw is neither kept again nor returned."""
    play = scene(f"""
        usa · ada ben · turn ada
        ada has tickets {D}
        next tickets: {A} {B} {C}
    """).do("ada: tickets")

    for action in (KeepTickets((A,), (B, C, D)), KeepTickets((A, D), (B, C))):
        refusal = play.refused((ADA, action))
        assert ("illegal", "R-TKT-5") == (refusal.code, refusal.rule)
    assert "R-TKT-5" == play.refused(f"ada: keep {A} return {D}").rule

    play.do(f"ada: keep {A}")
    assert (D, A) == play.tickets.held[ADA]


def test_keeping_is_only_for_an_offer() -> None:
    """R-TKT-5: without an offer there is nothing to keep or return."""
    play = scene(f"""
        usa · ada ben · turn ada
        ada has tickets {A} {B}
    """)

    refusal = play.refused((ADA, KeepTickets((A,), (B,))))
    assert ("illegal", "R-TKT-2") == (refusal.code, refusal.rule)


def test_tickets_have_no_limit() -> None:
    """R-TKT-6: a seat that holds almost all tickets may draw on."""
    play = scene(f"""
        usa · ada ben · turn ada
        ticket top {A}
        ada has tickets the rest
    """).do("ada: tickets", "ada: keep 1")

    assert 30 == len(play.tickets.held[ADA])


def test_tickets_are_secret() -> None:
    """R-TKT-6: another seat sees how many tickets were drawn, kept and returned, and not which."""
    play = scene(OFFER).do("ada: tickets", f"ada: keep {A}")

    offered, kept, began = (seen_by(event, BEN) for event in play.events)
    hidden = ("?",) * 3
    assert TicketsOffered(ADA, hidden, long=0, fresh=3, least=1, opening=False) == offered
    assert TicketsKept(ADA, ("?",), ("?", "?")) == kept
    assert TurnBegan(BEN) == began
    assert play.events == tuple(seen_by(event, ADA) for event in play.events)


def test_ticket_may_be_complete_already() -> None:
    """R-TKT-7: a ticket whose cities are joined when it is drawn counts at the end."""
    play = scene("""
        usa · ada ben · last turn ada
        ada owns denver-santa_fe el_paso-santa_fe
        next tickets: denver-el_paso boston-miami calgary-phoenix
    """).do("ada: tickets")
    assert "keep denver-el_paso" in play.texts(ADA)

    play.do("ada: keep denver-el_paso")
    assert ("denver-el_paso",) == play.end.results[ADA].completed


def test_turn_is_over_after_keeping() -> None:
    """R-TKT-3: the turn is over when the seat has chosen its tickets."""
    play = scene(OFFER).do("ada: tickets", "ada: keep 1")

    assert (TicketsKept(ADA, (A,), (B, C)), TurnBegan(BEN)) == play.events[1:]
    assert (TakeTurn(BEN),) == play.state.awaiting
