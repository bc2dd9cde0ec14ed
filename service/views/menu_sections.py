"""The menu of a decision as pages show it: by what is done, and where."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine import Entry, Goal, Help, Ruleset
from engine.choosing import how_many
from engine.display import help_for, title_of
from engine.menu import Way
from engine.notation import city_name, route_name
from engine.text import points
from engine.translate import say
from service.games.menu_forms import choice_of
from service.views.menu_entries import NumberedEntry, numbered_entries

MOST_FIRST = 3
"""Places that a folded section shows at once, because they bring tickets nearer."""
MOST_UNFOLDED = 20
"""Ways that a section may have before it is folded."""
MOST_BESIDE = 3
"""Ways that a section may have before it counts as long."""


class Item(NamedTuple):
    """An entry of the menu, and what the page says of it."""

    n: int
    """Its number in the menu, from 1."""
    entry: Entry
    title: str
    """Only the place, if the section's title says what is done there; else the entry's title."""
    details: tuple[str, ...]
    """What it costs, what is special about it, and how many points it scores."""
    place: str | None
    """The route or city on the board that leads to it; None if none does."""
    help: tuple[Help, ...] = ()
    """Help about this entry alone."""
    serves: tuple[str, ...] = ()
    """The reader's tickets that it brings nearer, by name."""

    def choice(self, way: Way) -> str:
        """Return the value in forms that chooses this way of it."""
        return choice_of(self.n, way)

    @property
    def how_many(self) -> str:
        """How many things have to be chosen; empty if it has no choice of things."""
        return how_many(self.entry.choice) if self.entry.choice else ""


class Section(NamedTuple):
    """All entries in which the same thing is done, such as claiming a route."""

    verb: str
    title: str
    items: tuple[Item, ...]
    help: tuple[Help, ...] = ()
    """Help about all of its entries."""

    @property
    def first(self) -> tuple[Item, ...]:
        """The places of a folded section that are shown at once: they bring tickets nearer."""
        return tuple(item for item in self.items if item.serves)[:MOST_FIRST]

    @property
    def others(self) -> tuple[Item, ...]:
        """All other places of a folded section."""
        return tuple(item for item in self.items if item not in self.first)

    @property
    def takes_cards(self) -> bool:
        """Whether train cards are taken here."""
        return any(item.entry.card is not None for item in self.items)

    @property
    def is_on_board(self) -> bool:
        """Whether the board leads to its entries."""
        return any(item.place for item in self.items)

    @property
    def is_folded(self) -> bool:
        """Whether its entries are folded, because they are about many things or have many ways."""
        if all(item.entry.choice for item in self.items):
            return False
        about = {item.entry.about for item in self.items}
        return len(about) > 1 or self._ways >= MOST_UNFOLDED

    @property
    def is_long(self) -> bool:
        """Whether it would push the titles of the sections after it out of sight."""
        return self.is_folded or self._ways > MOST_BESIDE

    @property
    def _ways(self) -> int:
        return sum(len(item.entry.ways) for item in self.items)


class Locomotives(NamedTuple):
    """The numbers of locomotives, or of jokers with dice, that may be paid."""

    title: str
    numbers: range


def sections_of(
    rules: Ruleset, entries: Iterable[Entry], tickets: Iterable[Goal] = ()
) -> Iterator[Section]:
    """Yield the entries of a menu by what is done; those that bring tickets nearer come first."""
    sections: dict[str, list[NumberedEntry]] = {}
    for numbered in numbered_entries(rules.board, tuple(entries), tickets):
        sections.setdefault(numbered.entry.group, []).append(numbered)
    for verb, group in sections.items():
        shared = help_for(rules, verb)
        items = (_item(rules, numbered) for numbered in sorted(group, key=_usefulness))
        own = (
            item._replace(help=tuple(text for text in item.help if text not in shared))
            for item in items
        )
        yield Section(verb, title_of(rules, verb), tuple(own), shared)


def _usefulness(numbered: NumberedEntry) -> tuple[bool, int]:
    """Return a sort key: entries for tickets first, of these the nearest ticket at the top."""
    return not numbered.serves, numbered.needs


def locomotives_for(rules: Ruleset, entries: Iterable[Entry]) -> Locomotives | None:
    """Return the numbers of locomotives to choose from; None if there is no choice."""
    ranges = [way for entry in entries for way in entry.ways if len(way.actions) > 1]
    if not ranges:
        return None
    fewest = min(way.locomotives for way in ranges)
    numbers = range(fewest, max(way.most_locomotives for way in ranges) + 1)
    return Locomotives(say("Jokers") if rules.purse.rolls else say("Locomotives"), numbers)


def _item(rules: Ruleset, numbered: NumberedEntry) -> Item:
    entry, about = numbered.entry, numbered.entry.about
    place = about if about in rules.board.routes or about in rules.board.cities else None
    details = [entry.costs, entry.note, points(entry.points) if entry.points else ""]
    return Item(
        numbered.number,
        entry,
        _title(rules, entry),
        tuple(filter(None, details)),
        place,
        help_for(rules, f"{entry.group} {about}".strip()),
        numbered.serves,
    )


def _title(rules: Ruleset, entry: Entry) -> str:
    if entry.about in rules.board.routes:
        return route_name(rules, entry.about)
    return city_name(rules, entry.about) if entry.about in rules.board.cities else entry.title
