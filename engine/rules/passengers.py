"""Passengers that ride over routes and take merchandise (R-MAR-20 to 29)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, NamedTuple

from engine.checks import Positive
from engine.errors import Illegal, MapError, Refusal, RulesBroken
from engine.kinds import Action, Decision, Event, Paid, action, decision, event
from engine.module import SPEND, Module
from engine.notation import city_name
from engine.rules.ride_search import Leg, Ride, best_rides
from engine.rules.routes import RouteClaimed, routes
from engine.rules.turns import turns
from engine.state import Awaiting, State, closed, opened
from engine.tally import Tally
from engine.text import together
from engine.translate import say, says
from engine.values import COLOURS, CityId, Paying, Payment, RouteId, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

Stack = tuple[int, ...]
"""The values of the tokens in a city, the top one first."""
MOST_FARES = 3
"""Rides over more routes of others than this are not proposed, but may be named (R-MAR-28)."""


@dataclass(frozen=True, slots=True)
class Parameters:
    each: Positive
    """Passengers of each seat."""
    edition: str
    """The edition of the merchandise's layout; a stand-in has one of its own (R-MAR-3)."""
    stacks: dict[str, Stack]
    """The tokens of a stack by its colour, the top one first."""
    cities: dict[CityId, str]
    """The colour of the stack in each city that has one."""

    def __post_init__(self) -> None:
        if not self.stacks.keys() <= set(COLOURS):
            raise ValueError(f"stacks must have colours of {', '.join(COLOURS)}")
        if unknown := set(self.cities.values()) - self.stacks.keys():
            raise ValueError(f"there is no stack “{min(unknown)}”")


class Passengers(NamedTuple):
    reserve: tuple[int, ...]
    """How many passengers each seat can still put on the board."""
    standing: tuple[tuple[CityId, ...], ...]
    """Where each seat's passengers stand."""
    stacks: dict[CityId, Stack]
    """The tokens left in each city."""
    points: tuple[int, ...]
    """The points of each seat for merchandise."""


passengers: Module[Parameters, Passengers] = Module("passengers", Parameters, needs=("routes",))


@decision
class ChoosePassengerCity(Decision):
    """After claiming a route: put a passenger on one of its cities, or none."""

    seat: Seat
    route: RouteId


@action("place_passenger")
class PlacePassenger(Action):
    """Put a passenger on a city of the route that was claimed, or none."""

    city: Annotated[CityId | None, "The city's id; null to put no passenger anywhere."] = None


@action("ride")
class RidePassenger(Action):
    """Let a passenger ride from city to city."""

    cities: Annotated[
        tuple[CityId, ...],
        "The ids of the cities on the way; the first is where the passenger stands.",
    ]


@event
class PassengerDue(Event):
    """A seat that has claimed a route may put a passenger on one of its cities."""

    seat: Seat
    route: RouteId


@event
class PassengerPlaced(Event):
    """A seat has put a passenger on a city, or none."""

    seat: Seat
    city: Annotated[CityId | None, "The city's id; null if it has put no passenger anywhere."]


@event
class PassengerRode(Paid):
    """A passenger has ridden, has taken merchandise, and has left the game."""

    seat: Seat
    cities: Annotated[tuple[CityId, ...], "The ids of the cities on the way."]
    routes: Annotated[tuple[RouteId, ...], "The ids of the routes on the way."]
    payment: Paying
    tokens: Annotated[
        tuple[int, ...], "The value of the token taken in each city, in order; 0 if none."
    ]
    points: Annotated[int, "How many points the seat gets for them."]


@passengers.starts
def nobody_rides(rules: "Ruleset") -> Passengers:
    settings = passengers.parameters(rules)
    if unknown := settings.cities.keys() - rules.board.cities.keys():
        raise MapError("parameters.passengers.cities", f"there is no city “{min(unknown)}”")
    stacks = {city: settings.stacks[colour] for city, colour in settings.cities.items()}
    seats = rules.seats
    return Passengers((settings.each,) * seats, ((),) * seats, stacks, (0,) * seats)


@passengers.settles
def ask_for_a_city(play: "Play") -> None:
    """After a claim, ask where a passenger gets on, unless it could not ride any more."""
    last_turn = turns.part(play.state).left is not None  # a seat has one turn in the last round
    for claim in [past for past in play.events if isinstance(past, RouteClaimed)]:
        if passengers.part(play.state).reserve[claim.seat] and not last_turn:
            play.record(PassengerDue(claim.seat, claim.route))


