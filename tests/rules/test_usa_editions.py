"""USA classic and the new edition (rules 2 and 3)."""

import pytest

from engine import Game, Refusal
from engine.rules.cards import cards
from engine.rules.routes import routes
from engine.rules.tickets import ChooseTickets, tickets
from engine.rules.turns import GameStarted
from service.boards.atlas import board, ruleset
from tests.scenes import ADA, BEN, scene

NEW = ("new_edition",)


def fresh(variants: tuple[str, ...], seed: int = 3) -> Game:
    """A game of three that has just been set up."""
    return Game(ruleset("usa", variants, 3), "editions", bytes([seed]))


@pytest.mark.parametrize(
    ("variants", "deck", "dealt"),
    [
        pytest.param((), 30, 3, id="classic: R-USC-1"),
        pytest.param(NEW, 33, 4, id="new: R-USN-1"),
    ],
)
def test_tickets_of_the_editions(variants: tuple[str, ...], deck: int, dealt: int) -> None:
    """R-USC-1, R-USN-1: 30 tickets with three dealt, or 33 with four; two are kept at least."""
    game = fresh(variants)
    part = tickets.part(game.state)

    assert deck == len(tickets.part(game.rules.initial).unseen)
    assert [dealt] * 3 == [len(ids) for ids in part.offers]
    assert tuple(ChooseTickets(seat, 2, opening=True) for seat in range(3)) == game.state.awaiting
    with pytest.raises(Refusal) as caught:
        game.play(ADA, "keep 1")
    assert ("illegal", "R-SETUP-6") == (caught.value.code, caught.value.rule)


@pytest.mark.parametrize("variants", [(), NEW])
def test_returned_tickets_go_to_the_bottom(variants: tuple[str, ...]) -> None:
    """R-USC-1, R-USN-1: all returned tickets lie under the deck, shuffled together."""
    game = fresh(variants)
    returned = {id for ids in tickets.part(game.state).offers for id in ids[2:]}
    for seat in range(3):
        game.play(seat, "keep 1 2")

    assert returned == set(tickets.part(game.state).under)


def test_new_edition_keeps_from_four() -> None:
    """R-USN-1: of four tickets any two, three or all four may be kept."""
    assert [6, 4, 1] == [
        sum(len(option.text.split()) == number + 1 for option in fresh(NEW).options(ADA))
        for number in (2, 3, 4)
    ]


def test_classic_is_the_common_core() -> None:
    """R-USC-2: the classic board joins the common rules and no others."""
    assert ("turns", "routes", "cards", "tickets", "longest_trail") == board("usa").modules


@pytest.mark.parametrize("variants", [(), NEW])
def test_first_player_is_drawn(variants: tuple[str, ...]) -> None:
    """R-USC-2, R-USN-4: the first player is drawn by lot (R-DIG-1)."""
    firsts = set()
    for seed in range(20):
        started = fresh(variants, seed).events[0]
        assert isinstance(started, GameStarted)
        firsts.add(started.seating[0])

    assert {0, 1, 2} == firsts


def test_same_network_and_pieces() -> None:
    """R-USN-2: the new edition has the routes, the 45 trains and the 110 cards of the classic."""
    classic, new = ruleset("usa"), ruleset("usa", NEW)

    assert classic.board.routes == new.board.routes
    assert classic.board.cities == new.board.cities
    assert (45, 45) == routes.part(new.initial).trains
    assert 110 == sum(cards.part(new.initial).deck)


def test_the_rulebooks_example() -> None:
    """R-USN-3: two completed tickets make 15; one completed and one failed make 8 − 4."""
    play = scene("""
        usa new_edition · ada ben · last turn ada
        ada owns montreal-new_york new_york-pittsburgh-green pittsburgh-raleigh atlanta-raleigh-1
        ada has tickets montreal-atlanta new_york-atlanta
        ben owns sault_st_marie-toronto pittsburgh-toronto nashville-pittsburgh
        ben has tickets sault_st_marie-nashville atlanta-washington
    """).do("ada: draw", "ada: draw")

    points = [
        [line.points for line in result.lines if line.kind.startswith("tickets")]
        for result in play.end.results
    ]
    assert [[15, 0], [8, -4]] == points
    assert ("atlanta-washington",) == play.end.results[BEN].failed


def test_new_ticket_is_not_in_the_classic_set() -> None:
    """R-USN-3: Atlanta–Washington, worth 4, is in the new edition only."""
    decks = [tickets.part(ruleset("usa", variants).initial).unseen for variants in ((), NEW)]

    assert [False, True] == ["atlanta-washington" in deck for deck in decks]
    assert 4 == board("usa").tickets["atlanta-washington"].points


def test_the_thirty_three() -> None:
    """R-USN-5: the classic thirty, Atlanta–Washington and two tickets marked as stand-ins."""
    board_tickets = board("usa", NEW).tickets
    classic, new = (tickets.part(ruleset("usa", some).initial).unseen for some in ((), NEW))
    added = set(new) - set(classic)

    assert set(classic) < set(new)
    assert ["", "stand-in", "stand-in"] == sorted(board_tickets[id].provenance for id in added)
    assert {"1910", "new_edition"} <= {
        deck for id in added if board_tickets[id].provenance for deck in board_tickets[id].decks
    }
