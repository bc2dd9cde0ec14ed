"""Finds the ride of a passenger that takes the most merchandise (R-MAR-28).

A ride uses no route twice and may visit a city again; a city pays only once. The search tries all
rides, leaves out those that cannot be better any more, and stops after a number of steps: in
networks with many circles the ride found may then be a little less than the best.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.values import CityId, RouteId

STEPS = 1500
"""How many steps are tried for each number of fares."""


class Leg(NamedTuple):
    """A route that can be ridden from a city."""

    route: RouteId
    to: CityId
    foreign: bool
    """Whether it belongs to others, so that it takes a fare."""


class Ride(NamedTuple):
    """A ride from city to city."""

    cities: tuple[CityId, ...]
    routes: tuple[RouteId, ...]
    foreign: int
    """How many of the routes belong to others."""
    points: int


Near = Mapping[CityId, Sequence[Leg]]
"""The legs from each city."""


def best_rides(
    start: CityId, near: Near, values: Mapping[CityId, int], fares: int
) -> Iterator[Ride]:
    """The best ride over own routes, and each better one for one more fare, if there are any."""
    best = 0
    for number in range(fares + 1):
        reach = _reached(start, near, number)
        whole = sum(values.get(city, 0) for city in reach)
        if whole <= best:
            continue
        ride = _Search(near, values, number, whole).best_from(start, reach)
        if ride is not None and ride.points > best:
            best = ride.points
            yield ride


def _reached(start: CityId, near: Near, fares: int) -> dict[CityId, Ride]:
    """A ride with the fewest fares to each city that can be reached."""
    reached: dict[CityId, Ride] = {}
    todo = [[Ride((start,), (), 0, 0)], *([] for _ in range(fares))]
    for paid, rides in enumerate(todo):
        for ride in rides:  # grows on the way
            here = ride.cities[-1]
            if here in reached:
                continue
            reached[here] = ride
            for leg in near.get(here, ()):
                if leg.to not in reached and paid + leg.foreign <= fares:
                    longer = (*ride.cities, leg.to), (*ride.routes, leg.route)
                    todo[paid + leg.foreign].append(Ride(*longer, paid + leg.foreign, 0))
    return reached


class _Search:
    """A depth-first search with a bound, for one number of fares."""

    def __init__(self, near: Near, values: Mapping[CityId, int], fares: int, whole: int) -> None:
        self._near = near
        self._values = values
        self._fares = fares
        self._whole = whole
        self._steps = STEPS
        self._best: Ride | None = None
        self._cities: list[CityId] = []
        self._routes: list[RouteId] = []

    def best_from(self, start: CityId, reach: Mapping[CityId, Ride]) -> Ride | None:
        """The best ride from here; begins with the simple rides to each city."""
        for ride in reach.values():
            points = sum(self._values.get(city, 0) for city in set(ride.cities))
            if ride.routes and points:
                self._keep(ride._replace(points=points))
        self._cities.append(start)
        self._go(start, 0, self._values.get(start, 0))
        return self._best

    def _keep(self, ride: Ride) -> None:
        """Keep the ride with the most points; of equal ones that with the fewest routes."""
        best = self._best
        worth = ride.points, -ride.foreign, -len(ride.routes)
        if best is None or worth > (best.points, -best.foreign, -len(best.routes)):
            self._best = ride

    def _go(self, here: CityId, paid: int, points: int) -> None:
        if self._steps <= 0 or (self._best is not None and self._best.points >= self._whole):
            return
        self._steps -= 1
        for leg in self._near.get(here, ()):
            if leg.route in self._routes or paid + leg.foreign > self._fares:
                continue
            new = leg.to not in self._cities
            gained = points + (self._values.get(leg.to, 0) if new else 0)
            self._cities.append(leg.to)
            self._routes.append(leg.route)
            if gained > points:
                fares = paid + leg.foreign
                self._keep(Ride(tuple(self._cities), tuple(self._routes), fares, gained))
            self._go(leg.to, paid + leg.foreign, gained)
            self._cities.pop()
            self._routes.pop()
