"""What a decision of each house bot takes, against what was promised."""

from collections.abc import Iterator
from statistics import median, quantiles
from time import perf_counter

from bots.arena import Entrant, matches, play
from bots.player import HOUSE
from service.boards.atlas import ruleset

GAMES = 6
BARS = {"easy": 50.0, "medium": 50.0}
"""Milliseconds that the median may take, for those that are quicker than they have to be."""
SLOWEST = 500.0
"""The same for every other house bot: a worker plays for many tables."""
TABLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("usa", ()),
    ("usa", ("usa_1910_mega",)),
    ("europe", ()),
    ("europe", ("europa_1912_mega",)),
    ("uk", ()),
    ("uk", ("advanced_technologies",)),
    ("usa", ("dice",)),
    ("europe", ("dice",)),
    ("uk", ("dice",)),
)


def bar(name: str) -> float:
    """Milliseconds that the median decision of a house bot may take."""
    return BARS.get(name, SLOWEST)


def run() -> Iterator[str]:
    """One line for each table and bot; answers with only one option are counted, too."""
    for board, variants in TABLES:
        rules = ruleset(board, variants, 2)
        entrants = [Entrant(name, bot) for name, bot in HOUSE.items()]
        times: dict[str, list[float]] = {name: [] for name in HOUSE}
        for match in matches(entrants, 2, GAMES):
            score = play(rules, match, "bench", perf_counter)
            for name, some in zip(score.names, score.times, strict=True):
                times[name] += [1e3 * one for one in some]
        for name, spent in times.items():
            middle, late = median(spent), quantiles(spent, n=20)[-1]
            over = " OVER THE BAR" if middle > bar(name) else ""
            yield (
                f"{' '.join((board, *variants))}, {name}: {middle:.2f} ms a decision, "
                f"95 % under {late:.1f}, longest {max(spent):.0f} (bar {bar(name):.0f}){over}"
            )
