"""The form in which an entry of the menu is chosen, on the page of a game and on that of a link.

Its choice is the number of an entry and the text of one of its ways, as “3:2 blue”, or the number
alone where things are ticked.
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from engine import Chosen, Entry, Menu
from engine.menu import Way, numbered

_CHOICE = re.compile(r"(\d{1,4})(?::(.*))?", re.ASCII)
_NUMBER = re.compile(r"\d{1,3}", re.ASCII)
NO_NUMBER = -1
"""Stands for a number of locomotives that is not a number: it is refused wherever it is sent."""


class MenuForm(NamedTuple):
    """What was sent, as text; the page shows it again if it is refused."""

    choice: str = ""
    things: tuple[str, ...] = ()
    """The things that were ticked for the chosen entry."""
    locomotives: str = ""
    """With how many locomotives or jokers to pay; empty for the fewest."""

    @property
    def entry(self) -> int | None:
        """The number of the chosen entry; None if the choice is not from the menu."""
        match = _CHOICE.fullmatch(self.choice)
        return int(match[1]) if match else None

    @property
    def way(self) -> str | None:
        """The text of the chosen way; None if things are chosen."""
        match = _CHOICE.fullmatch(self.choice)
        return match[2] if match else None

    @property
    def body(self) -> dict[str, Any]:
        """The answer as JSON, in which things are still text."""
        if self.way is None:
            return {"entry": self.entry, "things": [*self.things]}
        if not self.locomotives:
            return {"entry": self.entry, "way": self.way}
        is_number = _NUMBER.fullmatch(self.locomotives)
        number = int(self.locomotives) if is_number else NO_NUMBER
        return {"entry": self.entry, "way": self.way, "locomotives": number}

    def answer(self, entries: Menu) -> Chosen:
        """Return the answer that it means in this menu; raise Unreadable without such an entry."""
        entry = numbered(entries, self.entry or 0)
        body = self.body
        if self.way is None:
            body["things"] = values_of(entry, self.things)
        return Chosen(**body)


def choice_of(number: int, way: Way) -> str:
    """Return the choice that means this way of the entry with this number."""
    return f"{number}:{way.text}"


def values_of(entry: Entry, things: Iterable[str]) -> tuple[str | int, ...]:
    """Return the values of things that were sent as text; unknown ones stay text."""
    offered = entry.choice.things if entry.choice else ()
    values = {str(thing.value): thing.value for thing in offered}
    return tuple(values.get(text, text) for text in things)
