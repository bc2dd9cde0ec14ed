"""When the deck runs out (rules 1.5)."""

from collections.abc import Callable

import pytest

from engine import State
from engine.errors import RulesBroken
from engine.rules.cards import CardDrawn, CardTaken, Hands, cards
from engine.rules.market import DeckReshuffled, MarketFilled
from engine.values import NO_CARDS
from tests.scenes import ADA, counted, scene


def test_discards_become_the_deck() -> None:
    """R-DECK-1: when the last card is drawn, the discards are the new deck."""
    play = scene("""
        usa · ada ben · turn ada
        deck 1 black
        discards 3 red 2 blue
        ben holds the rest
    """).do("ada: draw")

    assert (CardDrawn(ADA, "black"), DeckReshuffled(5)) == play.events
    assert counted(["red"] * 3 + ["blue"] * 2) == play.cards.deck
    assert NO_CARDS == play.cards.discards
    assert "The 5 discarded cards become the new deck." == play.sentences[1]


def test_deck_is_renewed_between_two_blind_cards() -> None:
    """R-DECK-2: the second card comes from the new deck."""
    play = scene("""
        usa · ada ben · turn ada
        deck 1 black
        discards 3 red
        ben holds the rest
    """).do("ada: draw", "ada: draw")

    assert ["black", "red"] == play.hand(ADA)


def test_deck_is_renewed_by_the_replacement_that_ends_it() -> None:
    """R-DECK-2: a market card that takes the last of the deck brings the discards in at once."""
    play = scene("""
        usa · ada ben · turn ada
        deck 1 black
        discards 3 red
        ben holds the rest
    """).do("ada: take 1")

    assert (CardTaken(ADA, 1, "purple", "black"), DeckReshuffled(3)) == play.events


def test_deck_is_renewed_in_the_middle_of_a_refill() -> None:
    """R-DECK-2: a sweep that outlasts the deck goes on with the discards."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue red green
        deck 3 locomotive
        discards 1 yellow
        ben holds the rest
        next cards: locomotive locomotive locomotive yellow red green
    """).do("ada: take 3")

    assert [
        MarketFilled(("locomotive", "locomotive")),
        DeckReshuffled(6),
        MarketFilled(("yellow", "red", "green")),
    ] == list(play.events[2:])


def test_payment_renews_an_empty_deck() -> None:
    """R-DECK-2: cards paid into empty discards beside an empty deck become the deck at once."""
    play = scene("""
        usa · ada ben · turn ada
        ada holds 3 red
        deck nothing
        ben holds the rest
    """).do("ada: claim chicago-duluth with 3 red")

    assert DeckReshuffled(3) == play.events[1]
    assert (counted(["red"] * 3), NO_CARDS) == (play.cards.deck, play.cards.discards)


def test_claims_and_tickets_stay_possible_without_cards() -> None:
    """R-DECK-3: with deck, discards and market empty, claims and tickets are still options."""
    play = scene("""
        usa · ada ben · turn ada
        ada holds 3 red
        ada has 3 trains
        market - - - - -
        deck nothing
        ben holds the rest
    """)

    assert "R-DECK-3" == play.refused("ada: draw").rule
    assert [] == play.texts(ADA, "take")
    assert ["tickets"] == play.texts(ADA, "tickets")
    assert "claim chicago-duluth with 3 red" in play.texts(ADA, "claim")


@pytest.mark.parametrize(
    "changed",
    [
        lambda part: part._replace(discards=counted(["red"])),
        lambda part: part._replace(aside=counted(["red"])),
        lambda part: part._replace(market=(*part.market[:4], None)),
        lambda part: part._replace(hands=(counted(["red"]), part.hands[1])),
    ],
    ids=["discards", "aside", "market", "hand"],
)
def test_card_too_many_or_too_few_is_noticed(changed: Callable[[Hands], Hands]) -> None:
    """R-DECK-4: deck, discards, market, hands and revealed cards make up all the cards."""
    play = scene("usa · ada ben · turn ada")
    (count,) = [hung.run for hung in cards.hung if hung.joint == "accounts"]
    count(play.rules, play.state)

    with pytest.raises(RulesBroken, match="lost or added"):
        count(play.rules, State((), {**play.state.parts, "cards": changed(play.cards)}))


def test_all_cards_are_there() -> None:
    """R-DECK-4: a scene has 110 cards, and every move keeps them."""
    play = scene("""
        usa · ada ben · turn ada
        ada holds 3 red
    """).do("ada: claim chicago-duluth with 3 red", "ben: draw", "ben: take 1")

    part = play.cards
    piles = [*part.hands, part.deck, part.discards, part.aside]
    assert 110 == sum(map(sum, piles)) + sum(card is not None for card in part.market)
