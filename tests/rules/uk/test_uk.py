"""The United Kingdom board (rules 5.1)."""

import pytest

from engine import Game, MapError
from engine.rules.cards import HandDealt, cards
from engine.rules.market import MarketSwept
from engine.rules.routes import routes
from engine.rules.tickets import ChooseTickets
from engine.rules.turns import TakeTurn
from engine.values import LOCOMOTIVE, SLOT
from service.boards.atlas import board, ruleset
from tests.scenes import ADA, BEN, CEM, scene

every_number = pytest.mark.parametrize("seats", [2, 3, 4])


def fresh(seats: int = 3) -> Game:
    """A game that has just been set up."""
    return Game(ruleset("uk", (), seats), "uk", b"uk")


@pytest.mark.parametrize("seats", [1, 5])
def test_number_of_seats(seats: int) -> None:
    """R-UK-1: two to four can play."""
    assert (2, 4) == board("uk").seats

    with pytest.raises(MapError, match="2 to 4 seats"):
        ruleset("uk", (), seats)


@every_number
def test_trains(seats: int) -> None:
    """R-UK-1: each seat has 35 trains."""
    assert (35,) * seats == routes.part(fresh(seats).state).trains


def test_two_seats_close_the_other_track() -> None:
    """R-UK-2: with two seats a claimed track closes its twin to both."""
    play = scene("""
        uk · ada ben · turn ada
        ada holds 1 blue
        ben holds 1 red
    """).do("ada: claim leeds-manchester-1 with 1 blue")

    refusal = play.refused("ben: claim leeds-manchester-2 with 1 red")

    assert ("illegal", "R-DBL-2") == (refusal.code, refusal.rule)


def test_three_seats_use_both_tracks() -> None:
    """R-UK-2: with three seats another seat may claim the twin, the owner of the first may not."""
    play = scene("""
        uk · ada ben cem · turn ben
        ada owns leeds-manchester-1
        ada holds 1 red
        ben holds 1 red
    """)

    assert ["claim leeds-manchester-2 with 1 red"] == play.texts(BEN, "claim leeds-manchester")
    refusal = scene("""
        uk · ada ben cem · turn ada
        ada owns leeds-manchester-1
        ada holds 1 red
    """).refused("ada: claim leeds-manchester-2 with 1 red")
    assert "R-DBL-1" == refusal.rule


def test_all_the_cards() -> None:
    """R-UK-3: twelve cards of each colour and twenty locomotives, 116 in all."""
    deck = cards.part(ruleset("uk", (), 2).initial).deck

    assert 116 == sum(deck)
    assert 20 == deck[SLOT[LOCOMOTIVE]]


@every_number
def test_opening_hands(seats: int) -> None:
    """R-UK-3: each seat is dealt a locomotive, and then four more cards."""
    game = fresh(seats)
    dealt = [event for event in game.events if isinstance(event, HandDealt)]

    assert [(seat, (LOCOMOTIVE,)) for seat in range(seats)] == [
        (event.seat, event.cards) for event in dealt[:seats]
    ]
    assert [(seat, 4) for seat in range(seats)] == [
        (event.seat, len(event.cards)) for event in dealt[seats:]
    ]
    assert [5] * seats == [sum(hand) for hand in cards.part(game.state).hands]


def test_locomotives_are_not_swept() -> None:
    """R-UK-4: a market full of locomotives stays where it is."""
    play = scene("""
        uk · ada ben · turn ada
        market red locomotive locomotive locomotive locomotive
        next cards: locomotive
    """).do("ada: take 1")

    assert (LOCOMOTIVE,) * 5 == play.cards.market
    assert not any(isinstance(event, MarketSwept) for event in play.events)


def test_a_face_up_locomotive_is_the_whole_draw() -> None:
    """R-UK-4: taking a face-up locomotive ends the turn, as on every board."""
    play = scene("""
        uk · ada ben · turn ada
        market locomotive blue orange white green
    """).do("ada: take 1")

    assert play.decision_of(ADA) is None
    assert TakeTurn(BEN) == play.decision_of(BEN)


