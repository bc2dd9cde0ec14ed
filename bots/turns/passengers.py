"""Passengers: where they get on, when they ride, and which coloured ones to take."""

from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

from bots.mind import Mind
from engine import Action
from engine.rules.coloured_passengers import TakePassengers, coloured
from engine.rules.passengers import (
    Passengers,
    PlacePassenger,
    RidePassenger,
    Stack,
    passengers,
    ride_of,
    tokens_for,
)
from engine.rules.ride_search import Leg, Ride, best_rides
from engine.values import CityId

SHORT_OF_TIME = 1.5
"""Turns to spare with which passengers that stand on the board ride at once."""
FARE = 1.5
"""The value of a passenger card or joker that is spent on a ride."""
LEAST = 5.0
"""The least points for which a ride is worth a turn while there is other work."""
NOW = 0.85
"""The part of what a passenger may take later for which it rides now."""
WORTH_A_PASSENGER = 9.0
"""The points that a passenger should promise while there is time to find a better place."""
HASTE = 0.6
"""How much less it has to promise for each passenger more than there are turns to place them."""

EARLY = 1.2
"""By how many passengers a lead changes until it is nearly certain."""


class Offer(NamedTuple):
    """A ride that can be chosen, with what it is worth."""

    worth: float
    action: RidePassenger


def ride(mind: Mind) -> Action | None:
    """Return the best ride, if it is time for it."""
    best = best_ride(mind)
    return best.action if best and best.worth >= LEAST and is_time(mind, best) else None


def last_ride(mind: Mind) -> Action | None:
    """Return the best ride when nothing else is left to do, or time runs out."""
    best = best_ride(mind)
    return best.action if best else None


def best_ride(mind: Mind) -> Offer | None:
    """Return the ride that brings most, the fares deducted."""
    rides = [action for action in mind.actions if isinstance(action, RidePassenger)]
    offers = []
    for action in rides:
        made = ride_of(mind.rules, mind.view, mind.seat, action.cities)
        if made is not None:
            offers.append(Offer(made.points - FARE * made.foreign, action))
    return max(offers, key=lambda offer: offer.worth, default=None)


def is_time(mind: Mind, offer: Offer) -> bool:
    """Return whether a passenger should ride now, rather than wait for more routes."""
    standing = passengers.part(mind.view).standing[mind.seat]
    if mind.time <= len(standing) + SHORT_OF_TIME:
        return True
    later = _promised(mind, offer.action.cities[0], passengers.part(mind.view).stacks)
    return later is None or offer.worth >= NOW * later.points


def _promised(mind: Mind, city: CityId, stacks: Mapping[CityId, Stack]) -> Ride | None:
    """Return the best ride from a city over own routes and those that are planned."""
    tops = {place: stack[0] for place, stack in stacks.items() if stack}
    return max(
        best_rides(city, _network(mind), tops, 0), key=lambda made: made.points, default=None
    )


def _network(mind: Mind) -> dict[CityId, list[Leg]]:
    graph, near = mind.situation.graph, dict[CityId, list[Leg]]()
    for at in (*mind.situation.own, *mind.plan.routes):
        route = graph.routes[at]
        a, b = route.cities
        near.setdefault(a, []).append(Leg(route.id, b, foreign=False))
        near.setdefault(b, []).append(Leg(route.id, a, foreign=False))
    return near


def place(mind: Mind) -> Action | None:
    """Put a passenger where it promises enough beside those that stand already."""
    part = passengers.part(mind.view)
    stacks = _without_promised(mind, part)
    rated = []
    for action in mind.actions:
        if isinstance(action, PlacePassenger) and action.city is not None:
            promised = _promised(mind, action.city, stacks)
            rated.append((promised.points if promised else 0, action.city, action))
    points, _, best = max(rated, key=lambda entry: entry[:2])
    waiting = part.reserve[mind.seat] + len(part.standing[mind.seat])
    spare = mind.time - 2 * waiting
    needed = WORTH_A_PASSENGER + min(0.0, HASTE * spare)
    return best if points >= max(LEAST, needed) and mind.time > 1 else PlacePassenger()


def _without_promised(mind: Mind, part: Passengers) -> dict[CityId, Stack]:
    """Return the stacks after the rides that the seat's passengers on the board will make."""
    stacks = dict(part.stacks)
    for city in part.standing[mind.seat]:
        promised = _promised(mind, city, stacks)
        if promised:
            left = part._replace(stacks=stacks)
            tokens = tokens_for(left, promised.cities)
            for place, token in zip(promised.cities, tokens, strict=True):
                stacks[place] = stacks[place][1:] if token else stacks.get(place, ())
    return stacks


def pick(mind: Mind) -> Action | None:
    """Return the passengers of the colours in which one more counts most.

    A bot that does not weigh rivals collects the colours of which it has most already.
    """
    if not mind.style.majorities:
        return None
    taken = coloured.part(mind.view).collected
    mine = taken[mind.seat]
    others = [has for seat, has in enumerate(taken) if seat != mind.seat]
    choices = [action for action in mind.actions if isinstance(action, TakePassengers)]
    return max(choices, key=lambda action: _gained(action.colours, mine, others), default=None)


def _gained(colours: Sequence[str], mine: Sequence[str], others: Sequence[Sequence[str]]) -> float:
    """Return how much likelier these passengers make it that the seat has most of their colours."""
    gain = 0.0
    for n, colour in enumerate(colours):
        have = mine.count(colour) + colours[:n].count(colour)
        lead = have - max(has.count(colour) for has in others)
        gain += _likely(lead + 1) - _likely(lead)
    return gain


def _likely(lead: int) -> float:
    """Return how likely a lead by so many passengers lasts to the end."""
    return 1 / (1 + exp(-lead / EARLY))
