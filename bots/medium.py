"""The medium bot: plans paths for its tickets, draws for the plan, and watches for the end."""

from bots.planner import think
from bots.style import MEDIUM
from engine import Action, Ruleset, State
from engine.values import Seat


def medium(rules: Ruleset, view: State, seat: Seat) -> Action:
    """Play like a player who knows the game."""
    return think(MEDIUM, rules, view, seat)
