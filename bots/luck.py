"""Luck of a bot: numbers that follow from what it sees, so that the same view plays the same."""

import hashlib

from engine import Chance, State
from engine.values import Seat


def luck_of(view: State, seat: Seat) -> Chance:
    """Draws for one choice; nothing but the view goes in."""
    seen = [view.awaiting, *(view.parts[name] for name in sorted(view.parts))]
    return Chance(hashlib.sha256(repr(seen).encode()).digest(), "bots", seat)
