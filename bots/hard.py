"""The hard bot: weighs turns against points, rivals, odds, and tickets that may come."""

from bots.style import HARD
from bots.thinking import think
from engine import Action, Ruleset, State
from engine.values import Seat


def hard(rules: Ruleset, view: State, seat: Seat) -> Action:
    """What somebody does who wants to win."""
    return think(HARD, rules, view, seat)
