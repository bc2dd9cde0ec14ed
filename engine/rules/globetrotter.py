"""The bonus for the most completed tickets."""

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
    points: NotNegative = 15


globetrotter: Module[Parameters, None] = Module("globetrotter", Parameters, needs=("tickets",))


@globetrotter.scores
def score_most(rules: "Ruleset", state: State, tally: Tally) -> None:
    """All seats that tie for the most get the bonus, unless they completed no ticket."""
    best = max(map(len, tally.completed))
    for seat, completed in enumerate(tally.completed):
        if best and len(completed) == best:
            tally.add(seat, "globetrotter", globetrotter.parameters(rules).points)


@globetrotter.names_points("globetrotter")
def name_points(rules: "Ruleset") -> str:
    return say("Globetrotter")
