"""The colours and patterns of the seats, by which people know each other's trains everywhere."""

from typing import NamedTuple

from engine.names import called
from engine.values import Seat


class Look(NamedTuple):
    """How a seat's trains look."""

    name: str
    """The key of its colour; `colour_of` says it."""
    ink: str
    on_ink: str
    """What can be read on it."""
    pattern: str
    """What stands on its trains, a key; `shapes.PATTERNS` draws it."""


SEATS = (
    Look("red", "#c62828", "#ffffff", "plain"),
    Look("blue", "#1455c0", "#ffffff", "stripe"),
    Look("green", "#1b7f3b", "#ffffff", "dots"),
    Look("yellow", "#f2c218", "#1d1d1d", "bars"),
    Look("black", "#262626", "#ffffff", "window"),
    Look("purple", "#7b2f9e", "#ffffff", "slash"),
    Look("orange", "#e2711d", "#1d1d1d", "rails"),
    Look("pink", "#e58bb0", "#1d1d1d", "wedge"),
)


def of_seat(seat: Seat) -> Look:
    """The look of a seat; no table has more seats than there are looks."""
    return SEATS[seat]


def colour_of(seat: Seat) -> str:
    """The colour of a seat as people call it."""
    return called(of_seat(seat).name)
