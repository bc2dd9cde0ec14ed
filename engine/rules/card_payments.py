"""Payments of train cards: which ones are listed for a cost, and which ones are valid."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine.errors import RulesBroken
from engine.rules.card_sets import listed_by_means, pays_by_means
from engine.values import (
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    NO_CARDS,
    PASSENGER,
    PLUS4,
    PLUS4_FROM,
    SLOT,
    USUAL_MEANS,
    Card,
    CardPayment,
    Cost,
    Counts,
    Payment,
    PriceList,
    Terms,
    card_payment,
)

WILD = SLOT[LOCOMOTIVE]
LONG, RIDER = SLOT[PLUS4], SLOT[PASSENGER]
ALL_COLOURS = range(len(COLOURS))
Ways = Mapping[int, tuple[Payment, ...]]
"""The payments for each affordable cost, by its index; cached, so not to be changed."""
Listing = Callable[[Counts, int, str, int, int], tuple[Payment, ...]]
Due = tuple[Listing, int, str, int]
"""A function that lists the payments for a cost, and the cost's units, colour and locomotives."""


def cards_of(payment: Payment) -> CardPayment:
    """The payment as cards, which it always is in this game."""
    if not isinstance(payment, CardPayment):
        raise RulesBroken("a payment of dice in a game with cards")
    return payment


class LazyWays(dict[int, tuple[Payment, ...]]):
    """Ways to pay that are listed on first access.

    Most costs of a price list are never looked up, since their routes are barred or taken.
    """

    __slots__ = ("due", "hand", "size")

    def __init__(self, hand: Counts, size: int, due: Mapping[int, Due]) -> None:
        self.hand = hand
        self.size = size
        self.due = due

    def __missing__(self, at: int) -> tuple[Payment, ...]:
        listing, units, colour, need = self.due[at]
        payments = self[at] = listing(self.hand, units, colour, need, self.size)
        return payments

    def __contains__(self, at: object) -> bool:
        return at in self.due

    def __iter__(self) -> Iterator[int]:
        return iter(self.due)

    def __len__(self) -> int:
        return len(self.due)

    # dict's own methods would only see the keys looked up so far
    get = Mapping.get  # type: ignore[assignment]  # wider than a dict's
    keys = Mapping.keys  # type: ignore[assignment]  # wider than a dict's
    items = Mapping.items  # type: ignore[assignment]  # wider than a dict's
    values = Mapping.values  # type: ignore[assignment]  # wider than a dict's


@lru_cache(maxsize=1 << 14)
def listed_payments(hand: Counts, costs: tuple[Cost, ...], terms: Terms) -> Ways:
    """The ways to pay with this hand; cached, since the same hands come up again and again."""
    by_means = _by_means(costs)
    if by_means.special:
        return _with_means(hand, by_means, terms)
    if hand[LONG]:
        return _with_plus4(hand, costs, terms)
    size, spare = terms
    if spare or (size and sum(hand[:WILD]) >= size):
        return _on_terms(hand, costs, terms)
    wild, most = hand[WILD], max(hand[:WILD])
    by_cost: dict[int, tuple[Payment, ...]] = {}
    for at, (units, colour, need, _, _, _) in enumerate(costs):
        if units > most + wild:
            break
        if ways := _without_substitutes(hand, units, colour, need, size):
            by_cost[at] = ways
    return by_cost


class _ByMeans(NamedTuple):
    """Costs with the usual means, with their indices, and those with means of their own."""

    usual: PriceList
    places: tuple[int, ...]
    special: tuple[tuple[int, Cost], ...]


@lru_cache(maxsize=1 << 10)
def _by_means(costs: tuple[Cost, ...]) -> _ByMeans:
    usual = [(at, cost) for at, cost in enumerate(costs) if cost.means == USUAL_MEANS]
    special = [(at, cost) for at, cost in enumerate(costs) if cost.means != USUAL_MEANS]
    return _ByMeans(
        PriceList(cost for _, cost in usual), tuple(at for at, _ in usual), tuple(special)
    )


def _with_means(hand: Counts, costs: _ByMeans, terms: Terms) -> Ways:
    """The ways to pay where some costs have means of their own."""
    ways = listed_payments(hand, costs.usual, terms)
    by_cost = {at: ways[place] for place, at in enumerate(costs.places) if place in ways}
    for at, cost in costs.special:
        payments = listed_by_means(hand, cost._replace(units=fewest_units(cost, terms)))
        if payments:
            by_cost[at] = payments
    return by_cost


