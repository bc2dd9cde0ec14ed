"""Places tracks so that routes that meet in a city do not overlap."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, cos, pi, sin
from typing import NamedTuple

from engine.values import TUNNEL, CityId, Route, RouteId
from pictures.tracks import ACROSS, APART, ENDS, Point, Track, curve, run, track

ROCK = 3.5
"""How far the rock of a tunnel extends around a space."""
EDGE = 1.5
"""How far the edge of any other space, or of the train on it, extends."""
FARTHEST = 60.0
"""The greatest distance from a city to the first space of a route."""
FARTHER = 2.0
"""The step by which a route is moved away from a city while it overlaps another."""


class Arm(NamedTuple):
    """All tracks from a city to another, where they leave the city."""

    angle: float
    half: float
    """Half of the width of all tracks together."""
    room: float
    """The length available for each space."""


class Pair(NamedTuple):
    """Two cities and all routes between them, which are drawn side by side."""

    ends: tuple[CityId, CityId]
    routes: tuple[Route, ...]

    @property
    def name(self) -> str:
        """The key of its bend in picture.toml."""
        return "-".join(self.ends)

    @property
    def lanes(self) -> Iterator[float]:
        """The distance of each route from the middle line."""
        return ((n - (len(self.routes) - 1) / 2) * self.apart for n in range(len(self.routes)))

    @property
    def apart(self) -> float:
        """The distance between the middles of neighbouring routes."""
        return APART + ROCK if self.is_tunnel else APART

    @property
    def half(self) -> float:
        """Half of the width of all routes together, including rock and edges."""
        around = ROCK if self.is_tunnel else EDGE
        return ((len(self.routes) - 1) * self.apart + ACROSS) / 2 + around

    @property
    def is_tunnel(self) -> bool:
        """Whether any route is a tunnel."""
        return any(route.kind == TUNNEL for route in self.routes)

    def line(self, spots: Mapping[CityId, Point], bends: Mapping[str, float]) -> list[Point]:
        """Return the middle line."""
        return curve(spots[self.ends[0]], spots[self.ends[1]], bends.get(self.name, 0.0))

    def arm(self, city: CityId, line: Sequence[Point]) -> Arm:
        """Return how the routes leave one of the two cities."""
        (ax, ay), (bx, by) = line[:2] if city == self.ends[0] else line[-1:-3:-1]
        room = run(line) / max(route.length for route in self.routes)
        return Arm(atan2(by - ay, bx - ax), self.half, room)


def pairs_of(routes: Sequence[Route]) -> list[Pair]:
    """Group routes by their cities."""
    between: dict[tuple[CityId, CityId], list[Route]] = {}
    for route in routes:
        first, second = sorted(route.cities)
        between.setdefault((first, second), []).append(route)
    return [Pair(ends, tuple(several)) for ends, several in between.items()]


def ends_of(arms: Sequence[Arm]) -> list[float]:
    """Return the distance from a city's middle to the first space of each arm; none overlap.

    If the angle between two arms is small, the one with more room begins farther out.
    """
    ends = [ENDS] * len(arms)
    order = sorted(range(len(arms)), key=lambda n: arms[n].angle)
    for here, there in zip(order, [*order[1:], *order[:1]], strict=True):
        arm, other = arms[here], arms[there]
        turn = (other.angle - arm.angle) % (2 * pi)
        if here == there or turn >= pi:
            continue
        sharp = max(sin(turn), 0.1)
        back = (other.half + arm.half * cos(turn)) / sharp
        back_other = (arm.half + other.half * cos(turn)) / sharp
        if ends[here] >= back or ends[there] >= back_other:
            continue
        if arm.room - back >= other.room - back_other:
            ends[here] = min(back, FARTHEST)
        else:
            ends[there] = min(back_other, FARTHEST)
    return ends


class Junctions:
    """Places every route so that it begins far enough from its cities to overlap no other."""

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
        """The track of every route."""
        return {
            route.id: laid
            for pair, several in self._tracks.items()
            for route, laid in zip(pair.routes, several, strict=True)
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
        """Move routes away from a city while they overlap; arms only approximate curves."""
        here = sorted(self._at(city), key=lambda pair: pair.arm(city, self._lines[pair]).angle)
        for first, second in pairwise([*here, *here[:1]]):
            while self._touch(first, second, city):
                loser = max(first, second, key=lambda pair: self._tracks[pair][0].spaces[0].along)
                self._begins[loser, city] += FARTHER
                self._tracks[loser] = self._laid(loser)
                if self._begins[loser, city] > FARTHEST:
                    break

    def _touch(self, pair: Pair, other: Pair, city: CityId) -> bool:
        return pair is not other and any(
            touching(first, second)
            for first in self._near(pair, city)
            for second in self._near(other, city)
        )

    def _near(self, pair: Pair, city: CityId) -> Iterator[Sequence[Point]]:
        """Yield the corners of the spaces next to a city, including rock and edges."""
        around = ROCK if pair.is_tunnel else EDGE
        for laid in self._tracks[pair]:
            spaces = laid.spaces if city == pair.ends[0] else laid.spaces[::-1]
            yield from (space.corners(ACROSS + 2 * around, around) for space in spaces[:2])


def touching(first: Sequence[Point], second: Sequence[Point]) -> bool:
    """Return whether two rectangles overlap: no line along an edge separates them."""
    for corners in (first, second):
        for (ax, ay), (bx, by) in pairwise(corners[:3]):
            first_reach = [(bx - ax) * x + (by - ay) * y for x, y in first]
            second_reach = [(bx - ax) * x + (by - ay) * y for x, y in second]
            if max(first_reach) < min(second_reach) or max(second_reach) < min(first_reach):
                return False
    return True
