"""The market and the three-locomotive sweep (rules 1.4)."""

import pytest

from engine.rules.cards import CardTaken, DrawSecondCard, NoSecondCard
from engine.rules.market import DeckReshuffled, MarketFilled, MarketSwept
from engine.rules.routes import RouteClaimed
from engine.rules.turns import TurnBegan
from tests.scenes import ADA, BEN, scene

LOCO = "locomotive"


def test_market_shows_five_while_the_deck_lasts() -> None:
    """R-MKT-1: the last card of the deck still fills the market."""
    play = scene("""
        usa · ada ben · turn ada
        market red red blue white green
        deck 1 black
        ben holds the rest
    """).do("ada: take 3")

    assert ("red", "red", "black", "white", "green") == play.cards.market
    assert 0 == sum(play.cards.deck)


def test_market_is_filled_from_discards_when_the_deck_ends() -> None:
    """R-MKT-1: when deck and slots are empty, what is discarded goes on supplying the market."""
    play = scene("""
        usa · ada ben · turn ada
        market red red blue white green
        deck 1 black
        discards 2 yellow
        ben holds the rest
    """).do("ada: take 1", "ada: take 2")

    assert ("black", "yellow", "blue", "white", "green") == play.cards.market


def test_short_market_is_topped_up_by_a_payment() -> None:
    """R-MKT-2: a short market is filled as soon as a payment reaches the discards."""
    play = scene("""
        usa · ada ben · turn ada
        ada holds 3 red
        market blue - - - -
        deck nothing
        ben holds the rest
    """).do("ada: claim chicago-duluth with 3 red")

    claimed, *upkeep = play.events
    assert isinstance(claimed, RouteClaimed)
    assert [DeckReshuffled(3), MarketFilled(("red", "red", "red")), TurnBegan(BEN)] == upkeep
    assert ("blue", "red", "red", "red", None) == play.cards.market


def test_topping_up_stops_at_five() -> None:
    """R-MKT-2: what the market does not need stays in the new deck."""
    play = scene("""
        usa · ada ben · turn ada
        ada holds 3 red
        market blue white - green -
        deck nothing
        ben holds the rest
    """).do("ada: claim chicago-duluth with 3 red")

    assert ("blue", "white", "red", "green", "red") == play.cards.market
    assert 1 == sum(play.cards.deck)


def test_three_locomotives_sweep_the_market() -> None:
    """R-MKT-3: a replacement that makes three locomotives sweeps all five market cards."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue white green
        next cards: locomotive red red black black yellow
    """).do("ada: take 3")

    assert (
        CardTaken(ADA, 3, "blue", LOCO),
        MarketSwept((LOCO, LOCO, LOCO, "white", "green")),
        MarketFilled(("red", "red", "black", "black", "yellow")),
    ) == play.events
    assert 5 == sum(play.cards.discards)


def test_sweep_comes_between_first_and_second_card() -> None:
    """R-MKT-3: the second card is chosen from the market that the sweep has laid."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue white green
        next cards: locomotive red red black black yellow
    """).do("ada: take 3")

    assert DrawSecondCard(ADA) == play.decision_of(ADA)
    assert ["blue", "yellow"] == play.do("ada: take 5").hand(ADA)


def test_sweep_after_the_second_card() -> None:
    """R-MKT-3: the replacement of the second card sweeps too, before the next turn begins."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue white green
        next cards: red locomotive red red black black yellow
    """).do("ada: draw", "ada: take 3")

    assert MarketSwept((LOCO, LOCO, LOCO, "white", "green")) == play.events[2]
    assert TurnBegan(BEN) == play.events[-1]


def test_two_locomotives_stay() -> None:
    """R-MKT-3: two locomotives are no reason for a sweep."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive red blue white green
        next cards: locomotive
    """).do("ada: take 3")

    assert (LOCO, "red", LOCO, "white", "green") == play.cards.market


def test_sweep_is_repeated() -> None:
    """R-MKT-3: a market that is laid with three locomotives again is swept again."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue white green
        next cards: locomotive red locomotive locomotive locomotive red red red red black black
    """).do("ada: take 3")

    assert ("red", "red", "red", "black", "black") == play.cards.market
    assert 2 == sum(isinstance(event, MarketSwept) for event in play.events)
    assert 10 == sum(play.cards.discards)


