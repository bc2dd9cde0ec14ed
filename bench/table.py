"""The table of what was measured: ours, theirs, their ratio, and what was wanted."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple


class Goal(NamedTuple):
    """What is measured, and what is wanted."""

    what: str
    unit: str
    bar: float | None = None
    aim: float | None = None
    least: bool = True
    """Whether more is better."""


def row(*cells: str) -> str:
    """A line of the table."""
    what, *others, verdict = cells
    widths = (9, 9, 6, 13, 6, 6)
    numbers = " ".join(f"{cell:>{width}}" for cell, width in zip(others, widths, strict=True))
    return f"{what:<62} {numbers} {verdict}".rstrip()


def told(goal: Goal, pairs: Sequence[tuple[float, float]]) -> str:
    """The medians of ours and theirs, and of their ratios."""
    ratios = sorted(mine / other for mine, other in pairs)
    mine, other = (
        f"{median(column):.{_digits(median(column))}f}" for column in zip(*pairs, strict=True)
    )
    ratio = median(ratios)
    return row(
        f"{goal.what}, {goal.unit}",
        mine,
        other,
        f"{ratio:.2f}",
        f"{ratios[0]:.2f}–{ratios[-1]:.2f}",
        *(f"{wanted:.2f}" if wanted is not None else "–" for wanted in (goal.bar, goal.aim)),
        verdict(goal, ratio),
    )


def _digits(number: float) -> int:
    return 0 if number >= 100 else 1 if number >= 10 else 2


def verdict(goal: Goal, found: float) -> str:
    """Whether it is good enough."""
    if goal.bar is None:
        return ""
    return "ok" if (found >= goal.bar if goal.least else found <= goal.bar) else "MISSED"
