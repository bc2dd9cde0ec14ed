"""The hard bot: weighs turns, points, rivals, odds, and tickets it might draw."""

from bots.planner import think
from bots.style import HARD, HARD_WITH_DICE
from engine import Action, Ruleset, State
from engine.values import Seat


def hard(rules: Ruleset, view: State, seat: Seat) -> Action:
    """Play to win."""
    style = HARD_WITH_DICE if "dice" in view.parts else HARD
    return think(style, rules, view, seat)
