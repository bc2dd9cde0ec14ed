"""Texts about coloured passengers: prompts, labels, menu, help, facts, and what is drawn."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from engine.display import CHIPS, Chip, Column, Fact, Help, Mark
from engine.errors import Unreadable
from engine.kinds import Action, Decision
from engine.menu import Entry, Way
from engine.module import Shown
from engine.names import called
from engine.notation import city_name, not_understood, plain, route_name
from engine.rules.coloured_passengers import (
    ChoosePassengers,
    Colour,
    PassengersDue,
    PassengersLaidOut,
    PassengersTaken,
    TakePassengers,
    coloured,
    ends,
    offer_colours,
)
from engine.state import State
from engine.text import listed, points, shown
from engine.translate import say, says
from engine.values import COLOURS, Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@coloured.asks(ChoosePassengers)
def ask_which(rules: "Ruleset", state: State, decision: ChoosePassengers) -> str:
    return say(
        "Which passengers do you take from {route}?", route=route_name(rules, decision.route)
    )


@coloured.waits(ChoosePassengers)
def wait_which(rules: "Ruleset", decision: ChoosePassengers) -> str:
    return say("choose passengers")


def _from(rules: "Ruleset", places: Sequence[str], colours: Sequence[Colour]) -> str:
    """Passengers with where they are from: “red from Berlin and blue from Hamburg”."""
    return listed(
        [
            say("{colour} from {city}", colour=called(colour), city=city_name(rules, place))
            for place, colour in zip(places, colours, strict=False)
        ]
    )


def _places(rules: "Ruleset", state: State) -> list[str]:
    """The ends of the route that was just claimed where passengers wait."""
    decision = state.awaiting[0] if state.awaiting else None
    if not isinstance(decision, ChoosePassengers):
        return []
    return [place for place, _ in ends(rules, state, decision.route)]


@coloured.labels(TakePassengers)
def label_take(rules: "Ruleset", state: State, action: TakePassengers) -> str:
    some = _from(rules, _places(rules, state), action.colours)
    return say("Take {passengers}", passengers=some)


@coloured.groups(TakePassengers)
def group_take(rules: "Ruleset", action: TakePassengers) -> str:
    return "pick"


@coloured.titles("pick")
def title_pick(rules: "Ruleset", what: str) -> str:
    return say("Take passengers")


@coloured.enters(TakePassengers)
def enter_pick(
    rules: "Ruleset", state: State, decision: ChoosePassengers, actions: Sequence[TakePassengers]
) -> list[Entry]:
    """One entry, with a way for each choice of colours."""
    places = [place for place, _ in ends(rules, state, decision.route)]
    ways = tuple(
        Way(" ".join(action.colours), _from(rules, places, action.colours), (action,))
        for action in actions
    )
    return [Entry("pick", "", title_pick(rules, ""), "pick", "pick", "colours", ways)]


@coloured.helps("pick")
def help_pick(rules: "Ruleset", what: str) -> list[Help]:
    """What passengers are worth (R-GER-14)."""
    settings = coloured.parameters(rules)
    sentence = say(
        "From each end of a route that you claim you take one passenger, as long as some wait "
        "there. At the end of the game, the most passengers of a colour bring {most} and the "
        "second most {second}; players who tie get the full points. After a tie for the most "
        "there is no second place.",
        most=points(settings.most),
        second=points(settings.second),
    )
    return [Help("coloured_passengers", say("Passengers"), sentence)]


@coloured.helps("claim")
def help_claim(rules: "Ruleset", route: str) -> list[Help]:
    return help_pick(rules, "")


@coloured.writes(TakePassengers)
def write_take(rules: "Ruleset", action: TakePassengers) -> str:
    return f"pick {' '.join(action.colours)}"


@coloured.reads("pick")
def read_pick(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Read `pick red blue`, also `pick red from berlin and blue from hamburg`."""
    cities = {
        word for place in _places(rules, state) for word in plain(city_name(rules, place)).split()
    }
    colours = [word for word in words.split() if word in COLOURS]
    if not colours and isinstance(decision, ChoosePassengers) and not words:
        return [*offer_colours(rules, state, decision)]
    unknown = [word for word in words.split() if word not in {*COLOURS, *cities, "from", "and"}]
    if not colours or unknown:
        raise Unreadable(not_understood(f"pick {shown(words)}", "pick red blue"))
    return [TakePassengers(tuple(colours))]


