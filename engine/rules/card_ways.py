"""Ways to pay with train cards, prices in words, and what is wrong with other payments."""

from functools import lru_cache

from engine.names import called, one_card, some_cards
from engine.purse import PaidWay
from engine.rules.card_payments import ALL_COLOURS, WILD, cards_of, pays
from engine.translate import say, says
from engine.values import (
    CARDS,
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    NO_CARDS,
    Cost,
    Counts,
    Terms,
    card_payment,
)


@lru_cache(maxsize=1 << 12)
def paid_ways(
    hand: Counts, cost: Cost, terms: Terms, payments: tuple[Counts, ...]
) -> tuple[PaidWay, ...]:
    """These payments as ways: one for each colour, from its fewest locomotives to the most.

    The most may be locomotives alone; they are a way of their own only if no colour can be paid.
    Each payment with substitutes is a way of its own. The order is: without substitutes, then
    fewest locomotives, fewest cards, and the colour that leaves most in hand.
    """
    without = Terms(spare=terms.spare)
    plain = [counts for counts in payments if pays(counts, cost, without)]
    ways = [
        _of_colour(hand, min(of_colour, key=_locomotives), slot)
        for slot in ALL_COLOURS
        if (of_colour := [counts for counts in plain if counts[slot]])
    ]
    if plain and not ways:
        ways = [_way(plain[:1], LOCOMOTIVE)]
    ways += [_way([counts], "") for counts in payments if counts not in plain]
    return tuple(sorted(ways, key=lambda way: _thrift(way, hand)))


def _of_colour(hand: Counts, fewest: Counts, slot: int) -> PaidWay:
    """A way from these cards to as many locomotives instead as the hand has."""
    most = min(hand[WILD], sum(fewest))
    steps = [_moved(fewest, slot, more) for more in range(most - fewest[WILD] + 1)]
    return _way(steps, COLOURS[slot])


def _moved(counts: Counts, slot: int, more: int) -> Counts:
    moved = list(counts)
    moved[slot] -= more
    moved[WILD] += more
    return tuple(moved)


def _way(steps: list[Counts], name: str) -> PaidWay:
    return PaidWay(tuple(map(card_payment, steps)), steps[0][WILD], name)


def _locomotives(counts: Counts) -> int:
    return counts[WILD]


def _thrift(way: PaidWay, hand: Counts) -> tuple[bool, int, int, int]:
    counts = cards_of(way.payments[0]).counts
    left = hand[CARDS.index(way.name)] - counts[CARDS.index(way.name)] if way.name else 0
    return not way.name, way.locomotives, sum(counts), -left


def in_words(cost: Cost) -> str:
    """A cost in words: “3 green”, “4 of one colour, 2 of them locomotives”."""
    if cost.locomotives == cost.units:
        return some_cards(LOCOMOTIVE, cost.units)
    if cost.colour != GRAY:
        price = some_cards(cost.colour, cost.units)
    else:
        price = says("{n} card", "{n} of one colour", cost.units)
    if not cost.locomotives:
        return price
    return says(
        "{price}, {n} of them a locomotive",
        "{price}, {n} of them locomotives",
        cost.locomotives,
        price=price,
    )


def what_is_missing(hand: Counts, cost: Cost) -> str:
    """The fewest cards with which the hand could pay: “2 green or locomotives”."""
    wild = max(cost.locomotives - hand[WILD], 0)
    spare = max(hand[WILD] - cost.locomotives, 0)
    slots = ALL_COLOURS if cost.colour == GRAY else (CARDS.index(cost.colour),)
    held = max(hand[slot] for slot in slots)
    more = max(cost.units - cost.locomotives - held - spare, 0)
    locomotives = some_cards(LOCOMOTIVE, wild) if wild else ""
    if not more:
        return locomotives
    if cost.colour == GRAY:
        # Any colour will do if the hand has nothing that fits; else the one that it has most of.
        best = [COLOURS[slot] for slot in slots if hand[slot] == held and held]
        coloured = (
            some_cards(best[0], more)
            if len(best) == 1
            else says("{n} card", "{n} of one colour", more)
        )
    else:
        coloured = some_cards(cost.colour, more)
    if wild:
        return say(
            "{locomotives} and {cards} or more locomotives",
            locomotives=locomotives,
            cards=coloured,
        )
    return say("{cards} or locomotives", cards=coloured)


def what_is_wrong(hand: Counts, cost: Cost, terms: Terms, paid: Counts) -> str:
    """Why these cards do not pay the cost: not in hand, or a wrong colour or number."""
    if paid == NO_CARDS:
        return say("Name the cards that you pay with.")
    for card, has, laid in zip(CARDS, hand, paid, strict=False):
        if laid > has:
            if has:
                return say("You have only {cards}.", cards=some_cards(card, has))
            return say("You do not have {card}.", card=one_card(card))
    return _wrong_colour(cost, terms, paid) or _wrong_number(cost, terms, paid)


def _wrong_colour(cost: Cost, terms: Terms, paid: Counts) -> str:
    if terms.substitute:
        return ""
    if cost.locomotives == cost.units and paid[WILD] < sum(paid):
        return say("It takes locomotives only.")
    colours = [COLOURS[slot] for slot in ALL_COLOURS if paid[slot]]
    if cost.colour != GRAY and any(colour != cost.colour for colour in colours):
        return say("It takes {colour} cards and locomotives.", colour=called(cost.colour))
    if len(colours) > 1:
        return say("All cards must have the same colour, apart from locomotives.")
    return ""


def _wrong_number(cost: Cost, terms: Terms, paid: Counts) -> str:
    """What is wrong with cards of the right colour; also sums up where substitutes count."""
    if paid[WILD] < cost.locomotives and not terms.substitute and sum(paid) == cost.units:
        return says(
            "{n} of the cards must be a locomotive.",
            "{n} of the cards must be locomotives.",
            cost.locomotives,
        )
    return say("It costs {price}.", price=in_words(cost))
