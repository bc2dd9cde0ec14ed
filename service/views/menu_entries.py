"""The menu of a decision for letters and link pages: which entries matter most, and why."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine import Board, Entry, Goal, Menu
from engine.text import points
from engine.translate import say

MOST = 25
"""Entries that a letter shows."""
FEW = 5
"""A group about cities that has no more entries than this is always shown."""
FAR = 10_000
"""More trains than any path takes."""


class NumberedEntry(NamedTuple):
    """An entry of the menu with its number."""

    number: int
    entry: Entry
    serves: tuple[str, ...] = ()
    """The seat's tickets that it brings nearer, by name."""
    needs: int = FAR
    """The trains that the nearest of these tickets still takes."""


def titled(entry: Entry) -> str:
    """Return what an entry does, the points it scores at once, and what is special about it."""
    remarks = [points(entry.points)] if entry.points else []
    remarks += [entry.note] if entry.note else []
    if not remarks:
        return entry.title
    return say("{entry} ({points})", entry=entry.title, points=", ".join(remarks))


def numbered_entries(board: Board, menu: Menu, goals: Iterable[Goal]) -> tuple[NumberedEntry, ...]:
    """Return all entries with their numbers, and the tickets that each of them serves.

    A route serves a ticket if it, or another track between its cities, is part of what the ticket
    lacks; a city if an open ticket ends there.
    """
    lacking = [(goal, *_places(board, goal)) for goal in goals if not goal.done]
    entries = []
    for number, entry in enumerate(menu, 1):
        place = entry.about
        route = board.routes.get(place)
        if route is not None:
            served = [item for item in lacking if frozenset(route.cities) in item[1]]
        else:
            served = [item for item in lacking if place in item[2]]
        names = tuple(goal.name for goal, *_ in served)
        needs = min((need for *_, need in served), default=FAR)
        entries.append(NumberedEntry(number, entry, names, needs))
    return tuple(entries)


def _places(board: Board, goal: Goal) -> tuple[set[frozenset[str]], set[str], int]:
    """Return the pairs of cities that a ticket lacks, the cities where it ends, and its trains."""
    links = [board.routes[id] for id in goal.missing or ()]
    ends = {city for end in board.tickets[goal.id].cities for city in end}
    needs = sum(link.length for link in links) if links else FAR
    return {frozenset(link.cities) for link in links}, ends, needs


def entries_that_matter(
    board: Board, entries: Sequence[NumberedEntry], most: int = MOST
) -> tuple[NumberedEntry, ...]:
    """Choose at most `most` entries, and keep the order of the menu.

    First come those that are about no place and nothing else in particular, such as draws and
    choices of things, and groups about few cities, such as the rides of passengers; then routes
    that serve tickets, those of the nearest ticket first; then whatever is about something else,
    such as technologies; then cities where open tickets end; then other routes, those for most
    points first; and other cities last.
    """
    groups = Counter(item.entry.group for item in entries)
    ranked = sorted(
        entries,
        key=lambda item: (
            _rank(board, item, few=groups[item.entry.group] <= FEW),
            item.needs,
            -item.entry.points,
        ),
    )
    return tuple(sorted(ranked[:most], key=lambda item: item.number))


def _rank(board: Board, item: NumberedEntry, *, few: bool) -> int:
    about = item.entry.about
    if about in board.routes:
        return 1 if item.serves else 4
    if about in board.cities and not few:
        return 3 if item.serves else 5
    return 2 if about and about not in board.cities else 0
