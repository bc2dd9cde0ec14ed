"""The hard bot: weighs turns, points, rivals, odds, and tickets it might draw."""

from bots.planner import think
from bots.style import HARD, HARD_WITH_DICE, HARD_WITH_FEW_JOKERS, HARD_WITH_RARE_JOKERS
from engine import Action, Ruleset, State
from engine.values import Seat


def hard(rules: Ruleset, view: State, seat: Seat) -> Action:
    """Play to win."""
    if "dice" in view.parts:
        return think(HARD_WITH_DICE, rules, view, seat)
    if "locomotive_routes" not in rules.parameters:
        return think(HARD, rules, view, seat)
    rare = "ferries" in rules.parameters
    return think(HARD_WITH_RARE_JOKERS if rare else HARD_WITH_FEW_JOKERS, rules, view, seat)
