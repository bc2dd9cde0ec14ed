"""The options of a decision as the page of a game shows them: by what is done, and where."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from engine import Help, Option, Ruleset
from engine.display import help_for, title_of
from engine.names import called
from engine.notation import city_name, route_name
from engine.translate import say
from engine.values import FERRY, TUNNEL


class Way(NamedTuple):
    """One option of a group: a way to pay for a route, or a card to draw."""

    n: int
    """Its number in the list of all options, from 1."""
    text: str
    label: str
    reveals: bool
    card: str | None
    """The card in the market that it takes; empty for the deck, None if it draws no card."""


class Group(NamedTuple):
    """Options for one route or city, or for one thing such as a technology."""

    name: str
    """The engine's name: a verb, and what it is about, as in “claim boston-miami”."""
    title: str
    detail: str
    """What a route costs; empty for other things."""
    place: str | None
    """The route or city on the board that leads to this group; None if none does."""
    ways: tuple[Way, ...]
    help: tuple[Help, ...] = ()
    """Help about this group alone."""


class Sort(NamedTuple):
    """All groups in which the same thing is done, such as claiming a route."""

    verb: str
    title: str
    groups: tuple[Group, ...]
    help: tuple[Help, ...] = ()
    """Help about all of its groups."""

    @property
    def is_on_board(self) -> bool:
        """Whether the board leads to its groups."""
        return any(group.place for group in self.groups)

    @property
    def ways(self) -> list[Way]:
        """The options of all its groups."""
        return [way for group in self.groups for way in group.ways]


def sorts_of(rules: Ruleset, listed: Iterable[Option]) -> Iterator[Sort]:
    """These options, sorted by what is done, in the order of the list."""
    groups: dict[str, list[Way]] = {}
    for n, option in enumerate(listed, 1):
        groups.setdefault(option.group, []).append(_way(n, option))
    sorts: dict[str, list[Group]] = {}
    for name, ways in groups.items():
        sorts.setdefault(name.partition(" ")[0], []).append(_group(rules, name, ways))
    for verb, same in sorts.items():
        shared = help_for(rules, verb)
        own = (
            group._replace(help=tuple(text for text in group.help if text not in shared))
            for group in same
        )
        yield Sort(verb, title_of(rules, verb), tuple(own), shared)


def _group(rules: Ruleset, name: str, ways: Sequence[Way]) -> Group:
    what = name.partition(" ")[2]
    place = what if what in rules.board.routes or what in rules.board.cities else None
    title, detail = _title(rules, name, what), _detail(rules, what)
    return Group(name, title, detail, place, tuple(ways), help_for(rules, name))


def _title(rules: Ruleset, name: str, what: str) -> str:
    """A group's name for people; a place alone, as its section's title says what is done there."""
    if what in rules.board.routes:
        return route_name(rules, what)
    return city_name(rules, what) if what in rules.board.cities else title_of(rules, name)


def _detail(rules: Ruleset, what: str) -> str:
    """What a route costs; empty for anything else."""
    route = rules.board.routes.get(what)
    if route is None:
        return ""
    cost = f"{route.length} {called(route.colour)}"
    if route.kind == FERRY:
        return say("{route}, ferry", route=cost)
    return say("{route}, tunnel", route=cost) if route.kind == TUNNEL else cost


def _way(n: int, option: Option) -> Way:
    return Way(n, option.text, option.label, option.reveals, option.card)
