"""What the rules show to people: facts, columns, marks, goals and help, as plain values.

Pages, letters and pictures call the functions below. The rule modules in play provide the
results, so no caller needs to know which rules there are.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.kinds import Decision, Event
from engine.state import State
from engine.values import Card, RouteId, Seat, TicketId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

TRAINS = "trains"
"""A mark on a route: these seats have trains there."""
CLOSED = "closed"
"""A mark on a route: nobody can claim it any more."""
PIECE = "piece"
"""A mark in a city: this seat has a piece there."""
PAWNS = "pawns"
"""A mark in a city: these seats have passengers there, one for each time a seat is named."""
CHIPS = "chips"
"""A mark beside a city's name: these chips belong to the city."""

FIRST = -1
LAST = 1
"""Where a fact is listed; facts with the same place keep the order of the modules."""


class Fact(NamedTuple):
    """Something public about the table, or something that a seat has."""

    about: str
    """A stable key for programs."""
    label: str
    value: str
    cards: tuple[tuple[Card | None, int], ...] | None = None
    """If the value is train cards: each card with its number; None is an empty slot."""
    place: int = 0


class Column(NamedTuple):
    """A column of the table of scores so far, with a cell for each seat."""

    label: str
    cells: tuple[str, ...]
    every_round: bool = False
    """Whether it is repeated at the beginning of each round."""


class Chip(NamedTuple):
    """Something small that lies in a city, such as merchandise."""

    colour: str
    """A colour of cards."""
    words: str = ""
    """A letter or a digit on it; the sign of its colour if empty."""


class Mark(NamedTuple):
    """Something public that is drawn on the board."""

    place: str
    """The id of a route or a city."""
    sign: str
    """TRAINS, CLOSED, PIECE, PAWNS or CHIPS."""
    seats: tuple[Seat, ...] = ()
    words: str = ""
    """Alternative text for what is in a city: what it is and whose."""
    chips: tuple[Chip, ...] = ()


class Goal(NamedTuple):
    """A ticket that a seat holds or may choose."""

    id: TicketId
    name: str
    points: int
    done: bool
    offered: bool = False
    """Whether the seat still has to decide whether to keep it."""
    missing: tuple[RouteId, ...] | None = ()
    """The unclaimed routes of a shortest way that would complete it; None if no way is left.

    Another way may be better. Either track of a double route will do.
    """
    lost: bool = False
    """Whether it cannot be completed any more, whatever happens."""
    printed: str = ""
    """The points of each way to complete it, such as “5/8”; empty if they are `points`."""

    @property
    def worth(self) -> str:
        """The points as the ticket shows them."""
        return self.printed or str(self.points)


class Uncovered(NamedTuple):
    """Cards or dice that were revealed for a route, such as those for a tunnel."""

    place: RouteId
    cards: tuple[str, ...]


class Speed(NamedTuple):
    """How fast a rule lets seats claim routes, at most."""

    claims: int = 1
    """Routes in one turn."""
    shared: bool = False
    """Whether routes of other seats can be claimed."""
    longest: int | None = None
    """The length of the longest route that can be claimed; None without a limit."""


class Help(NamedTuple):
    """A short explanation, shown where a choice is made."""

    about: str
    """A stable key for programs."""
    title: str
    text: str


def seat_facts(rules: "Ruleset", state: State, seat: Seat) -> tuple[Fact, ...]:
    """What a seat has: cards, trains, stations and so on."""
    return _placed(fact for run in rules.all("holds") for fact in run(rules, state, seat))


def table_facts(rules: "Ruleset", state: State) -> tuple[Fact, ...]:
    """What is on the table for everybody: market, deck and so on."""
    return _placed(fact for run in rules.all("lays_out") for fact in run(rules, state))


def _placed(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(sorted(facts, key=lambda fact: fact.place))


def columns(rules: "Ruleset", state: State) -> tuple[Column, ...]:
    """The columns of the table of scores so far."""
    return tuple(column for run in rules.all("columns") for column in run(rules, state))


def marks(rules: "Ruleset", state: State, players: Sequence[str]) -> tuple[Mark, ...]:
    """What is drawn on the board; `players` holds the seats' names."""
    return tuple(mark for run in rules.all("marks") for mark in run(rules, state, players))


def built(rules: "Ruleset", events: Iterable[Event]) -> tuple[str, ...]:
    """The routes and cities where these events placed trains or pieces."""
    return tuple(run(event) for event in events for run in rules.all("builds", type(event)))


def uncovered(rules: "Ruleset", events: Iterable[Event]) -> Uncovered | None:
    """What the last of these events that reveals something for a route has revealed, if any."""
    last: Uncovered | None = None
    for event in events:
        for run in rules.all("uncovers", type(event)):
            last = run(event)
    return last


def goals(rules: "Ruleset", state: State, seat: Seat) -> tuple[Goal, ...]:
    """The tickets of a seat, and whether its routes complete them so far."""
    return tuple(goal for run in rules.all("goals") for goal in run(rules, state, seat))


def highlights(rules: "Ruleset", state: State, seat: Seat) -> tuple[str, ...]:
    """The routes and cities to highlight for a seat when the game is over."""
    return tuple(place for run in rules.all("highlights") for place in run(rules, state, seat))


def why_shut(rules: "Ruleset", state: State, decision: Decision, place: str) -> str:
    """Why the seat cannot use a route or city now; empty if it can, or if no rule has a reason."""
    reasons = (run(rules, state, decision, place) for run in rules.all("shuts"))
    return next(filter(None, reasons), "")


def end_in_sight(
    rules: "Ruleset", state: State, names: Sequence[str], seat: Seat | None = None
) -> str:
    """How near the end of the game is, as a seat or a spectator reads it; empty if unknown."""
    sentences = (run(rules, state, names, seat) for run in rules.all("nears_end"))
    return next(filter(None, sentences), "")


def title_of(rules: "Ruleset", group: str) -> str:
    """The title of a group of options; given a verb alone, the title of all groups with it."""
    verb, _, what = group.partition(" ")
    for run in rules.all("titles", verb):
        title: str = run(rules, what)
        return title
    return group.capitalize()


def points_name(rules: "Ruleset", kind: str) -> str | None:
    """The name of a kind of points; None if no rule in play gives such points."""
    for run in rules.all("names_points", kind):
        name: str = run(rules)
        return name
    return None


def help_for(rules: "Ruleset", group: str) -> tuple[Help, ...]:
    """The help for a group of options; given a verb alone, the help for all groups with it."""
    verb, _, what = group.partition(" ")
    return _once(text for run in rules.all("helps", verb) for text in run(rules, what))


def note_on(rules: "Ruleset", group: str) -> str:
    """What is special about an entry of the menu, in a word or two; empty if nothing."""
    verb, _, what = group.partition(" ")
    notes = (run(rules, what) for run in rules.all("notes", verb))
    return ", ".join(filter(None, notes))


def all_help(rules: "Ruleset") -> tuple[Help, ...]:
    """All help texts of this game, each once."""
    verbs = [verb for verb in rules.keys("helps") if rules.all("titles", verb)]
    return _once(text for verb in verbs for text in help_for(rules, verb))


def _once(texts: Iterable[Help]) -> tuple[Help, ...]:
    return tuple({text.about: text for text in texts}.values())


def published(rules: "Ruleset") -> dict[str, Any]:
    """What the rules add to the board's document, as plain data."""
    fields: dict[str, Any] = {}
    for run in rules.all("publishes"):
        fields |= run(rules)
    return fields
