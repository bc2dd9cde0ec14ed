"""A board laid flat: where its cities, their names, its routes and the land lie on the picture."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from engine import Board
from engine.values import City, CityId, Route, RouteId
from pictures import labels, plan
from pictures.labels import Box, Label
from pictures.plan import NO_NUDGE, Plan
from pictures.tracks import APART, Point, Track, track

KEPT = 12.0
"""So far around a city no other name stands."""
EDGE = 6.0
"""So far from the edge everything keeps."""
REACH = 90.0
"""Land so far from a city still follows it half of the way, when the city was moved."""

Ring = tuple[Point, ...]


class Chart(NamedTuple):
    """Where everything lies."""

    width: int
    height: int
    spots: dict[CityId, Point]
    labels: dict[CityId, Label]
    tracks: dict[RouteId, Track]
    land: tuple[Ring, ...]
    lakes: tuple[Ring, ...]


def chart_of(board: Board) -> Chart:
    """A board laid flat, and remembered."""
    return laid_flat(board.id, tuple(board.cities.values()), tuple(board.routes.values()))


@lru_cache(maxsize=32)
def laid_flat(board: str, cities: tuple[City, ...], routes: tuple[Route, ...]) -> Chart:
    made = plan.read(board) or plan.plain(cities)
    spots = made.spots(cities)
    tracks = tracks_of(routes, spots, made.bends)
    return Chart(
        made.width,
        made.height,
        spots,
        dict(_labels(cities, spots, made, tracks)),
        tracks,
        *_outlines(board, cities, made),
    )


def pair_of(route: Route) -> str:
    """The name under which all tracks between two cities bend."""
    return "-".join(sorted(route.cities))


def tracks_of(
    routes: Sequence[Route], spots: Mapping[CityId, Point], bends: Mapping[str, float]
) -> dict[RouteId, Track]:
    """Every route, those between the same cities side by side."""
    between: dict[str, list[Route]] = {}
    for route in routes:
        between.setdefault(pair_of(route), []).append(route)
    found = {}
    for pair, several in between.items():
        start, end = (spots[city] for city in sorted(several[0].cities))
        for n, route in enumerate(several):
            aside = (n - (len(several) - 1) / 2) * APART
            found[route.id] = track(start, end, bends.get(pair, 0.0), aside, route.length)
    return found


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


def _outlines(
    board: str, cities: Sequence[City], made: Plan
) -> tuple[tuple[Ring, ...], tuple[Ring, ...]]:
    """Land and lakes, pulled along where cities were moved, so that ports stay at the sea."""
    file = files("maps").joinpath(board).joinpath("land.json")
    if not file.is_file():
        return (), ()
    pulls = [
        (*made.flat(city.lon, city.lat), *nudge.move)
        for city in cities
        if (nudge := made.cities.get(city.id)) and not nudge.at
    ]

    def pulled(lon: float, lat: float) -> Point:
        x, y = made.flat(lon, lat)
        whole, sx, sy = 1 / REACH**2, 0.0, 0.0
        for cx, cy, dx, dy in pulls:
            weight = 1 / ((x - cx) ** 2 + (y - cy) ** 2 + 100)
            whole, sx, sy = whole + weight, sx + weight * dx, sy + weight * dy
        return x + sx / whole, y + sy / whole

    said = json.loads(file.read_text("utf-8"))
    land, lakes = (
        tuple(tuple(pulled(lon, lat) for lon, lat in ring) for ring in said[kind])
        for kind in ("land", "lakes")
    )
    return land, lakes
