"""Routes where they meet: all tracks between two cities, and how they leave a city together."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, pi, sin
from typing import NamedTuple

from engine.values import TUNNEL, CityId, Route, RouteId
from pictures.tracks import ACROSS, APART, ENDS, Point, Track, curve, run, track

ROCK = 3.5
"""So far around a space the rock of a tunnel reaches,"""
EDGE = 1.5
"""and so far the edge of any other, or of the train on it."""
FARTHEST = 60.0
"""So far from a city spaces begin at most."""
FARTHER = 2.0
"""So much farther out a route begins if it still lies on another."""


class Arm(NamedTuple):
    """What leaves a city for another, all tracks of it together."""

    angle: float
    half: float
    """Half of its width."""
    room: float
    """How much of its way each space has."""


class Pair(NamedTuple):
    """Two cities and all routes between them."""

    ends: tuple[CityId, CityId]
    routes: tuple[Route, ...]

    @property
    def name(self) -> str:
        """The name under which its bend stands in a plan."""
        return "-".join(self.ends)

    @property
    def lanes(self) -> Iterator[float]:
        """How far beside the middle each route lies."""
        return ((n - (len(self.routes) - 1) / 2) * self.apart for n in range(len(self.routes)))

    @property
    def apart(self) -> float:
        """From the middle of a route to the middle of the next."""
        return APART + ROCK if self.is_tunnel else APART

    @property
    def half(self) -> float:
        """Half of the width of all routes together, with what is drawn around them."""
        around = ROCK if self.is_tunnel else EDGE
        return ((len(self.routes) - 1) * self.apart + ACROSS) / 2 + around

    @property
    def is_tunnel(self) -> bool:
        """Whether there is rock around."""
        return any(route.kind == TUNNEL for route in self.routes)

    def line(self, spots: Mapping[CityId, Point], bends: Mapping[str, float]) -> list[Point]:
        """The curve in the middle."""
        return curve(spots[self.ends[0]], spots[self.ends[1]], bends.get(self.name, 0.0))

    def arm(self, city: CityId, line: Sequence[Point]) -> Arm:
        """How it leaves one of its cities."""
        (ax, ay), (bx, by) = line[:2] if city == self.ends[0] else line[-1:-3:-1]
        room = run(line) / max(route.length for route in self.routes)
        return Arm(atan2(by - ay, bx - ax), self.half, room)


def pairs_of(routes: Sequence[Route]) -> list[Pair]:
    """All routes, those between the same cities together."""
    between: dict[tuple[CityId, CityId], list[Route]] = {}
    for route in routes:
        first, second = sorted(route.cities)
        between.setdefault((first, second), []).append(route)
    return [Pair(ends, tuple(several)) for ends, several in between.items()]


def ends_of(arms: Sequence[Arm]) -> list[float]:
    """How far from the middle of a city each arm's spaces begin, so that none lies on the next.

    Where two arms leave at a small angle, the one with more room begins farther out.
    """
    ends = [ENDS] * len(arms)
    order = sorted(range(len(arms)), key=lambda n: arms[n].angle)
    for here, there in zip(order, [*order[1:], *order[:1]], strict=True):
        one, other = arms[here], arms[there]
        turn = (other.angle - one.angle) % (2 * pi)
        if here == there or turn >= pi:
            continue
        sharp = max(sin(turn), 0.1)
        back = (other.half + one.half * cos(turn)) / sharp
        back_other = (one.half + other.half * cos(turn)) / sharp
        if ends[here] >= back or ends[there] >= back_other:
            continue
        if one.room - back >= other.room - back_other:
            ends[here] = min(back, FARTHEST)
        else:
            ends[there] = min(back_other, FARTHEST)
    return ends


class Junctions:
    """Every route, begun far enough from its cities that it lies on no other."""

    def __init__(
        self, routes: Sequence[Route], spots: Mapping[CityId, Point], bends: Mapping[str, float]
    ) -> None:
        self.pairs = pairs_of(routes)
        self._lines = {pair: pair.line(spots, bends) for pair in self.pairs}
        self._begins: dict[tuple[Pair, CityId], float] = {}
        for city in spots:
            self._meet(city)
        self._tracks = {pair: self._laid(pair) for pair in self.pairs}
        for city in spots:
            self._part(city)

    @property
    def tracks(self) -> dict[RouteId, Track]:
        """Where every route lies."""
        return {
            route.id: one
            for pair, several in self._tracks.items()
            for route, one in zip(pair.routes, several, strict=True)
        }

    def _at(self, city: CityId) -> list[Pair]:
        return [pair for pair in self.pairs if city in pair.ends]

    def _meet(self, city: CityId) -> None:
        here = self._at(city)
        ends = ends_of([pair.arm(city, self._lines[pair]) for pair in here])
        self._begins |= {(pair, city): end for pair, end in zip(here, ends, strict=True)}

    def _laid(self, pair: Pair) -> list[Track]:
        ends = self._begins[pair, pair.ends[0]], self._begins[pair, pair.ends[1]]
        return [
            track(self._lines[pair], lane, route.length, ends)
            for route, lane in zip(pair.routes, pair.lanes, strict=True)
        ]

    def _part(self, city: CityId) -> None:
        """Push routes away from a city as long as one lies on the next: curves are no arms."""
        here = sorted(self._at(city), key=lambda pair: pair.arm(city, self._lines[pair]).angle)
        for one, other in pairwise([*here, *here[:1]]):
            while self._touch(one, other, city):
                loser = max(one, other, key=lambda pair: self._tracks[pair][0].spaces[0].along)
                self._begins[loser, city] += FARTHER
                self._tracks[loser] = self._laid(loser)
                if self._begins[loser, city] > FARTHEST:
                    break

    def _touch(self, one: Pair, other: Pair, city: CityId) -> bool:
        return one is not other and any(
            touching(first, second)
            for first in self._near(one, city)
            for second in self._near(other, city)
        )

    def _near(self, pair: Pair, city: CityId) -> Iterator[Sequence[Point]]:
        """The spaces that lie next to a city, with what is drawn around them."""
        around = ROCK if pair.is_tunnel else EDGE
        for one in self._tracks[pair]:
            spaces = one.spaces if city == pair.ends[0] else one.spaces[::-1]
            yield from (space.corners(ACROSS + 2 * around, around) for space in spaces[:2])


def touching(first: Sequence[Point], second: Sequence[Point]) -> bool:
    """Whether two rectangles share a point: no line along an edge of one separates them."""
    for corners in (first, second):
        for (ax, ay), (bx, by) in pairwise(corners[:3]):
            one = [(bx - ax) * x + (by - ay) * y for x, y in first]
            other = [(bx - ax) * x + (by - ay) * y for x, y in second]
            if max(one) < min(other) or max(other) < min(one):
                return False
    return True
