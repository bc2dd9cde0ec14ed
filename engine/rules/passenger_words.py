"""Texts about passengers: prompts, labels, menu, notation, and what is told."""

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from engine.errors import Unreadable
from engine.kinds import Action, Decision
from engine.menu import Entry, Way
from engine.notation import city_in, city_name, plain
from engine.options import actions_for
from engine.rules.passengers import (
    ChoosePassengerCity,
    PassengerDue,
    PassengerPlaced,
    PassengerRode,
    PlacePassenger,
    RidePassenger,
    legs,
    offer_cities,
    passengers,
    ride_of,
)
from engine.rules.ride_search import Near
from engine.state import State
from engine.text import listed, points
from engine.translate import say, says
from engine.values import NOTHING, CityId, Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@passengers.asks(ChoosePassengerCity)
def ask_where(rules: "Ruleset", state: State, decision: ChoosePassengerCity) -> str:
    a, b = (city_name(rules, city) for city in rules.board.routes[decision.route].cities)
    left = passengers.part(state).reserve[decision.seat]
    return says(
        "Put a passenger on {a} or {b}? You have {n} left.",
        "Put a passenger on {a} or {b}? You have {n} left.",
        left,
        a=a,
        b=b,
    )


@passengers.waits(ChoosePassengerCity)
def wait_where(rules: "Ruleset", decision: ChoosePassengerCity) -> str:
    return say("place a passenger")


@passengers.labels(PlacePassenger)
def label_place(rules: "Ruleset", state: State, action: PlacePassenger) -> str:
    if action.city is None:
        return say("Put no passenger anywhere")
    return say("Put a passenger on {city}", city=city_name(rules, action.city))


@passengers.groups(PlacePassenger)
def group_place(rules: "Ruleset", action: PlacePassenger) -> str:
    return "place"


@passengers.titles("place")
def title_place(rules: "Ruleset", what: str) -> str:
    return say("Place a passenger")


@passengers.enters(PlacePassenger)
def enter_place(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[PlacePassenger]
) -> list[Entry]:
    """One entry: on which city, or on none."""
    ways = tuple(
        Way(action.city or "none", label_place(rules, state, action), (action,))
        for action in actions
    )
    return [Entry("place", "", title_place(rules, ""), "place", "place", "city", ways)]


@passengers.writes(PlacePassenger)
def write_place(rules: "Ruleset", action: PlacePassenger) -> str:
    return f"place {action.city or 'none'}"


