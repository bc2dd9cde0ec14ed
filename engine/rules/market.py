"""Upkeep of the market and the deck: refills, sweeps, reshuffles, and cards for tunnels."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from engine.errors import RulesBroken
from engine.kinds import Event, event
from engine.rules.card_words import named
from engine.rules.cards import (
    MARKET,
    WILD,
    DrawSecondCard,
    Hands,
    NoSecondCard,
    cards,
    draw_some,
)
from engine.state import State
from engine.translate import say, says
from engine.values import LOCOMOTIVE, NO_CARDS, SLOT, Card, Cards, Counts

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@event
class MarketFilled(Event):
    """The face-up cards have been laid out or filled up."""

    cards: Cards


@event
class MarketSwept(Event):
    """The face-up cards have been discarded, since too many were locomotives."""

    cards: Cards


@event
class DeckReshuffled(Event):
    """The discards have become the new deck."""

    cards: Annotated[int, "How many cards the deck has now."]


@event
class CardsRevealed(Event):
    """Cards have been turned up from the deck."""

    cards: Cards


@cards.settles
def keep_in_order(play: "Play") -> None:
    """After every action: reshuffle an empty deck, refill the market, and sweep it if needed."""
    if not sum(cards.part(play.state).deck):
        reshuffle(play)
    if None in cards.part(play.state).market:
        fill(play)
    sweep(play)
    for decision in play.state.awaiting:
        if isinstance(decision, DrawSecondCard) and not any(
            run(play.rules, play.state, decision) for run in play.rules.offers[DrawSecondCard]
        ):
            play.record(NoSecondCard(decision.seat))


def reshuffle(play: "Play") -> None:
    """The discards become the deck as soon as it is empty (R-DECK-1, R-DECK-2)."""
    discards = sum(cards.part(play.state).discards)
    if discards and not sum(cards.part(play.state).deck):
        play.record(DeckReshuffled(discards))


def fill(play: "Play") -> None:
    """Fill the market up to five cards, as far as deck and discards last (R-MKT-1, R-MKT-2)."""
    while (short := cards.part(play.state).market.count(None)) and (new := draw_some(play, short)):
        play.record(MarketFilled(tuple(new)))
        reshuffle(play)


def sweep(play: "Play") -> None:
    """Replace the market as long as it has too many locomotives (R-MKT-3)."""
    limit = cards.parameters(play.rules).sweep_at
    if not limit:
        return
    while (market := cards.part(play.state).market).count(LOCOMOTIVE) >= limit:
        if not _helps(cards.part(play.state), limit):
            return
        play.record(MarketSwept(tuple(card for card in market if card is not None)))
        reshuffle(play)
        fill(play)


def _helps(part: Hands, limit: int) -> bool:
    """Whether a sweep can lead to a better market (R-MKT-4).

    There must be enough other cards, and the next market must not be a foregone conclusion
    that is just as bad, or two markets would alternate forever.
    """
    market = [0] * len(SLOT)
    for card in part.market:
        if card is not None:
            market[SLOT[card]] += 1
    available = [sum(column) for column in zip(market, part.deck, part.discards, strict=True)]
    size = min(MARKET, sum(available))
    if not sum(part.deck) or sum(available) - available[WILD] < size - (limit - 1):
        return False
    certain = sum(part.deck) == size and not sum(part.discards)
    return not (certain and part.deck[WILD] >= limit)


def reveal(play: "Play", number: int) -> tuple[Card, ...]:
    """Reveal cards from the deck, as many as deck and discards have (R-TUN-2, R-TUN-3)."""
    cards: list[Card] = []
    while len(cards) < number and (new := draw_some(play, number - len(cards))):
        cards += new
        play.record(CardsRevealed(tuple(new)))
        reshuffle(play)
    return tuple(cards)


def _less(deck: Counts, gone: Sequence[Card]) -> Counts:
    bag = list(deck)
    for card in gone:
        bag[SLOT[card]] -= 1
    return tuple(bag)


@cards.evolves(MarketFilled)
def filled(part: Hands, event: MarketFilled) -> Hands:
    new = iter(event.cards)
    market = tuple(next(new, None) if card is None else card for card in part.market)
    return part._replace(market=market, deck=_less(part.deck, event.cards))


@cards.evolves(MarketSwept)
def swept(part: Hands, event: MarketSwept) -> Hands:
    discards = list(part.discards)
    for card in event.cards:
        discards[SLOT[card]] += 1
    return part._replace(market=(None,) * MARKET, discards=tuple(discards))


@cards.evolves(DeckReshuffled)
def reshuffled(part: Hands, event: DeckReshuffled) -> Hands:
    return part._replace(deck=tuple(map(int.__add__, part.deck, part.discards)), discards=NO_CARDS)


@cards.evolves(CardsRevealed)
def revealed(part: Hands, event: CardsRevealed) -> Hands:
    aside = list(part.aside)
    for card in event.cards:
        aside[SLOT[card]] += 1
    return part._replace(deck=_less(part.deck, event.cards), aside=tuple(aside))


@cards.accounts
def count_cards(rules: "Ruleset", state: State) -> None:
    """No card is lost, and the deck is only empty if the discards are (R-DECK-2, R-DECK-4)."""
    part, settings = cards.part(state), cards.parameters(rules)
    laid = [0] * len(SLOT)
    for card in part.market:
        if card is not None:
            laid[SLOT[card]] += 1
    piles = (*part.hands, part.deck, part.discards, part.aside, tuple(laid))
    if any(min(pile) < 0 for pile in piles):
        raise RulesBroken("a pile has a negative number of cards")
    total = [sum(column) for column in zip(*piles, strict=True)]
    if tuple(total) != settings.deck:
        raise RulesBroken(f"cards were lost or added: {total}")
    if not any(part.deck) and any(part.discards):
        raise RulesBroken("the deck is empty although there are discards")


@cards.tells(MarketFilled)
def tell_filled(rules: "Ruleset", event: MarketFilled, names: Sequence[str]) -> str:
    return say("New in the market: {cards}.", cards=named(event.cards))


@cards.tells(MarketSwept)
def tell_swept(rules: "Ruleset", event: MarketSwept, names: Sequence[str]) -> str:
    swept_cards = named(event.cards)
    return say("Too many locomotives: the market ({cards}) is cleared.", cards=swept_cards)


@cards.tells(DeckReshuffled)
def tell_reshuffled(rules: "Ruleset", event: DeckReshuffled, names: Sequence[str]) -> str:
    return says(
        "The {n} discarded cards become the new deck.",
        "The {n} discarded cards become the new deck.",
        event.cards,
    )


@cards.tells(CardsRevealed)
def tell_revealed(rules: "Ruleset", event: CardsRevealed, names: Sequence[str]) -> str:
    """The event that follows mentions them."""
    return ""