def test_sweep_after_a_top_up() -> None:
    """R-MKT-3: a top-up that brings a third locomotive sweeps the market."""
    play = scene("""
        usa · ada ben · turn ada
        ada holds 4 blue 1 locomotive
        market locomotive locomotive green - -
        deck nothing
        ben holds the rest
        next cards: locomotive blue blue blue blue green blue
    """).do("ada: claim atlanta-miami with 4 blue 1 locomotive")

    assert [
        DeckReshuffled(5),
        MarketFilled((LOCO, "blue")),
        MarketSwept((LOCO, LOCO, "green", LOCO, "blue")),
        MarketFilled(("blue", "blue", "blue")),
        DeckReshuffled(5),
        MarketFilled(("green", "blue")),
        TurnBegan(BEN),
    ] == list(play.events[1:])


def test_sweep_in_the_last_cards_reshuffles_what_it_swept() -> None:
    """R-MKT-3, R-DECK-2: swept cards come back at once if the deck cannot lay five new ones."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue white green
        deck 1 locomotive 2 red
        ben holds the rest
        next cards: locomotive red red green white locomotive
    """).do("ada: take 3")

    assert (
        CardTaken(ADA, 3, "blue", LOCO),
        MarketSwept((LOCO, LOCO, LOCO, "white", "green")),
        MarketFilled(("red", "red")),
        DeckReshuffled(5),
        MarketFilled(("green", "white", LOCO)),
    ) == play.events
    assert 2 == sum(play.cards.deck)


def test_no_sweep_without_deck_and_discards() -> None:
    """R-MKT-4: three locomotives stay when deck and discards are empty."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue red green
        deck 1 locomotive
        ben holds the rest
    """).do("ada: take 3")

    assert (LOCO, LOCO, LOCO, "red", "green") == play.cards.market
    assert (CardTaken(ADA, 3, "blue", LOCO),) == play.events


@pytest.mark.parametrize(("deck", "swept"), [("4 locomotive", False), ("3 locomotive 1 red", True)])
def test_no_sweep_without_enough_other_cards(deck: str, swept: bool) -> None:  # noqa: FBT001  # a table of cases
    """R-MKT-4: no sweep if all cards about hold fewer than three that are no locomotives."""
    play = scene(f"""
        usa · ada ben · turn ada
        market locomotive locomotive blue red green
        deck {deck}
        ben holds the rest
        next cards: locomotive
    """).do("ada: take 3")

    assert swept == any(isinstance(event, MarketSwept) for event in play.events)
    assert (2 if swept else 3) == play.cards.market.count(LOCO)


def test_discards_count_among_the_cards_about() -> None:
    """R-MKT-4: cards in the discards can help, so the sweep is made."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue red green
        deck 3 locomotive
        discards 1 yellow
        ben holds the rest
        next cards: locomotive locomotive locomotive red green yellow
    """).do("ada: take 3")

    assert (LOCO, LOCO, "red", "green", "yellow") == play.cards.market


@pytest.mark.parametrize(
    ("deck", "swept"), [("4 locomotive 2 red", False), ("3 locomotive 3 red", True)]
)
def test_no_sweep_for_a_certain_market_that_is_no_better(deck: str, swept: bool) -> None:  # noqa: FBT001  # a table of cases
    """R-MKT-4: no sweep if the deck is exactly the next market and it has three locomotives."""
    play = scene(f"""
        usa · ada ben · turn ada
        market locomotive locomotive blue red green
        deck {deck}
        ben holds the rest
        next cards: locomotive
    """).do("ada: take 3")

    assert swept == any(isinstance(event, MarketSwept) for event in play.events)


def test_certain_market_is_taken_if_discards_wait() -> None:
    """R-MKT-4: with cards in the discards the market after next is open, so the sweep is made."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue red green
        deck 4 locomotive 2 red
        discards 1 white
        ben holds the rest
        next cards: locomotive
    """).do("ada: take 3")

    assert any(isinstance(event, MarketSwept) for event in play.events)


def test_kept_locomotives_are_no_second_card() -> None:
    """R-MKT-4, R-DRAW-6: a market that stays as it is may leave no second card."""
    play = scene("""
        usa · ada ben · turn ada
        market locomotive locomotive blue locomotive locomotive
        deck 1 locomotive
        ben holds the rest
    """).do("ada: take 3")

    assert NoSecondCard(ADA) == play.events[1]


def test_without_a_sweep_locomotives_stay() -> None:
    """R-MKT-5: where the map's number for the sweep is 0, three and more locomotives stay."""
    play = scene("""
        usa · ada ben · turn ada
        with cards sweep_at 0
        market locomotive locomotive locomotive red green
        next cards: locomotive
    """).do("ada: take 4")

    assert (LOCO, LOCO, LOCO, LOCO, "green") == play.cards.market
    assert (CardTaken(ADA, 4, "red", LOCO),) == play.events
