"""The bonus for the longest trail."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.checks import NotNegative
from engine.module import Module
from engine.state import State
from engine.tally import Tally
from engine.translate import say

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    points: NotNegative = 10


longest: Module[Parameters, None] = Module(
    "longest_trail", Parameters, needs=("routes",), measures=("trail_bonus",)
)


@longest.scores
def score_longest(rules: "Ruleset", state: State, tally: Tally) -> None:
    """All seats that tie for the longest trail get the bonus, unless it is empty (R-LONG-3)."""
    best = max(tally.trails)
    holders = [best > 0 and length == best for length in tally.trails]
    for seat, holds in enumerate(holders):
        if holds:
            tally.add(seat, "longest_trail", longest.parameters(rules).points)
    tally.measures["trail_bonus"] = [int(holds) for holds in holders]


@longest.names_points("longest_trail")
def name_points(rules: "Ruleset") -> str:
    return say("Longest trail")