@passengers.reads("place")
def read_place(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    if not words and isinstance(decision, ChoosePassengerCity):
        return [*offer_cities(rules, state, decision)]
    bare = words.removeprefix("a passenger ").removeprefix("on ").removeprefix("in ")
    if bare in ("none", "no passenger"):
        return [PlacePassenger()]
    if isinstance(decision, ChoosePassengerCity):
        ends = rules.board.routes[decision.route].cities
        if here := [city for city in cities_named(rules, bare) if city in ends]:
            return [PlacePassenger(city) for city in here]
    return [PlacePassenger(city_in(rules, bare))]


@passengers.labels(RidePassenger)
def label_ride(rules: "Ruleset", state: State, action: RidePassenger) -> str:
    way = " – ".join(city_name(rules, city) for city in action.cities)
    return say("Ride {way}: {gain}", way=way, gain=_gain(rules, state, action))


def _gain(rules: "Ruleset", state: State, action: RidePassenger) -> str:
    """What a ride brings and costs: “12 points, for 1 passenger card”."""
    seat = state.awaiting[0].seat
    ride = ride_of(rules, state, seat, action.cities)
    if ride is None:
        return ""
    gained = points(ride.points)
    if not ride.foreign:
        return gained
    paid = rules.purse.fares(state, seat)[ride.foreign]
    return say("{points}, for {payment}", points=gained, payment=paid.spoken)


@passengers.groups(RidePassenger)
def group_ride(rules: "Ruleset", action: RidePassenger) -> str:
    return f"ride {action.cities[0]}" if action.cities else "ride"


@passengers.titles("ride")
def title_ride(rules: "Ruleset", city: CityId) -> str:
    if not city:
        return say("Let a passenger ride")
    return say("Let the passenger in {city} ride", city=city_name(rules, city))


@passengers.enters(RidePassenger)
def enter_rides(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[RidePassenger]
) -> list[Entry]:
    """An entry for each city where a passenger stands, with its best ride for each fare."""
    return [
        _entry(rules, state, decision.seat, city, list(same))
        for city, same in groupby(actions, lambda action: action.cities[0])
    ]


def _entry(
    rules: "Ruleset", state: State, seat: Seat, city: CityId, rides: Sequence[RidePassenger]
) -> Entry:
    ways = tuple(
        Way(" ".join(ride.cities[1:]), _way(rules, state, ride), (ride,)) for ride in rides
    )
    gains = [ride_of(rules, state, seat, ride.cities) for ride in rides]
    gained = gains[0].points if len(rides) == 1 and gains[0] else 0
    start = f"ride {city}"
    title = title_ride(rules, city)
    return Entry("ride", city, title, start, start, "cities", ways, points=gained)


def _way(rules: "Ruleset", state: State, ride: RidePassenger) -> str:
    names = [city_name(rules, city) for city in ride.cities[1:]]
    return say("{cities}: {gain}", cities=" – ".join(names), gain=_gain(rules, state, ride))


@passengers.writes(RidePassenger)
def write_ride(rules: "Ruleset", action: RidePassenger) -> str:
    return f"ride {' '.join(action.cities)}"


@passengers.reads("ride")
def read_ride(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Read a ride by all its cities, by its first and last one, or by its first one alone."""
    named = _cities_in(rules, words)
    seat, listed_rides = decision.seat, _listed(rules, state, decision)
    meant: list[Action] = []
    for ends in named[0] if named else []:
        if len(named) == 1:
            meant += [ride for ride in listed_rides if ride.cities[0] == ends]
        else:
            meant += [
                RidePassenger(way) for way in _followed(legs(rules, state, seat), ends, named)
            ]
    if not meant and len(named) == 2:
        meant += [
            ride
            for ride in listed_rides
            if ride.cities[0] in named[0] and ride.cities[-1] in named[1]
        ]
    return meant or [RidePassenger(tuple(cities[0] for cities in named))]


def _listed(rules: "Ruleset", state: State, decision: Decision) -> list[RidePassenger]:
    listed_actions = actions_for(rules, state, decision)
    return [action for action in listed_actions if isinstance(action, RidePassenger)]


def _cities_in(rules: "Ruleset", words: str) -> list[list[CityId]]:
    """For each city that the words name, in order, the cities of this name."""
    fillers = ("from", "via", "to", "and", "the", "passenger", "in", "over")
    bare = [word for word in words.replace("-", " ").split() if word not in fillers]
    if not bare:
        raise Unreadable(say("Which passenger? Name the city where it stands."))
    named = []
    for word in bare:
        cities = cities_named(rules, word)
        if not cities:
            city_in(rules, word)  # raises, with a guess
        named.append(cities)
    return named


def _followed(
    near: Near, start: CityId, named: Sequence[Sequence[CityId]]
) -> list[tuple[CityId, ...]]:
    """The ways along these cities, where a name may mean any of several."""
    ways: list[tuple[CityId, ...]] = [(start,)]
    for cities in named[1:]:
        ways = [
            (*way, city)
            for way in ways
            for city in cities
            if any(leg.to == city for leg in near.get(way[-1], ()))
        ]
    return ways


@passengers.tells(PassengerDue)
def tell_due(rules: "Ruleset", event: PassengerDue, names: Sequence[str]) -> str:
    """What the seat does is told of later."""
    return ""


@passengers.tells(PassengerPlaced)
def tell_placed(rules: "Ruleset", event: PassengerPlaced, names: Sequence[str]) -> str:
    if event.city is None:
        return ""
    return say(
        "{who} puts a passenger on {city}.",
        who=names[event.seat],
        city=city_name(rules, event.city),
    )


@passengers.tells(PassengerRode)
def tell_rode(rules: "Ruleset", event: PassengerRode, names: Sequence[str]) -> str:
    taken = [
        say("{value} in {city}", value=token, city=city_name(rules, city))
        for city, token in zip(event.cities, event.tokens, strict=True)
        if token
    ]
    who, gained = names[event.seat], points(event.points)
    first, last = (city_name(rules, city) for city in (event.cities[0], event.cities[-1]))
    if str(event.payment) == NOTHING:
        return say(
            "{who} lets a passenger ride from {a} to {b} and takes {tokens}, for {points}.",
            who=who,
            a=first,
            b=last,
            tokens=listed(taken),
            points=gained,
        )
    return say(
        "{who} lets a passenger ride from {a} to {b} with {payment} and takes {tokens}, "
        "for {points}.",
        who=who,
        a=first,
        b=last,
        payment=event.payment.spoken,
        tokens=listed(taken),
        points=gained,
    )


def cities_named(rules: "Ruleset", words: str) -> list[CityId]:
    """The cities that have this id or this name; several termini share the name of a country."""
    id = words.replace(" ", "_")
    if id in rules.board.cities:
        return [id]
    return [city.id for city in rules.board.cities.values() if plain(city.name) == words]
