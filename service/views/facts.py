"""The score table so far, as a mail or a page shows it."""

from collections.abc import Sequence
from typing import NamedTuple

from engine import Ruleset, State
from engine.display import columns
from engine.values import Seat
from pictures import of_seat


class Rank(NamedTuple):
    """One seat's line of the score table so far."""

    seat: Seat
    name: str
    colour: str
    me: bool
    cells: tuple[str, ...]


class Standing(NamedTuple):
    """The score table so far: what everybody may know."""

    columns: tuple[str, ...]
    rows: tuple[Rank, ...]


def standing_of(rules: Ruleset, names: Sequence[str], view: State, me: Seat | None) -> Standing:
    """The score table so far."""
    found = columns(rules, view)
    rows = [
        Rank(seat, name, of_seat(seat).name, seat == me, tuple(one.cells[seat] for one in found))
        for seat, name in enumerate(names)
    ]
    return Standing(tuple(one.label for one in found), tuple(rows))
