"""The house bots by name, and the type of a bot."""

from collections.abc import Callable

from bots.easy import easy
from bots.hard import hard
from bots.medium import medium
from engine import Action, Ruleset, State
from engine.values import Seat

Bot = Callable[[Ruleset, State, Seat], Action]
"""A function from the rules, a seat's view and the seat to one of its options.

The view is the replay of the log as the seat sees it; the seat must have a decision to make.
"""

HOUSE: dict[str, Bot] = {"easy": easy, "medium": medium, "hard": hard}
"""The house bots by name, weakest first."""


class Unknown(Exception):
    """There is no bot of that name."""


def named(name: str) -> Bot:
    """Return the house bot of this name."""
    if name not in HOUSE:
        raise Unknown(f"there is no bot “{name}”; there are: {', '.join(HOUSE)}")
    return HOUSE[name]
