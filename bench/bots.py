"""Compare the time that each house bot takes for a decision with its limit."""

from collections.abc import Iterator
from statistics import median, quantiles
from time import perf_counter

from bots.arena import Entrant, matches, play
from bots.player import HOUSE
from service.boards.atlas import ruleset

GAMES = 6
BARS = {"easy": 50.0, "medium": 50.0}
"""Limits in milliseconds for the median decision of bots with a stricter limit of their own."""
SLOWEST = 500.0
"""Limit for every other house bot; one worker plays for many tables."""
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
    """Return the limit for the median decision of a house bot, in milliseconds."""
    return BARS.get(name, SLOWEST)


def run() -> Iterator[str]:
    """Yield one line per table and bot; decisions with a single option count as well."""
    for board, variants in TABLES:
        rules = ruleset(board, variants, 2)
        entrants = [Entrant(name, bot) for name, bot in HOUSE.items()]
        times: dict[str, list[float]] = {name: [] for name in HOUSE}
        for match in matches(entrants, 2, GAMES):
            score = play(rules, match, "bench", perf_counter)
            for name, some in zip(score.names, score.times, strict=True):
                times[name] += [1e3 * seconds for seconds in some]
        for name, spent in times.items():
            middle, late = median(spent), quantiles(spent, n=20)[-1]
            over = " OVER THE BAR" if middle > bar(name) else ""
            yield (
                f"{' '.join((board, *variants))}, {name}: {middle:.2f} ms a decision, "
                f"95 % under {late:.1f}, longest {max(spent):.0f} (bar {bar(name):.0f}){over}"
            )
