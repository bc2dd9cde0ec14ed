"""Compares a hand with what a plan needs: how much is missing, and which cards would help."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.values import (
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    PLUS4,
    PLUS4_FROM,
    SLOT,
    USUAL_MEANS,
    Cost,
    Counts,
    Means,
)

WILD, LONG = SLOT[LOCOMOTIVE], SLOT[PLUS4]
RARITY = 1.6
"""How many missing cards a required locomotive counts as."""
SPARE = 0.12
"""The benefit of a card that nothing needs."""
SPARE_WILD = 0.5
"""The benefit of a locomotive that nothing needs."""


class Want(NamedTuple):
    """A cost to be paid with cards."""

    units: int
    slot: int
    """The colour's slot; -1 for any colour."""
    wild: int
    """How many of the units must be locomotives."""
    means: Means = USUAL_MEANS


def want_of(cost: Cost) -> Want:
    slot = -1 if cost.colour == GRAY else SLOT[cost.colour]
    return Want(cost.units, slot, cost.locomotives, cost.means)


def missing(hand: Sequence[int], wants: Iterable[Want], size: int) -> float:
    """Return how many cards are missing to pay everything.

    Any `size` cards count as a locomotive.
    """
    listed = list(wants)
    if any(want.means != USUAL_MEANS for want in listed):
        return _missing_by_means(hand, listed)
    left, wild, any_colour = list(hand[:WILD]), hand[WILD], []
    if long := hand[LONG]:
        wild += min(long, sum(want.units for want in listed if want.units >= PLUS4_FROM))
    for units, slot, locomotives, _ in listed:
        wild -= locomotives
        if slot < 0:
            any_colour.append(units - locomotives)
        else:
            left[slot] -= units - locomotives
    short = 0
    for slot, number in enumerate(left):
        if number < 0:
            short -= number
            left[slot] = 0
    any_colour.sort(reverse=True)
    for units in any_colour:
        best = max(left)
        taken = min(units, best)
        left[left.index(best)] -= taken
        short += units - taken
    if size:
        wild += sum(left) // size
    if wild < 0:
        return short - RARITY * wild
    return max(0, short - wild)


def _missing_by_means(hand: Sequence[int], wants: Sequence[Want]) -> float:
    """Return the same where locomotives or sets of cards count only for some costs.

    Costs without jokers get the cards of their colour first, those of any colour get them last.
    """
    left, wild, symbols, short, joker_short = list(hand[:WILD]), hand[WILD], 0, 0, 0
    for units, slot, locomotives, means in sorted(wants, key=_strictest_first):
        need = units - locomotives
        at = slot if slot >= 0 else left.index(max(left))
        lacking = max(0, need - left[at])
        left[at] -= need - lacking
        wild -= locomotives
        symbols += locomotives if means.symbol_set else 0
        if means.card_set:
            lacking -= min(lacking, (sum(left) + max(0, wild)) // means.card_set)
        if means.jokers:
            joker_short += lacking
        else:
            short += lacking
    if wild < 0 and symbols:
        size = max(want.means.symbol_set for want in wants)
        wild += min(-wild, symbols, sum(left) // size)
    if wild < 0:
        return short + joker_short - RARITY * wild
    return short + max(0, joker_short - wild)


def _strictest_first(want: Want) -> tuple[bool, bool, bool, int]:
    return want.means.card_set > 0, want.slot < 0, want.means.jokers, -want.units


def benefits(hand: Counts, wants: Sequence[Want], size: int, nearly: float) -> list[float]:
    """Return, by slot, how much one more card of that kind helps."""
    base = missing(hand, wants, size)
    gains = []
    for slot in range(len(COLOURS) + 1):
        more = list(hand)
        more[slot] += 1
        gain = base - missing(more, wants, size)
        least = SPARE_WILD if slot == WILD else SPARE
        gains.append(max(gain, least) + (nearly * _close(hand, wants, slot) if gain > 0 else 0.0))
    return gains


def _close(hand: Counts, wants: Sequence[Want], slot: int) -> float:
    """Return how close a card brings something to being paid: 1 for the last missing card."""
    best = 0.0
    for units, colour, wild, means in wants:
        if slot == WILD and not means.jokers:
            continue
        if colour in (slot, -1) or slot == WILD:
            held = hand[colour if colour >= 0 and slot == WILD else slot]
            jokers = hand[WILD] if means.jokers else 0
            short = units - held - jokers if slot != WILD else units - wild - held
            if short > 0:
                best = max(best, 1 / short)
    return best


def without(hand: Counts, paid: Counts) -> Counts:
    return tuple(held - gone for held, gone in zip(hand, paid, strict=True))
