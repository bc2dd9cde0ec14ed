"""Compares a hand with what a plan needs: how much is missing, and which cards would help."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.values import COLOURS, GRAY, LOCOMOTIVE, SLOT, Cost, Counts

WILD = SLOT[LOCOMOTIVE]
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


def want_of(cost: Cost) -> Want:
    slot = -1 if cost.colour == GRAY else SLOT[cost.colour]
    return Want(cost.units, slot, cost.locomotives)


def missing(hand: Sequence[int], wants: Iterable[Want], size: int) -> float:
    """How many cards are missing to pay everything; any `size` cards count as a locomotive."""
    left, wild, any_colour = list(hand[:WILD]), hand[WILD], []
    for units, slot, locomotives in wants:
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


def benefits(hand: Counts, wants: Sequence[Want], size: int, nearly: float) -> list[float]:
    """By slot, how much one more card of that kind helps."""
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
    """How close a card brings something to being paid: 1 for the last missing card."""
    best = 0.0
    for units, colour, wild in wants:
        if colour in (slot, -1) or slot == WILD:
            held = hand[colour if colour >= 0 and slot == WILD else slot]
            short = units - held - hand[WILD] if slot != WILD else units - wild - held
            if short > 0:
                best = max(best, 1 / short)
    return best


def without(hand: Counts, paid: Counts) -> Counts:
    return tuple(held - gone for held, gone in zip(hand, paid, strict=True))
