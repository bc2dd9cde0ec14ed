"""Format the results: our value, the baseline, their ratio, and the goal."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple


class Goal(NamedTuple):
    """A measured value, with the bar that it must meet and the aim that it should meet."""

    what: str
    unit: str
    bar: float | None = None
    aim: float | None = None
    least: bool = True
    """Whether a higher value is better, so that the bar is a minimum."""


def row(*cells: str) -> str:
    """Format a line of the table."""
    what, *others, verdict = cells
    widths = (9, 9, 6, 13, 6, 6)
    numbers = " ".join(f"{cell:>{width}}" for cell, width in zip(others, widths, strict=True))
    return f"{what:<62} {numbers} {verdict}".rstrip()


def comparison(goal: Goal, pairs: Sequence[tuple[float, float]]) -> str:
    """Format the medians of our values, the baseline and their ratios."""
    ratios = sorted(value / baseline for value, baseline in pairs)
    value, baseline = (
        f"{median(column):.{_digits(median(column))}f}" for column in zip(*pairs, strict=True)
    )
    ratio = median(ratios)
    return row(
        f"{goal.what}, {goal.unit}",
        value,
        baseline,
        f"{ratio:.2f}",
        f"{ratios[0]:.2f}–{ratios[-1]:.2f}",
        *(f"{limit:.2f}" if limit is not None else "–" for limit in (goal.bar, goal.aim)),
        verdict(goal, ratio),
    )


def _digits(number: float) -> int:
    return 0 if number >= 100 else 1 if number >= 10 else 2


def verdict(goal: Goal, value: float) -> str:
    """Say whether a value meets the bar of its goal."""
    if goal.bar is None:
        return ""
    return "ok" if (value >= goal.bar if goal.least else value <= goal.bar) else "MISSED"
