"""The hard bot: weighs turns against points, rivals, odds, and tickets that may come."""

from bots.planner import think
from bots.style import HARD, HARD_WITH_DICE
from engine import Action, Ruleset, State
from engine.values import Seat


def hard(rules: Ruleset, view: State, seat: Seat) -> Action:
    """What somebody does who wants to win."""
    style = HARD_WITH_DICE if "dice" in view.parts else HARD
    return think(style, rules, view, seat)
