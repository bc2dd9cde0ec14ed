"""The score table of a running game, for emails and pages."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import Ruleset, State
from engine.display import columns
from engine.values import Seat
from pictures import Look


class Rank(NamedTuple):
    """One seat's row of the score table."""

    seat: Seat
    name: str
    colour: str
    me: bool
    cells: tuple[str, ...]


class Standing(NamedTuple):
    """The score table, with what everybody may know."""

    columns: tuple[str, ...]
    rows: tuple[Rank, ...]


def standing_of(
    rules: Ruleset, names: Sequence[str], looks: Sequence[Look], view: State, me: Seat | None
) -> Standing:
    """Return the score table of this view; `me` is the reader's own seat."""
    shown = columns(rules, view)
    rows = [
        Rank(
            seat,
            name,
            looks[seat].name,
            seat == me,
            tuple(column.cells[seat] for column in shown),
        )
        for seat, name in enumerate(names)
    ]
    return Standing(tuple(column.label for column in shown), tuple(rows))