@passengers.evolves(PassengerDue)
def due(part: Passengers, event: PassengerDue) -> Passengers:
    return part


@passengers.awaits(PassengerDue)
def ask_where(awaiting: Awaiting, event: PassengerDue) -> Awaiting:
    return opened(awaiting, ChoosePassengerCity(event.seat, event.route))


@passengers.offers(ChoosePassengerCity)
def offer_cities(
    rules: "Ruleset", state: State, decision: ChoosePassengerCity
) -> list[PlacePassenger]:
    """Either city of the route, whoever stands there already, or none (R-MAR-20, R-MAR-21)."""
    cities = rules.board.routes[decision.route].cities
    return [PlacePassenger(), *map(PlacePassenger, cities)]


@passengers.decides(PlacePassenger)
def place(play: "Play", decision: Decision, action: PlacePassenger) -> None:
    play.record(PassengerPlaced(decision.seat, action.city))


@passengers.explains(PlacePassenger)
def why_not_place(
    rules: "Ruleset", state: State, decision: Decision, action: PlacePassenger
) -> Refusal:
    if isinstance(decision, ChoosePassengerCity):
        names = [city_name(rules, city) for city in rules.board.routes[decision.route].cities]
        sentence = say("Put a passenger on {a} or {b}, or none.", a=names[0], b=names[1])
        return Illegal(sentence, "R-MAR-20")
    return Illegal(say("You can put a passenger only on a route just claimed."), "R-MAR-20")


@passengers.defaults(ChoosePassengerCity)
def place_none(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[Action]
) -> Action:
    """An absent seat keeps its passengers."""
    return actions[0]


@passengers.evolves(PassengerPlaced)
def placed(part: Passengers, event: PassengerPlaced) -> Passengers:
    if event.city is None:
        return part
    seat, reserve, standing = event.seat, list(part.reserve), list(part.standing)
    reserve[seat] -= 1
    standing[seat] = (*standing[seat], event.city)
    return part._replace(reserve=tuple(reserve), standing=tuple(standing))


@passengers.awaits(PassengerPlaced)
def placement_made(awaiting: Awaiting, event: PassengerPlaced) -> Awaiting:
    return closed(awaiting, event.seat)


def legs(rules: "Ruleset", state: State, seat: Seat) -> dict[CityId, list[Leg]]:
    """The routes over which a seat's passengers can ride, by city; own ones come first."""
    near: dict[CityId, list[Leg]] = {}
    claimed = [
        (seat not in owners, id) for id, owners in routes.part(state).owners.items() if owners
    ]
    for foreign, id in sorted(claimed):
        a, b = rules.board.routes[id].cities
        near.setdefault(a, []).append(Leg(id, b, foreign))
        near.setdefault(b, []).append(Leg(id, a, foreign))
    return near


def tops(part: Passengers) -> dict[CityId, int]:
    """The value of the top token in each city that has one."""
    return {city: stack[0] for city, stack in part.stacks.items() if stack}


@passengers.offers(SPEND)
def offer_rides(rules: "Ruleset", state: State, decision: Decision) -> list[RidePassenger]:
    """For each passenger its best ride, and better ones over routes of others (R-MAR-28)."""
    part, seat = passengers.part(state), decision.seat
    if not part.standing[seat]:
        return []
    near, values = legs(rules, state, seat), tops(part)
    fares = min(len(rules.purse.fares(state, seat)) - 1, MOST_FARES)
    return [
        RidePassenger(ride.cities)
        for city in sorted(set(part.standing[seat]))
        for ride in best_rides(city, near, values, fares)
    ]


def ride_of(rules: "Ruleset", state: State, seat: Seat, cities: Sequence[CityId]) -> Ride | None:
    """The ride along these cities, over own routes where there are any; None if it is broken.

    No route is used twice (R-MAR-25).
    """
    near, gone, used = legs(rules, state, seat), list[RouteId](), 0
    for here, there in pairwise(cities):
        ways = [leg for leg in near.get(here, ()) if leg.to == there and leg.route not in gone]
        if not ways:
            return None
        gone.append(ways[0].route)
        used += ways[0].foreign
    points = sum(token for token in tokens_for(passengers.part(state), cities))
    return Ride(tuple(cities), tuple(gone), used, points)


