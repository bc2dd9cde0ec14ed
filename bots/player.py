"""The house bots by name, and how they are called."""

from collections.abc import Callable

from bots.easy import easy
from bots.hard import hard
from bots.medium import medium
from engine import Action, Ruleset, State
from engine.values import Seat

Bot = Callable[[Ruleset, State, Seat], Action]
"""From the rules, a seat's own view and the seat to one of its options.

The view is the replay of the log as the seat sees it; something must be asked of the seat.
"""

HOUSE: dict[str, Bot] = {"easy": easy, "medium": medium, "hard": hard}
"""Weakest first."""


class Unknown(Exception):
    """Nobody of that name can be asked to play."""


def named(name: str) -> Bot:
    """The house bot of this name."""
    if name not in HOUSE:
        raise Unknown(f"there is no bot “{name}”; there are: {', '.join(HOUSE)}")
    return HOUSE[name]
