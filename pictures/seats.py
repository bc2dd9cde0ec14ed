"""The colours and patterns of the seats, the same on all pages, letters and pictures."""

from typing import NamedTuple

from engine.names import called
from engine.values import Seat


class Look(NamedTuple):
    """How a seat's trains look."""

    name: str
    """The key of its colour; `colour_of` has the name for people."""
    ink: str
    on_ink: str
    """The colour of text and patterns on it."""
    pattern: str
    """The pattern on its trains, a key of `shapes.PATTERNS`."""


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
    """The name of a seat's colour, in the reader's language."""
    return called(of_seat(seat).name)