def _with_plus4(hand: Counts, costs: tuple[Cost, ...], terms: Terms) -> Ways:
    """On long routes “+4” locomotives are paid before others, as they are good for nothing else."""
    without = (*hand[:LONG], 0, *hand[LONG + 1 :])
    short = listed_payments(without, costs, terms)
    long = listed_payments(all_jokers(hand), costs, terms)
    by_cost: dict[int, tuple[Payment, ...]] = {}
    for at, cost in enumerate(costs):
        if not takes_plus4(cost):
            if at in short:
                by_cost[at] = short[at]
        elif at in long:
            by_cost[at] = tuple(plus4_first(hand, cards_of(payment).counts) for payment in long[at])
    return by_cost


def takes_plus4(cost: Cost) -> bool:
    """Whether “+4” locomotives count for this cost (R-MAR-11)."""
    return cost.purpose == "route" and cost.units >= PLUS4_FROM


def all_jokers(hand: Counts) -> Counts:
    """The hand with all its “+4” locomotives counted as ordinary ones."""
    return (*hand[:WILD], hand[WILD] + hand[LONG], 0, *hand[LONG + 1 :])


def plus4_first(hand: Counts, paid: Counts) -> CardPayment:
    """A payment in which the “+4” locomotives of a hand stand for ordinary ones."""
    long = min(paid[WILD], hand[LONG])
    return card_payment((*paid[:WILD], paid[WILD] - long, long, *paid[LONG + 1 :]))


def jokers_in(counts: Counts) -> int:
    """How many locomotives of both kinds there are."""
    return counts[WILD] + counts[LONG]


def _without_substitutes(
    hand: Counts, units: int, colour: str, need: int, size: int
) -> tuple[Payment, ...]:
    """Payments of one colour and locomotives only, without substitutes."""
    if colour == GRAY:
        return _any_colour(hand, units, need, size)
    slot = SLOT[colour]
    held, wild = hand[slot], hand[WILD]
    return _one_colour(slot, units, need, held, wild) if held + wild >= units else ()


@lru_cache(maxsize=1 << 14)
def _one_colour(slot: int, units: int, need: int, held: int, wild: int) -> tuple[Payment, ...]:
    """Payments in this colour, fewest locomotives first, then locomotives alone."""
    jokers = _jokers(units) if wild >= units else ()
    return _coloured(slot, units, need, held, wild) + jokers


def _any_colour(hand: Counts, units: int, need: int, size: int) -> tuple[Payment, ...]:
    """Payments in every colour that is held, then locomotives alone."""
    wild = hand[WILD]
    listed = 1 if size else None  # one per colour where the map has substitutes
    ways: tuple[Payment, ...] = ()
    for slot in ALL_COLOURS:
        held = hand[slot]
        if held and held + wild >= units:
            ways += _coloured(slot, units, need, held, wild)[:listed]
    return ways + _jokers(units) if wild >= units else ways


@lru_cache(maxsize=1 << 14)
def _coloured(slot: int, units: int, need: int, held: int, wild: int) -> tuple[Payment, ...]:
    most, least = min(held, units - need), max(1, units - wild)
    laid = [_laid(slot, own, units - own) for own in range(most, least - 1, -1)]
    return tuple(map(card_payment, laid))


@lru_cache(maxsize=64)
def _jokers(units: int) -> tuple[Payment, ...]:
    return (card_payment(_laid(WILD, 0, units)),)


@lru_cache(maxsize=1 << 12)
def _laid(slot: int, own: int, wild: int) -> Counts:
    """The counts for `own` cards of a colour and `wild` locomotives."""
    counts = list(NO_CARDS)
    counts[slot] = own
    counts[WILD] = wild
    return tuple(counts)


def fewest_units(cost: Cost, terms: Terms) -> int:
    """The fewest units to pay: at least one, and all those with a locomotive symbol (R-ADV-5)."""
    if not terms.spare or cost.purpose != "route":
        return cost.units
    return min(cost.units, max(1, cost.locomotives, cost.units - terms.spare))


def _on_terms(hand: Counts, costs: tuple[Cost, ...], terms: Terms) -> Ways:
    """The ways to pay where sets of cards count as locomotives or units may be left unpaid."""
    wild, total, most = hand[WILD], sum(hand[:WILD]), max(hand[:WILD])
    size = terms.substitute or total + 1  # without substitutes, more than any hand has
    reach = most + wild + (total - most) // size + terms.spare
    due: dict[int, Due] = {}
    for at, cost in enumerate(costs):
        units, colour, need, _, _, _ = cost
        if units > reach:
            break
        if terms.spare:
            units = fewest_units(cost, terms)
        own = min(units - need, most if colour == GRAY else hand[SLOT[colour]])
        sets = (total - own) // size
        if own + wild + sets < units:
            continue
        if own == units == 1 or (colour != GRAY and (own == units or not sets)):
            due[at] = _without_substitutes, units, colour, need
        elif own or colour == GRAY:
            due[at] = _proposals, units, colour, need
        else:  # the same for every colour that is not held, so that they share a cache entry
            due[at] = _proposals, units, GRAY, units
    ways = LazyWays(hand, size, due)
    return ways if isinstance(costs, PriceList) else {at: ways[at] for at in due}


