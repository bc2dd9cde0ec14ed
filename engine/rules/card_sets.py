"""Payments of train cards for costs with means of their own.

Locomotives may count only for symbols or not at all, and sets of cards may count as a locomotive
or as a missing card (R-NOR-6 to R-NOR-11).
"""

from collections.abc import Sequence
from functools import lru_cache

from engine.values import (
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    NO_CARDS,
    SLOT,
    Cost,
    Counts,
    Payment,
    card_payment,
)

WILD = SLOT[LOCOMOTIVE]


def pays_by_means(counts: Counts, cost: Cost, fewest: int) -> bool:
    """Whether these cards pay the cost, of which `fewest` units must be paid."""
    fits = _fits_card_sets if cost.means.card_set else _fits_symbols
    return any(fits(counts, cost, slot, fewest) for slot in _slots(cost.colour))


def _slots(colour: str) -> Sequence[int]:
    return range(len(COLOURS)) if colour == GRAY else (SLOT[colour],)


def _fits_symbols(counts: Counts, cost: Cost, slot: int, fewest: int) -> bool:
    """Cards of this colour, locomotives, and sets for at most as many locomotives as symbols."""
    wild, coloured, size = counts[WILD], sum(counts[:WILD]), cost.means.symbol_set
    for sets in range(cost.locomotives + 1 if size else 1):
        own, locomotives = coloured - sets * size, wild + sets
        if not 0 <= own <= counts[slot] or locomotives < cost.locomotives:
            continue
        if locomotives > cost.locomotives and not cost.means.jokers:
            continue
        if fewest <= own + locomotives <= cost.units:
            return True
    return False


def _fits_card_sets(counts: Counts, cost: Cost, slot: int, fewest: int) -> bool:
    """Cards of this colour, and sets of any cards for each one that is missing."""
    total, size = sum(counts), cost.means.card_set
    fitting = counts[slot] + (counts[WILD] if cost.means.jokers else 0)
    for sets in range(cost.units + 1):
        own = total - sets * size
        if 0 <= own <= fitting and fewest <= own + sets <= cost.units:
            return True
    return False


@lru_cache(maxsize=1 << 14)
def listed_by_means(hand: Counts, cost: Cost) -> tuple[Payment, ...]:
    """The payments to list for this cost; if anything pays, something is listed.

    Without sets the list is complete. With sets it has one payment for each colour and number of
    sets, with as many cards of the colour as possible (docs/decisions/0008).
    """
    laid = [
        counts
        for slot in _slots(cost.colour)
        for counts in (
            _in_card_sets(hand, cost, slot)
            if cost.means.card_set
            else _for_symbols(hand, cost, slot)
        )
    ]
    return tuple(map(card_payment, dict.fromkeys(laid)))


def _for_symbols(hand: Counts, cost: Cost, slot: int) -> list[Counts]:
    """Payments without sets, then those with ever more sets instead of locomotives."""
    top = cost.units - cost.locomotives
    most = min(hand[slot], top)
    least = 0 if cost.means.jokers else top
    ways = [
        _laid(slot, own, cost.units - own)
        for own in range(most, least - 1, -1)
        if cost.units - own <= hand[WILD]
    ]
    size, coloured = cost.means.symbol_set, sum(hand[:WILD])
    for sets in range(1, cost.locomotives + 1 if size else 1):
        own = min(most, coloured - sets * size)
        wild = cost.units - own - sets
        if least <= own and wild <= hand[WILD]:
            ways.append(_with_sets(hand, _laid(slot, own, wild), slot, sets * size, WILD))
    return ways


def _in_card_sets(hand: Counts, cost: Cost, slot: int) -> list[Counts]:
    """The payment with the most cards of this colour, and sets of any cards for the others."""
    own = min(hand[slot], cost.units)
    wild = min(hand[WILD], cost.units - own) if cost.means.jokers else 0
    odd = (cost.units - own - wild) * cost.means.card_set
    if own + wild + odd > sum(hand):
        return []
    return [_with_sets(hand, _laid(slot, own, wild), slot, odd, len(hand))]


def _laid(slot: int, own: int, wild: int) -> Counts:
    """The counts for `own` cards of a colour and `wild` locomotives."""
    counts = list(NO_CARDS)
    counts[slot] = own
    counts[WILD] += wild
    return tuple(counts)


def _with_sets(hand: Counts, laid: Counts, slot: int, odd: int, end: int) -> Counts:
    """With `odd` more cards of the slots before `end`, from the smallest piles of other colours.

    The colour that is paid comes last, and locomotives after it.
    """
    counts = list(laid)
    piles = [at for at in range(end) if hand[at]]
    for at in sorted(piles, key=lambda at: (at == WILD, at == slot, hand[at], at)):
        taken = min(odd, hand[at] - counts[at])
        counts[at] += taken
        odd -= taken
    return tuple(counts)
