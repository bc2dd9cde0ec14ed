"""The colours and patterns of the seats, the same on all pages, letters and pictures.

A player may choose a colour when sitting down; every other seat has the colour of its number, or
the next one that nobody has. The colours differ from those of all routes, by day and by night.
"""

from collections.abc import Sequence
from typing import NamedTuple

from engine.names import called


class Look(NamedTuple):
    """How a seat's trains look."""

    name: str
    """The key of its colour; `spoken` has the name for people."""
    ink: str
    on_ink: str
    """The colour of text and patterns on it."""
    pattern: str
    """The pattern on its trains, a key of `shapes.PATTERNS`."""

    @property
    def spoken(self) -> str:
        """The name of the colour, in the reader's language."""
        return called(self.name)


SEATS = (
    Look("red", "#88082c", "#ffffff", "plain"),
    Look("blue", "#0a2fe0", "#ffffff", "stripe"),
    Look("green", "#047000", "#ffffff", "dots"),
    Look("yellow", "#f6f800", "#1d1d1d", "bars"),
    Look("black", "#000000", "#ffffff", "window"),
    Look("purple", "#5a02a3", "#ffffff", "slash"),
    Look("turquoise", "#03d7ef", "#1d1d1d", "rails"),
    Look("pink", "#fa2694", "#1d1d1d", "wedge"),
)
"""Return the looks in the order of the seats that have not chosen; no table has more seats."""
COLOURS = tuple(look.name for look in SEATS)
"""Return the colours that a player can choose."""
_BY_NAME = {look.name: look for look in SEATS}


def looks_of(chosen: Sequence[str | None]) -> tuple[Look, ...]:
    """Return the look of each seat from the colours that were chosen; None without a choice."""
    taken = {name for name in chosen if name}
    looks: list[Look | None] = [_BY_NAME[name] if name else None for name in chosen]
    for seat, name in enumerate(chosen):
        if not name and COLOURS[seat] not in taken:
            looks[seat] = SEATS[seat]
    used = {look.name for look in looks if look}
    free = iter([look for look in SEATS if look.name not in used])
    return tuple([look or next(free) for look in looks])
