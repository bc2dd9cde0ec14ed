"""Atomic decisions, and passing (rules 7)."""

import pytest

from engine import Chance, Game
from engine.rules.cards import DrawSecondCard
from engine.rules.tickets import ChooseTickets
from engine.rules.turns import PassTurn, TakeTurn, TurnBegan, TurnPassed
from service.boards.atlas import ruleset
from tests.scenes import ADA, BEN, scene

DRY = """
    usa · ada ben · turn ada
    ada has 3 trains
    market - - - - -
    deck nothing
    ben holds the rest
    ticket top nothing
    ben has tickets the rest
"""
"""Ada holds nothing, and there is nothing to draw."""
UNDER = "ticket top nothing\n    ticket bottom boston-miami"
DECK = "market red red red red red\n    deck 1 blue"
TAKE = [f"take {slot}" for slot in range(1, 6)]


@pytest.mark.parametrize("text", ["draw", "take 1"])
def test_second_card_follows_the_first(text: str) -> None:
    """R-ACT-1: a blind card or a coloured market card is followed by the second card."""
    play = scene("usa · ada ben · turn ada\nnext cards: locomotive").do(f"ada: {text}")

    assert (DrawSecondCard(ADA),) == play.state.awaiting


@pytest.mark.parametrize(
    ("market", "deck"),
    [("locomotive red red red red", "5 blue"), ("red - - - -", "nothing")],
)
def test_no_second_card_ends_the_turn(market: str, deck: str) -> None:
    """R-ACT-1: after a face-up locomotive, or without a second card, the turn is over."""
    play = scene(f"""
        usa · ada ben · turn ada
        market {market}
        deck {deck}
        ben holds the rest
    """).do("ada: take 1")

    assert (TakeTurn(BEN),) == play.state.awaiting


def test_something_can_always_be_done() -> None:
    """R-ACT-4: in a whole game every decision has options, and pass is never beside another."""
    game = Game(ruleset("usa", (), 3), "actions", b"4")
    kinds = set()
    while not game.is_over:
        for decision in game.state.awaiting:
            kinds.add(type(decision))
            actions = game.options(decision.seat).actions
            assert actions
            assert PassTurn() not in actions or (
                len(actions) == 1 and isinstance(decision, TakeTurn)
            )
        (seat, *_) = game.awaited
        actions = game.options(seat).actions
        game.play(seat, actions[Chance(b"4", "bot", game.version).below(len(actions))])

    assert {TakeTurn, DrawSecondCard, ChooseTickets} == kinds


@pytest.mark.parametrize("moves", [["draw"], ["tickets"]])
def test_no_pass_in_other_decisions(moves: list[str]) -> None:
    """R-ACT-4: the second card and the choice of tickets cannot be passed."""
    play = scene("usa · ada ben · turn ada").do(*(f"ada: {move}" for move in moves))

    refusal = play.refused("ada: pass")
    assert ("illegal", "R-ACT-PASS") == (refusal.code, refusal.rule)


def test_pass_is_the_only_option_where_nothing_is_possible() -> None:
    """R-ACT-PASS: without cards, tickets and claims the seat may pass, and only that."""
    play = scene(DRY)
    assert ["pass"] == play.texts(ADA)

    play.do("ada: pass")
    assert (TurnPassed(ADA), TurnBegan(BEN)) == play.events
    assert ["Ada has no move and passes."] == play.sentences


@pytest.mark.parametrize(
    ("old", "new", "only"),
    [
        pytest.param("market - -", "market red -", ["take 1"], id="market"),
        pytest.param("market - -", "market locomotive -", ["take 1"], id="locomotive"),
        pytest.param("ticket top nothing", "ticket top boston-miami", ["tickets"], id="ticket"),
        pytest.param("ticket top nothing", UNDER, ["tickets"], id="returned ticket"),
        pytest.param("market - - - - -\n    deck nothing", DECK, ["draw", *TAKE], id="deck"),
    ],
)
def test_one_possibility_forbids_passing(old: str, new: str, only: list[str]) -> None:
    """R-ACT-PASS, R-ACT-5: a seat with a single possible move must make it and cannot pass."""
    play = scene(DRY.replace(old, new))

    assert only == play.texts(ADA)
    refusal = play.refused("ada: pass")
    assert ("illegal", "R-ACT-PASS") == (refusal.code, refusal.rule)


def test_claim_alone_forbids_passing() -> None:
    """R-ACT-5: a seat that can only claim, with trains and cards for one route, must claim it."""
    play = scene(f"{DRY}    ada holds 3 red")

    assert {"claim"} == {text.split()[0] for text in play.texts(ADA)}
    assert "R-ACT-PASS" == play.refused("ada: pass").rule


@pytest.mark.parametrize(
    "more", ["ada holds 1 red\nada has 0 trains", "ada holds 1 red\nada owns seattle-vancouver-1"]
)
def test_claims_that_cannot_be_made_do_not_count(more: str) -> None:
    """R-ACT-PASS: cards without trains, or trains without an open route, do not forbid passing."""
    short = (
        "\nben owns atlanta-nashville dallas-houston-1 kansas_city-omaha-1 portland-seattle-1"
        if "seattle" in more
        else ""
    )
    play = scene(DRY.replace("    ada has 3 trains\n", "") + more + short)

    assert ["pass"] == play.texts(ADA)


def test_who_has_passed_is_asked_again() -> None:
    """R-ACT-PASS: a pass ends one turn, and with new cards the next turn is an ordinary one."""
    play = scene("""
        usa · ada ben · turn ada
        market - - - - -
        deck nothing
        ben holds the rest
        ticket top nothing
        ben has tickets the rest
    """).do("ada: pass", "ben: claim chicago-duluth with 3 red")

    assert ["take 1", "take 2", "take 3"] == play.texts(ADA)
    assert "illegal" == play.refused("ada: pass").code
