"""Pseudo-random draws for bots, seeded by the view: the same view gives the same play."""

import hashlib

from engine import Chance, State
from engine.values import Seat


def luck_of(view: State, seat: Seat) -> Chance:
    """Return the draws for one decision, derived from the view alone."""
    facts = [view.awaiting, *(view.parts[name] for name in sorted(view.parts))]
    return Chance(hashlib.sha256(repr(facts).encode()).digest(), "bots", seat)