def test_opening_tickets() -> None:
    """R-UK-8: five tickets are dealt, and at least three of them are kept."""
    game = fresh(2)

    assert ChooseTickets(ADA, 3, opening=True) in game.state.awaiting
    assert 10 + 5 + 1 == len(game.options(ADA))
    assert "You must keep at least 3 tickets." == _refused(game, "keep 1 2")


def _refused(game: Game, text: str) -> str:
    with pytest.raises(Exception, match="keep at least") as caught:
        game.play(ADA, text)
    return str(caught.value)


def test_returned_tickets_go_under() -> None:
    """R-UK-8: what is returned at the start and later goes to the bottom of the deck."""
    game = fresh(2)
    for seat in (ADA, BEN):
        game.play(seat, "keep 1 2 3")

    assert 4 == len(game.state.parts["tickets"].under)
    assert 57 - 10 == game.state.parts["tickets"].fresh
    game.play(ADA, "tickets")
    assert 3 == len(game.state.parts["tickets"].offers[ADA])
    game.play(ADA, "keep 2")
    assert 6 == len(game.state.parts["tickets"].under)


def test_no_bonus_for_trail_or_tickets() -> None:
    """R-UK-10: at the end routes and tickets count, and nothing for trails or most tickets."""
    play = scene("""
        uk · ada ben · last turn ada
        ada owns cambridge-london-1 hull-leeds
        ada has tickets cambridge-london
    """).do("ada: draw", "ada: draw")

    assert ["routes", "tickets_completed", "tickets_failed"] == [
        line.kind for line in play.end.results[ADA].lines
    ]
    assert 2 + 3 == play.end.results[ADA].total


def test_points_are_never_recomputed() -> None:
    """R-UK-11: a technology bought later adds nothing to routes claimed before."""
    play = scene("""
        uk · ada ben · turn ada
        ada owns hull-leeds
        ada holds 2 locomotive
    """).do("ada: buy boiler-lagging with 2 locomotive")

    assert 1 == play.network.points[ADA]


@pytest.mark.parametrize(
    ("owned", "joined"),
    [
        ("dover-france_east dover-london", ["london-france"]),
        ("france_west-southampton-1 london-southampton-1", ["london-france", "southampton-london"]),
        ("dover-france_east france_west-southampton-1 dover-london", ["london-france"]),
    ],
)
def test_france_has_two_termini(owned: str, joined: list[str]) -> None:
    """R-UK-12: either terminus will do for a ticket to France, and they are not joined."""
    play = scene(f"""
        uk · ada ben · last turn ada
        ada owns {owned}
        ada has tickets london-france southampton-london
    """).do("ada: draw", "ada: draw")

    assert joined == list(play.end.results[ADA].completed)


def test_ties_are_broken_by_tickets() -> None:
    """R-TIE-4: with equal totals the most completed tickets win."""
    play = scene("""
        uk · ada ben cem · last turn ada
        ada has tickets leeds-manchester
        ada owns leeds-manchester-1
        ben owns barrow-leeds
        cem has 2 points
    """).do("ada: draw", "ada: draw")

    assert [2, 2, 2] == [play.end.results[seat].total for seat in (ADA, BEN, CEM)]
    assert (ADA,) == play.end.winners


def test_remaining_ties_are_shared() -> None:
    """R-TIE-4: with as many tickets completed the victory is shared, whoever has the trail."""
    play = scene("""
        uk · ada ben cem · last turn ada
        ada has 2 points
        ben owns barrow-leeds
    """).do("ada: draw", "ada: draw")

    assert (ADA, BEN) == play.end.winners
    assert [1, 1, 3] == [play.end.results[seat].rank for seat in (ADA, BEN, CEM)]