@lru_cache(maxsize=1 << 14)
def _proposals(hand: Counts, units: int, colour: str, need: int, size: int) -> tuple[Payment, ...]:
    """The payments to list where `size` cards of any colour count as a locomotive.

    There are far too many to list all of them; docs/decisions/0008 says which are listed.
    """
    wild, total = hand[WILD], sum(hand[:WILD])
    laid = [
        _with_substitutes(hand, slot, own, jokers, odd) if odd else _laid(slot, own, jokers)
        for slot, own, jokers in _splits(hand, total, units, colour, need, size)
        if jokers <= wild and (odd := (units - own - jokers) * size) <= total - own
    ]
    return tuple(map(card_payment, dict.fromkeys(laid)))


def _splits(
    hand: Counts, total: int, units: int, colour: str, need: int, size: int
) -> list[tuple[int, int, int]]:
    """A colour, its number of cards, and a number of locomotives; substitutes make up the rest."""
    wild, top = hand[WILD], units - need
    if not top or not total:
        return [(WILD, 0, jokers) for jokers in range(min(wild, units), -1, -1)]
    if colour != GRAY and not wild:  # nothing is left to choose
        return [(slot := SLOT[colour], min(top, hand[slot]), 0)]
    heaps = [(min(top, held), held, slot) for slot in _colours(colour) if (held := hand[slot])]
    ways = []
    for most, _, slot in heaps:  # as many of the colour as possible, then locomotives
        ways.append((slot, most, min(wild, units - most)))
        if colour != GRAY:
            fewer = range(most - 1, max(0, units - wild - 1), -1)
            ways += [(slot, own, units - own) for own in fewer]
    if wild >= units:
        ways.append((WILD, 0, units))
    most, _, slot = max(heaps)
    sets = min(units - most, (total - most) // size)  # here they come before locomotives
    sparing = (slot, most, units - most - sets)
    return ways if sparing in ways else [*ways, sparing]


def _colours(colour: str) -> Sequence[int]:
    """The colours in which a cost of this colour can be paid."""
    return ALL_COLOURS if colour == GRAY else (SLOT[colour],)


def _with_substitutes(hand: Counts, slot: int, own: int, wild: int, odd: int) -> Counts:
    """The counts with substitutes from the smallest piles; the colour that is paid comes last."""
    counts = list(_laid(slot, own, wild))
    for held, other in _smallest_first(hand):
        if other != slot:
            if held >= odd:
                counts[other] = odd
                return tuple(counts)
            counts[other] = held
            odd -= held
    counts[slot] += odd
    return tuple(counts)


@lru_cache(maxsize=1 << 10)
def _smallest_first(hand: Counts) -> list[tuple[int, int]]:
    """The piles of a hand with their colours, smallest first."""
    return sorted((hand[slot], slot) for slot in ALL_COLOURS if hand[slot])


def pays(counts: Counts, cost: Cost, terms: Terms) -> bool:
    """Whether these cards are one colour, locomotives and whole sets of substitutes.

    They must be exactly as many units as the cost, with enough locomotives
    (R-CLAIM-3 to 6, R-FERRY-1, R-UK-7, R-MAR-11).
    """
    if counts[RIDER] or (counts[LONG] and not takes_plus4(cost)):
        return False
    wild, coloured = jokers_in(counts), sum(counts[:WILD])
    fewest = fewest_units(cost, terms)
    if cost.means != USUAL_MEANS:
        return pays_by_means(counts, cost, fewest)
    for slot in _colours(cost.colour):
        for own in range(counts[slot] + 1):
            sets = _whole_sets(coloured - own, terms.substitute)
            if sets is None or wild + sets < cost.locomotives:
                continue
            if fewest <= own + wild + sets <= cost.units:
                return True
    return False


def _whole_sets(odd: int, size: int) -> int | None:
    """How many sets these cards make; None if cards are left over (R-UK-6)."""
    if not odd:
        return 0
    return odd // size if size and odd % size == 0 else None


def colour_of(payment: CardPayment, cost: Cost) -> Card:
    """The colour of a payment: the route's, or on a gray route the most frequent (R-TUN-11)."""
    if not any(payment.counts[:WILD]):
        return LOCOMOTIVE
    if cost.colour != GRAY:
        return cost.colour
    return max(COLOURS, key=lambda colour: payment.counts[SLOT[colour]])
