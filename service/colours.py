"""The colours of the seats, by which people know each other's trains on every picture."""

from typing import NamedTuple

from engine.values import Seat


class Colour(NamedTuple):
    name: str
    ink: str
    on_ink: str
    """What can be read on it."""


SEATS = (
    Colour("red", "#c62828", "#ffffff"),
    Colour("blue", "#1455c0", "#ffffff"),
    Colour("green", "#1b7f3b", "#ffffff"),
    Colour("yellow", "#f2c218", "#1d1d1d"),
    Colour("black", "#262626", "#ffffff"),
    Colour("purple", "#7b2f9e", "#ffffff"),
    Colour("orange", "#e2711d", "#1d1d1d"),
    Colour("pink", "#e58bb0", "#1d1d1d"),
)


def of_seat(seat: Seat) -> Colour:
    """The colour of a seat; no table has more seats than there are colours."""
    return SEATS[seat]
