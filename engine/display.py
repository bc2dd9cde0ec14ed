"""What rules show to people: facts, columns, marks, goals and help, as plain values.

Rooms above ask the functions below; the answers come from the rule modules in play, so that no
room has to know which rules there are.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.kinds import Decision, Event
from engine.state import State
from engine.values import Card, Seat, TicketId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

TRAINS = "trains"
"""A mark on a route: trains of these seats stand there."""
CLOSED = "closed"
"""A mark on a route: nobody can claim it any more."""
PIECE = "piece"
"""A mark in a city: a piece of this seat stands there."""

FIRST = -1
LAST = 1
"""Places of facts; those with the same place stand in the order of the modules."""


class Fact(NamedTuple):
    """Something that lies on the table or before a seat."""

    about: str
    """What it is about, for programs."""
    label: str
    value: str
    cards: tuple[tuple[Card | None, int], ...] | None = None
    """The same as train cards with how many of each, if it is cards; None is an empty slot."""
    place: int = 0


class Column(NamedTuple):
    """A column of the score table so far, with a cell for each seat."""

    label: str
    cells: tuple[str, ...]
    every_round: bool = False
    """Whether it is also told at the beginning of each round."""


class Mark(NamedTuple):
    """Something that is drawn on the board, for everybody to see."""

    place: str
    """A route or a city, by its id."""
    sign: str
    """TRAINS, CLOSED or PIECE."""
    seats: tuple[Seat, ...] = ()
    words: str = ""
    """What a piece is and whose, for those who cannot see it."""


class Goal(NamedTuple):
    """A ticket that a seat holds or may choose."""

    id: TicketId
    name: str
    points: int
    done: bool
    offered: bool = False
    """Whether the seat has still to choose if it keeps it."""


class Help(NamedTuple):
    """A short explanation that stands where a choice is made."""

    about: str
    """What it explains, for programs."""
    title: str
    text: str


def seat_facts(rules: "Ruleset", state: State, seat: Seat) -> tuple[Fact, ...]:
    """What a seat has before it."""
    return _placed(fact for run in rules.all("holds") for fact in run(rules, state, seat))


def table_facts(rules: "Ruleset", state: State) -> tuple[Fact, ...]:
    """What lies in the middle, for everybody to see."""
    return _placed(fact for run in rules.all("lays_out") for fact in run(rules, state))


def _placed(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(sorted(facts, key=lambda fact: fact.place))


def columns(rules: "Ruleset", state: State) -> tuple[Column, ...]:
    """The score table so far."""
    return tuple(column for run in rules.all("columns") for column in run(rules, state))


def marks(rules: "Ruleset", state: State, players: Sequence[str]) -> tuple[Mark, ...]:
    """What is drawn on the board; players are what the seats are called."""
    return tuple(mark for run in rules.all("marks") for mark in run(rules, state, players))


def built(rules: "Ruleset", events: Iterable[Event]) -> tuple[str, ...]:
    """The routes and cities on which these events have put something."""
    return tuple(run(event) for event in events for run in rules.all("builds", type(event)))


def goals(rules: "Ruleset", state: State, seat: Seat) -> tuple[Goal, ...]:
    """The tickets of a seat, and which of them its routes complete by now."""
    return tuple(goal for run in rules.all("goals") for goal in run(rules, state, seat))


def highlights(rules: "Ruleset", state: State, seat: Seat) -> tuple[str, ...]:
    """The routes and cities that are lit for a seat after the end."""
    return tuple(place for run in rules.all("highlights") for place in run(rules, state, seat))


def why_shut(rules: "Ruleset", state: State, asked: Decision, place: str) -> str:
    """Why nothing can be done at a route or city now; empty if something can, or nobody knows."""
    said = (run(rules, state, asked, place) for run in rules.all("shuts"))
    return next(filter(None, said), "")


def title_of(rules: "Ruleset", group: str) -> str:
    """A group's name for people; of its verb alone, what all groups with this verb are called."""
    verb, _, what = group.partition(" ")
    for run in rules.all("titles", verb):
        title: str = run(rules, what)
        return title
    return group.capitalize()


def points_name(rules: "Ruleset", kind: str) -> str | None:
    """What points of a kind are called; None if no rule in play gives such points."""
    for run in rules.all("names_points", kind):
        name: str = run(rules)
        return name
    return None


def help_for(rules: "Ruleset", group: str) -> tuple[Help, ...]:
    """What explains the options of a group; of its verb alone, what explains all of them."""
    verb, _, what = group.partition(" ")
    return _once(text for run in rules.all("helps", verb) for text in run(rules, what))


def all_help(rules: "Ruleset") -> tuple[Help, ...]:
    """What explains the choices of this game, each thing once."""
    verbs = [verb for verb in rules.keys("helps") if rules.all("titles", verb)]
    return _once(text for verb in verbs for text in help_for(rules, verb))


def _once(texts: Iterable[Help]) -> tuple[Help, ...]:
    return tuple({text.about: text for text in texts}.values())


def published(rules: "Ruleset") -> dict[str, Any]:
    """What the rules add to the description of the board, as plain data."""
    found: dict[str, Any] = {}
    for run in rules.all("publishes"):
        found |= run(rules)
    return found
