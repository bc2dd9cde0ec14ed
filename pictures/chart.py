"""A board laid flat: where its cities, their names, its routes and the land lie on the picture."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import atan2
from typing import NamedTuple

from engine import Board
from engine.values import City, CityId, Route, RouteId
from pictures import labels, plan
from pictures.labels import Box, Label
from pictures.outlines import Ring, outlines
from pictures.plan import NO_NUDGE, Plan
from pictures.tracks import ACROSS, APART, Arm, Point, Track, curve, ends_of, run, track

KEPT = 12.0
"""So far around a city no other name stands."""
ROCK = 3.5
"""So far around a space the rock of a tunnel reaches."""
EDGE = 6.0
"""So far from the edge everything keeps."""


class Chart(NamedTuple):
    """Where everything lies."""

    width: int
    height: int
    spots: dict[CityId, Point]
    labels: dict[CityId, Label]
    tracks: dict[RouteId, Track]
    land: list[Ring]
    lakes: list[Ring]


def chart_of(board: Board) -> Chart:
    """A board laid flat, and remembered."""
    return laid_flat(board.id, tuple(board.cities.values()), tuple(board.routes.values()))


@lru_cache(maxsize=32)
def laid_flat(board: str, cities: tuple[City, ...], routes: tuple[Route, ...]) -> Chart:
    made = plan.read(board) or plan.plain(cities)
    spots = made.spots(cities)
    tracks = _tracks(routes, spots, made.bends)
    return Chart(
        made.width,
        made.height,
        spots,
        dict(_labels(cities, spots, made, tracks)),
        tracks,
        *outlines(board, cities, made),
    )


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
        return ((n - (len(self.routes) - 1) / 2) * APART for n in range(len(self.routes)))

    @property
    def half(self) -> float:
        """Half of the width of all routes together, with what is drawn around them."""
        rock = ROCK if any(route.kind == "tunnel" for route in self.routes) else 1.5
        return ((len(self.routes) - 1) * APART + ACROSS) / 2 + rock

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


def _tracks(
    routes: Sequence[Route], spots: Mapping[CityId, Point], bends: Mapping[str, float]
) -> dict[RouteId, Track]:
    pairs = pairs_of(routes)
    lines = {pair: pair.line(spots, bends) for pair in pairs}
    begins: dict[tuple[Pair, CityId], float] = {}
    for city in spots:
        here = [pair for pair in pairs if city in pair.ends]
        ends = ends_of([pair.arm(city, lines[pair]) for pair in here])
        begins |= {(pair, city): end for pair, end in zip(here, ends, strict=True)}
    return {
        route.id: track(
            lines[pair],
            lane,
            route.length,
            (begins[pair, pair.ends[0]], begins[pair, pair.ends[1]]),
        )
        for pair in pairs
        for route, lane in zip(pair.routes, pair.lanes, strict=True)
    }


def _labels(
    cities: Sequence[City],
    spots: Mapping[CityId, Point],
    made: Plan,
    tracks: Mapping[RouteId, Track],
) -> Iterator[tuple[CityId, Label]]:
    spaces = [space for one in tracks.values() for space in one.spaces]
    taken: list[Box] = [(x - KEPT, y - KEPT, x + KEPT, y + KEPT) for x, y in spots.values()]
    frame = EDGE, EDGE, made.width - EDGE, made.height - EDGE
    for city in cities:
        nudge, (x, y) = made.cities.get(city.id, NO_NUDGE), spots[city.id]
        if nudge.label:
            lines = labels.broken(city.name, nudge.lines)
            label = Label(x + nudge.label[0], y + nudge.label[1], lines)
        else:
            label = labels.best(city.name, (x, y), spaces, taken, frame)
        taken.extend(label.boxes)
        yield city.id, label