@coloured.tells(PassengersLaidOut)
def tell_laid_out(rules: "Ruleset", event: PassengersLaidOut, names: Sequence[str]) -> str:
    number = sum(map(len, event.colours))
    return says("{n} passenger waits on the board.", "{n} passengers wait on the board.", number)


@coloured.tells(PassengersDue)
def tell_due(rules: "Ruleset", event: PassengersDue, names: Sequence[str]) -> str:
    """What the seat takes is told of later."""
    return ""


@coloured.tells(PassengersTaken)
def tell_taken(rules: "Ruleset", event: PassengersTaken, names: Sequence[str]) -> str:
    some = _from(rules, event.places, event.colours)
    return say("{who} takes passengers: {passengers}.", who=names[event.seat], passengers=some)


class TableShown(TypedDict, total=False):
    passengers_waiting: Annotated[
        dict[str, list[str]], "The colours of the passengers in each city and country, by its id."
    ]


class SeatShown(TypedDict, total=False):
    passengers_taken: Annotated[dict[str, int], "How many passengers it has taken, by colour."]


coloured.shapes(table=TableShown, seat=SeatShown)


def _counts(has: Sequence[Colour]) -> dict[str, int]:
    return {colour: has.count(colour) for colour in COLOURS if colour in has}


@coloured.shows
def show(rules: "Ruleset", state: State) -> Shown:
    part = coloured.part(state)
    return Shown(
        {"passengers_waiting": {place: [*some] for place, some in part.waiting.items() if some}},
        [{"passengers_taken": _counts(has)} for has in part.collected],
    )


@coloured.holds
def passengers_of(rules: "Ruleset", state: State, seat: Seat) -> list[Fact]:
    counts = _counts(coloured.part(state).collected[seat])
    value = ", ".join(f"{number} {called(colour)}" for colour, number in counts.items())
    return [Fact("coloured_passengers", say("Passengers"), value or say("none"))]


@coloured.lays_out
def passengers_on_the_table(rules: "Ruleset", state: State) -> list[Fact]:
    """How many wait, and how many of each colour every seat has taken (R-GER-14)."""
    part = coloured.part(state)
    waiting = sum(map(len, part.waiting.values()))
    taken = []
    for colour in coloured.parameters(rules).colours:
        counts = [has.count(colour) for has in part.collected]
        if any(counts):
            taken.append(f"{called(colour)} {'–'.join(map(str, counts))}")
    return [
        Fact("passengers_waiting", say("Passengers waiting"), str(waiting)),
        Fact(
            "passengers_taken",
            say("Passengers taken, seat by seat"),
            ", ".join(taken) or say("none"),
        ),
    ]


@coloured.columns
def columns(rules: "Ruleset", state: State) -> list[Column]:
    taken = coloured.part(state).collected
    return [Column(say("Passengers"), tuple(str(len(has)) for has in taken))]


@coloured.names_points("coloured_passengers")
def name_points(rules: "Ruleset") -> str:
    return say("Passengers")


@coloured.marks
def marks(rules: "Ruleset", state: State, players: Sequence[str]) -> list[Mark]:
    """The waiting passengers as chips; those of a country beside each of its termini."""
    places = rules.board.places
    return [
        Mark(city, CHIPS, words=_in_words(some), chips=tuple(map(Chip, some)))
        for place, some in coloured.part(state).waiting.items()
        if some
        for city in (places[place].cities if place in places else (place,))
    ]


def _in_words(some: Sequence[Colour]) -> str:
    return say("passengers {colours}", colours=", ".join(map(called, some)))