def tokens_for(part: Passengers, cities: Sequence[CityId]) -> tuple[int, ...]:
    """The token taken in each city of a ride: the top one, at the first visit (R-MAR-23)."""
    values = tops(part)
    return tuple(
        values.get(city, 0) if city not in cities[:at] else 0 for at, city in enumerate(cities)
    )


@passengers.admits(RidePassenger)
def other_rides(rules: "Ruleset", state: State, decision: Decision, action: RidePassenger) -> bool:
    """Any ride that takes something may be named, city by city (R-MAR-28)."""
    return may_ride(rules, decision) and not _what_is_wrong(rules, state, decision.seat, action)


def may_ride(rules: "Ruleset", decision: Decision) -> bool:
    """Whether a ride can be the action of this decision."""
    return SPEND in rules.purse.occasions.get(type(decision), ())


def _what_is_wrong(rules: "Ruleset", state: State, seat: Seat, action: RidePassenger) -> str:
    part, cities = passengers.part(state), action.cities
    if not cities or cities[0] not in part.standing[seat]:
        return say("None of your passengers stands there.")
    ride = ride_of(rules, state, seat, cities)
    if ride is None:
        return say("A passenger rides from city to city over claimed routes, none of them twice.")
    most = len(rules.purse.fares(state, seat)) - 1
    if ride.foreign > most:
        return says(
            "That takes {n} route of other players, and you can pay for {most}.",
            "That takes {n} routes of other players, and you can pay for {most}.",
            ride.foreign,
            most=most,
        )
    if not ride.points or len(cities) == 1:
        return say("There is nothing to take on the way.")
    return ""


@passengers.explains(RidePassenger)
def why_not_ride(
    rules: "Ruleset", state: State, decision: Decision, action: RidePassenger
) -> Refusal:
    if not may_ride(rules, decision):
        return Illegal(say("A passenger can ride only as the action of your turn."), "R-TURN-1")
    wrong = _what_is_wrong(rules, state, decision.seat, action)
    return Illegal(together(say("This ride is not possible."), wrong), "R-MAR-22")


@passengers.decides(RidePassenger)
def ride(play: "Play", decision: Decision, action: RidePassenger) -> None:
    """Record a ride: the fare, the merchandise and the points in one event."""
    seat, state = decision.seat, play.state
    made = ride_of(play.rules, state, seat, action.cities)
    if made is None:
        raise RulesBroken("a broken ride was accepted")
    payment: Payment = play.rules.purse.fares(state, seat)[made.foreign]
    tokens = tokens_for(passengers.part(state), made.cities)
    play.record(PassengerRode(seat, made.cities, made.routes, payment, tokens, made.points))


@passengers.evolves(PassengerRode)
def rode(part: Passengers, event: PassengerRode) -> Passengers:
    """A passenger rides once, and leaves the game (R-MAR-26)."""
    seat, standing = event.seat, list(part.standing)
    at = standing[seat].index(event.cities[0])
    standing[seat] = (*standing[seat][:at], *standing[seat][at + 1 :])
    stacks, points = part.stacks.copy(), list(part.points)
    for city, token in zip(event.cities, event.tokens, strict=True):
        if token:
            stacks[city] = stacks[city][1:]
    points[seat] += event.points
    return Passengers(part.reserve, tuple(standing), stacks, tuple(points))


@passengers.awaits(PassengerRode)
def ridden(awaiting: Awaiting, event: PassengerRode) -> Awaiting:
    return closed(awaiting, event.seat)


@passengers.scores
def score_merchandise(rules: "Ruleset", state: State, tally: Tally) -> None:
    """Merchandise was scored when it was taken (R-MAR-23)."""
    for seat, points in enumerate(passengers.part(state).points):
        tally.add(seat, "merchandise", points)


@passengers.accounts
def count_passengers(rules: "Ruleset", state: State) -> None:
    """No seat has too many passengers, and no token is lost."""
    part, settings = passengers.part(state), passengers.parameters(rules)
    for left, waiting in zip(part.reserve, part.standing, strict=True):
        if left < 0 or left + len(waiting) > settings.each:
            raise RulesBroken("a seat has too many passengers")
    whole = sum(sum(settings.stacks[colour]) for colour in settings.cities.values())
    if sum(map(sum, part.stacks.values())) + sum(part.points) != whole:
        raise RulesBroken("merchandise was lost or added")
