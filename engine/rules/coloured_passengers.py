"""Coloured passengers, collected with claims and scored by majorities (R-GER-11 to 15)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Annotated, NamedTuple

from engine.checks import NotNegative, Positive
from engine.errors import Illegal, MapError, Refusal, RulesBroken
from engine.kinds import Action, Decision, Event, action, decision, event
from engine.meanings import OneOf
from engine.module import Module
from engine.rules.routes import RouteClaimed
from engine.state import Awaiting, State, closed, opened
from engine.tally import Tally
from engine.translate import say
from engine.values import COLOURS, RouteId, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

Colour = Annotated[str, "The colour of a passenger.", OneOf(COLOURS)]
PlaceId = str
"""A city, or a country with several termini, which have their passengers in common."""


@dataclass(frozen=True, slots=True)
class Parameters:
    colours: tuple[str, ...]
    each_colour: Positive
    crowds: dict[PlaceId, int]
    """How many passengers wait in places that have more than one."""
    most: NotNegative
    """Points for the most passengers of a colour."""
    second: NotNegative
    """Points for the second most."""

    def __post_init__(self) -> None:
        if not self.colours or not set(self.colours) <= set(COLOURS):
            raise ValueError(f"colours must be of {', '.join(COLOURS)}")


class Crowds(NamedTuple):
    waiting: dict[PlaceId, tuple[Colour, ...]]
    """The passengers that still wait in each place."""
    collected: tuple[tuple[Colour, ...], ...]
    """The passengers that each seat has taken."""


coloured: Module[Parameters, Crowds] = Module("coloured_passengers", Parameters, needs=("routes",))


@decision
class ChoosePassengers(Decision):
    """After claiming a route: which passengers to take from its ends."""

    seat: Seat
    route: RouteId


@action("take_passengers")
class TakePassengers(Action):
    """Take a passenger from each end of the route that was claimed."""

    colours: Annotated[
        tuple[Colour, ...],
        "The colours of the passengers, one for each end of the route where some wait, in the "
        "order of the route's cities.",
    ]


@event
class PassengersLaidOut(Event):
    """The passengers have been laid out at random."""

    places: Annotated[tuple[str, ...], "The ids of cities and countries."]
    colours: Annotated[
        tuple[tuple[Colour, ...], ...], "The colours of the passengers in each of them."
    ]


@event
class PassengersDue(Event):
    """A seat that has claimed a route has to choose which passengers it takes."""

    seat: Seat
    route: RouteId


@event
class PassengersTaken(Event):
    """A seat has taken a passenger from each end of a route where some waited."""

    seat: Seat
    places: Annotated[tuple[str, ...], "The ids of the cities and countries."]
    colours: Annotated[tuple[Colour, ...], "The colour of the passenger from each of them."]


@coloured.starts
def nobody_waits(rules: "Ruleset") -> Crowds:
    settings, places = coloured.parameters(rules), homes(rules)
    if unknown := settings.crowds.keys() - set(places):
        reason = f"“{min(unknown)}” is neither a city nor a country"
        raise MapError("parameters.coloured_passengers.crowds", reason)
    if sum(sizes(rules)) != settings.each_colour * len(settings.colours):
        reason = f"there must be {sum(sizes(rules))} passengers, as many as wait"
        raise MapError("parameters.coloured_passengers", reason)
    return Crowds({}, ((),) * rules.seats)


def homes(rules: "Ruleset") -> list[PlaceId]:
    """All places where passengers wait: cities in the map's order, then countries (R-GER-11)."""
    termini = {city for place in rules.board.places.values() for city in place.cities}
    return [*(city for city in rules.board.cities if city not in termini), *rules.board.places]


def sizes(rules: "Ruleset") -> list[int]:
    """How many passengers wait in each of these places at the start."""
    crowds = coloured.parameters(rules).crowds
    return [crowds.get(place, 1) for place in homes(rules)]


def home_of(rules: "Ruleset", city: str) -> PlaceId:
    """The place whose passengers wait at this end of a route."""
    for place in rules.board.places.values():
        if city in place.cities:
            return place.id
    return city


@coloured.sets_up
def lay_out(play: "Play") -> None:
    """Draw passengers for one place after the other (R-GER-11)."""
    settings = coloured.parameters(play.rules)
    bag = [colour for colour in settings.colours for _ in range(settings.each_colour)]
    drawn = tuple(
        tuple(bag.pop(play.chance.below(len(bag))) for _ in range(size))
        for size in sizes(play.rules)
    )
    play.record(PassengersLaidOut(tuple(homes(play.rules)), drawn))


@coloured.evolves(PassengersLaidOut)
def laid_out(part: Crowds, event: PassengersLaidOut) -> Crowds:
    return part._replace(waiting=dict(zip(event.places, event.colours, strict=True)))


