"""The Nordic Countries: cards, tickets, double routes, bonus and ties (rules 9)."""

from copy import deepcopy
from typing import Any

import pytest

from engine import Chance, MapError, begin, board_of, options, ruleset_of, seen_by
from engine.rules.cards import CardDrawn, DrawFaceUp, DrawSecondCard, NoSecondCard, cards
from engine.rules.market import MarketSwept
from engine.rules.open_locomotives import LocomotiveTaken
from engine.rules.tickets import ChooseTickets, TicketsKept, TicketsRemoved, tickets
from engine.rules.turns import TurnBegan
from service.boards.atlas import board, ruleset, source
from tests.scenes import ADA, BEN, CEM, Scene, scene

LOCO = "locomotive"
TUNNEL, FERRY = "kristiansand-stavanger-1", "kristiansand-stavanger-2"


def test_seats_trains_and_cards() -> None:
    """R-NOR-1: two or three seats with 40 trains and four cards each, and 110 train cards."""
    rules = ruleset("nordic", (), 3)
    state = begin(rules, Chance(b"", "x", 0)).state
    part = cards.part(state)

    assert (2, 3) == board("nordic").seats
    assert (40, 40, 40) == state.parts["routes"].trains
    assert [4, 4, 4] == [sum(hand) for hand in part.hands]
    assert 110 == sum(cards.part(rules.initial).deck) == sum(part.deck) + 3 * 4 + 5


def test_deal() -> None:
    """R-NOR-2: of 46 tickets five are dealt to each seat, which keeps at least two."""
    rules = ruleset("nordic", (), 3)
    state = begin(rules, Chance(b"", "x", 0)).state
    part = tickets.part(state)

    assert 46 == len(rules.board.tickets)
    assert [5, 5, 5] == [len(ids) for ids in part.offers]
    assert {ChooseTickets(seat, 2, opening=True) for seat in range(3)} == set(state.awaiting)


def test_draw_three_tickets_and_keep_one() -> None:
    """R-NOR-2: later three tickets are drawn, and at least one is kept."""
    play = scene("nordic · ada ben · turn ada").do("ada: tickets")

    assert 3 == len(play.tickets.offers[ADA])
    assert (ChooseTickets(ADA, 1, opening=False),) == play.state.awaiting


def test_two_face_up_locomotives_in_a_turn() -> None:
    """R-NOR-4: a face-up locomotive is one ordinary card, as first and as second card."""
    play = scene("""
        nordic · ada ben · turn ada
        market locomotive blue locomotive red green
        next cards: white black
    """).do("ada: take locomotive")

    assert DrawSecondCard(ADA) == play.decision_of(ADA)
    play.do("ada: take 3")
    assert [LOCO, LOCO] == play.hand(ADA)
    assert (LocomotiveTaken(ADA, 3, LOCO, "black"), TurnBegan(BEN)) == play.events
    assert (
        "Ada takes a locomotive from the market; a black card takes its place." == play.sentences[0]
    )


def test_a_locomotive_that_has_just_appeared() -> None:
    """R-NOR-4: the second card may be a locomotive that replaced the first, or a blind one."""
    play = scene("""
        nordic · ada ben · turn ada
        next cards: locomotive
    """).do("ada: take 1")

    assert DrawFaceUp(1) in options(play.rules, play.state, ADA).actions
    play.do("ada: take locomotive")
    assert ["purple", LOCO] == play.hand(ADA)


def test_the_second_card_is_a_locomotive_if_nothing_else_is_left() -> None:
    """R-NOR-4: with only locomotives in the market there is a second card, so it is drawn."""
    play = scene("""
        nordic · ada ben · turn ada
        ben holds the rest
        deck nothing
        market red locomotive - - -
    """).do("ada: take 1")

    assert NoSecondCard(ADA) not in play.events
    assert ["take 2"] == play.texts(ADA)
    play.do("ada: take 2")
    assert NoSecondCard(ADA) not in play.events


def test_no_second_card() -> None:
    """R-DRAW-6: with nothing left at all the turn ends with one card, here as elsewhere."""
    play = scene("""
        nordic · ada ben · turn ada
        ben holds the rest
        deck nothing
        market locomotive - - - -
    """).do("ada: take 1")

    assert (LocomotiveTaken(ADA, 1, LOCO, None), NoSecondCard(ADA), TurnBegan(BEN)) == play.events


def test_three_locomotives_stay() -> None:
    """R-NOR-5: three face-up locomotives are not swept."""
    play = scene("""
        nordic · ada ben · turn ada
        market locomotive locomotive blue red green
        next cards: locomotive
    """).do("ada: take 3")

    assert not any(isinstance(event, MarketSwept) for event in play.events)
    assert (LOCO, LOCO, LOCO, "red", "green") == play.cards.market


def test_tickets_that_are_not_kept_leave_the_game() -> None:
    """R-NOR-12: returned tickets leave; their number is public, which they are is not."""
    play = scene("""
        nordic · ada ben · turn ada
        next tickets: oslo-vaasa oslo-stavanger bergen-narvik
    """).do("ada: tickets", "ada: keep bergen-narvik")
    kept, removed = play.events[1:3]

    assert 43 == play.tickets.fresh
    assert () == play.tickets.under
    assert TicketsRemoved(2) == removed == seen_by(removed, BEN)
    assert TicketsKept(ADA, ("bergen-narvik",), ("oslo-vaasa", "oslo-stavanger")) == kept
    assert TicketsKept(ADA, ("?",), ("?", "?")) == seen_by(kept, BEN)
    assert "The 2 tickets that were not kept leave the game." in play.sentences