def ends(rules: "Ruleset", state: State, route: RouteId) -> list[tuple[PlaceId, list[Colour]]]:
    """The ends of a route where passengers wait, with their colours, each once."""
    waiting, order = coloured.part(state).waiting, coloured.parameters(rules).colours
    places = [home_of(rules, city) for city in rules.board.routes[route].cities]
    return [
        (place, sorted(set(waiting[place]), key=order.index))
        for place in dict.fromkeys(places)
        if waiting.get(place)
    ]


@coloured.settles
def take_or_ask(play: "Play") -> None:
    """After a claim, take the passengers, or ask which, where there is a choice (R-GER-12)."""
    if any(isinstance(past, PassengersDue | PassengersTaken) for past in play.events):
        return
    for claim in [past for past in play.events if isinstance(past, RouteClaimed)]:
        choice = ends(play.rules, play.state, claim.route)
        if any(len(colours) > 1 for _, colours in choice):
            play.record(PassengersDue(claim.seat, claim.route))
        elif choice:
            take(play, claim.seat, claim.route, [colours[0] for _, colours in choice])


def take(play: "Play", seat: Seat, route: RouteId, colours: Sequence[Colour]) -> None:
    places = tuple(place for place, _ in ends(play.rules, play.state, route))
    play.record(PassengersTaken(seat, places, tuple(colours)))


@coloured.evolves(PassengersDue)
def due(part: Crowds, event: PassengersDue) -> Crowds:
    return part


@coloured.awaits(PassengersDue)
def ask_which(awaiting: Awaiting, event: PassengersDue) -> Awaiting:
    return opened(awaiting, ChoosePassengers(event.seat, event.route))


@coloured.offers(ChoosePassengers)
def offer_colours(
    rules: "Ruleset", state: State, decision: ChoosePassengers
) -> list[TakePassengers]:
    """Every choice of one colour from each end (R-GER-13)."""
    choice = [colours for _, colours in ends(rules, state, decision.route)]
    return [TakePassengers(colours) for colours in product(*choice)]


@coloured.decides(TakePassengers)
def take_chosen(play: "Play", decision: ChoosePassengers, action: TakePassengers) -> None:
    take(play, decision.seat, decision.route, action.colours)


@coloured.explains(TakePassengers)
def why_not_take(
    rules: "Ruleset", state: State, decision: Decision, action: TakePassengers
) -> Refusal:
    if isinstance(decision, ChoosePassengers):
        sentence = say("Name one colour that waits there for each end of the route, in order.")
        return Illegal(sentence, "R-GER-13")
    return Illegal(say("You can take passengers only after claiming a route."), "R-GER-12")


@coloured.defaults(ChoosePassengers)
def most_frequent(
    rules: "Ruleset", state: State, decision: ChoosePassengers, actions: Sequence[TakePassengers]
) -> Action:
    """An absent seat takes the colours of which it has most."""
    has = coloured.part(state).collected[decision.seat]
    return max(actions, key=lambda action: sum(map(has.count, action.colours)))


@coloured.evolves(PassengersTaken)
def taken(part: Crowds, event: PassengersTaken) -> Crowds:
    waiting, collected = part.waiting.copy(), list(part.collected)
    for place, colour in zip(event.places, event.colours, strict=True):
        at = waiting[place].index(colour)
        waiting[place] = (*waiting[place][:at], *waiting[place][at + 1 :])
    collected[event.seat] += event.colours
    return Crowds(waiting, tuple(collected))


@coloured.awaits(PassengersTaken)
def chosen(awaiting: Awaiting, event: PassengersTaken) -> Awaiting:
    return closed(awaiting, event.seat)


@coloured.scores
def score_majorities(rules: "Ruleset", state: State, tally: Tally) -> None:
    """Points for the most and the second most passengers of each colour (R-GER-14, R-GER-15)."""
    settings, collected = coloured.parameters(rules), coloured.part(state).collected
    points = [0] * rules.seats
    for colour in settings.colours:
        counts = [has.count(colour) for has in collected]
        for seat, number in enumerate(counts):
            ahead = sum(other > number for other in counts)
            if number and ahead < 2:
                points[seat] += settings.second if ahead else settings.most
    for seat, gained in enumerate(points):
        tally.add(seat, "coloured_passengers", gained)


@coloured.accounts
def count_passengers(rules: "Ruleset", state: State) -> None:
    """No passenger is lost or added."""
    part, settings = coloured.part(state), coloured.parameters(rules)
    everyone = [colour for some in (*part.waiting.values(), *part.collected) for colour in some]
    if any(everyone.count(colour) != settings.each_colour for colour in settings.colours):
        raise RulesBroken("a passenger was lost or added")