def test_tickets_of_the_start_leave_the_game() -> None:
    """R-NOR-12: what is returned at the start does not go under the deck."""
    rules = ruleset("nordic", (), 2)
    state = begin(rules, Chance(b"", "x", 0)).state
    play = Scene(rules, state, [], (0, 0))
    play.do(*[
        f"{name}: keep {' '.join(tickets.part(state).offers[seat][:2])}"
        for seat, name in enumerate(("ada", "ben"))
    ])  # fmt: skip

    assert (36, ()) == (play.tickets.fresh, play.tickets.under)


def test_all_tickets_kept() -> None:
    """R-NOR-12: if every ticket is kept, none leaves the game."""
    play = scene("nordic · ada ben · turn ada").do("ada: tickets", "ada: keep all")

    assert not any(isinstance(event, TicketsRemoved) for event in play.events)


@pytest.mark.parametrize(
    ("first", "other"), [(TUNNEL, FERRY), (FERRY, TUNNEL), ("boden-kiruna-1", "boden-kiruna-2")]
)
def test_two_players_close_the_other_track(first: str, other: str) -> None:
    """R-NOR-13: with two players one track closes its twin, unequal ones included."""
    play = scene(f"nordic · ada ben · turn ada\nben owns {first}\nada holds 9 green 9 orange")

    assert "R-DBL-2" == play.refused(f"ada: claim {other} with 3 orange").rule


def test_three_players_use_both_tracks() -> None:
    """R-NOR-13: with three players a second one may claim the other track, but not the first."""
    play = scene(f"""
        nordic · ada ben cem · turn ada
        ben owns {FERRY}
        ada holds 2 green
        next cards: red red red
    """).do(f"ada: claim {TUNNEL} with 2 green")

    assert {FERRY: (BEN,), TUNNEL: (ADA,)} == play.network.owners
    play = scene(f"nordic · ada ben cem · turn ada\nada owns {FERRY}\nada holds 2 green")
    assert "R-DBL-1" == play.refused(f"ada: claim {TUNNEL} with 2 green").rule


def test_unequal_double_routes() -> None:
    """R-NOR-13: two of the fourteen double routes have tracks of different lengths."""
    routes = board("nordic").routes
    twins = [route for route in routes.values() if route.twin]
    unequal = {route.id for route in twins if routes[str(route.twin)].length != route.length}

    assert 28 == len(twins)
    assert {TUNNEL, FERRY, "mo_i_rana-trondheim-1", "mo_i_rana-trondheim-2"} == unequal


def ended(paragraph: str) -> Scene:
    """The scene after Ada's last turn, in which she draws two cards."""
    return scene(paragraph).do("ada: draw", "ada: draw")


def lines(play: Scene, seat: int) -> dict[str, int]:
    """The score of a seat, by kind of points."""
    return {line.kind: line.points for line in play.end.results[seat].lines}


def test_globetrotter() -> None:
    """R-NOR-14: the most completed tickets bring ten points, also to those who tie."""
    play = ended("""
        nordic · ada ben cem · last turn ada
        ada owns norrkoping-stockholm-1 orebro-stockholm-1 orebro-oslo-1
        ada has tickets oslo-stockholm
        ben owns alborg-arhus helsinki-tallinn helsinki-tampere
        ben has tickets tampere-tallinn
        cem owns mo_i_rana-narvik narvik-tromso
    """)

    assert [10, 10, 0] == [lines(play, seat).get("globetrotter", 0) for seat in range(3)]
    assert "longest_trail" not in lines(play, CEM)


def test_nobody_is_a_globetrotter_without_a_ticket() -> None:
    """R-NOR-14: without a completed ticket nobody gets the bonus."""
    play = ended("nordic · ada ben · last turn ada\nada has tickets oslo-vaasa")

    assert [-9, 0] == [result.total for result in play.end.results]


def test_ties() -> None:
    """R-NOR-15: of equal totals more completed tickets win; otherwise the victory is shared."""
    tickets_count = ended("""
        nordic · ada ben · last turn ada
        ada owns helsinki-tallinn helsinki-tampere
        ada has tickets tampere-tallinn
        ada has 7 points
        ben has 20 points
    """)
    shared = ended("nordic · ada ben · last turn ada\nada has 20 points\nben has 20 points")

    assert [20, 20] == [result.total for result in tickets_count.end.results]
    assert (ADA,) == tickets_count.end.winners
    assert (ADA, BEN) == shared.end.winners


def test_a_blind_locomotive_is_ordinary() -> None:
    """R-DRAW-5: a locomotive from the deck does not end the draw either."""
    play = scene("nordic · ada ben · turn ada\nnext cards: locomotive").do("ada: draw")

    assert (CardDrawn(ADA, LOCO),) == play.events
    assert DrawSecondCard(ADA) == play.decision_of(ADA)


@pytest.mark.parametrize(
    ("module", "parameters", "reason"),
    [
        ("locomotive_routes", {"kinds": ["ferry"]}, "must include the tunnels in play"),
        ("locomotive_routes", {"kinds": ["ferry", "tunnel", "bridge"]}, "kinds must be of"),
        ("any_cards", {"routes": ["alborg-goteborg"], "number": 4}, "is not a plain route"),
        ("any_cards", {"routes": ["alborg-murmansk"], "number": 4}, "is not a plain route"),
        ("routes", {"unequal_doubles": False}, "both tracks must have the same length"),
    ],
)
def test_mistakes_in_a_map(module: str, parameters: dict[str, Any], reason: str) -> None:
    """R-NOR-6, R-NOR-10, R-NOR-13: parameters that contradict the board are refused."""
    raw = deepcopy(source("nordic"))
    raw["parameters"][module] |= parameters
    with pytest.raises(MapError, match=reason):
        ruleset_of(board_of(raw), 2)
