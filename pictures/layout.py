"""The layout of a board: where cities, their names, routes and land are on the picture."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine import Board
from engine.values import City, CityId, Route, RouteId
from pictures import labels, plan
from pictures.junctions import Junctions
from pictures.labels import Box, Label
from pictures.outlines import Ring, outlines
from pictures.plan import NO_NUDGE, Plan
from pictures.tracks import Point, Track

KEPT = 12.0
"""Distance around a city that is kept free of names, in units of the picture."""
EDGE = 6.0
"""Distance from the picture's edge that names keep."""


class Layout(NamedTuple):
    """Where everything is on the picture."""

    width: int
    height: int
    spots: dict[CityId, Point]
    labels: dict[CityId, Label]
    tracks: dict[RouteId, Track]
    land: list[Ring]
    lakes: list[Ring]


def layout_of(board: Board) -> Layout:
    """Return the layout of a board; cached."""
    return lay_out(board.pictured, tuple(board.cities.values()), tuple(board.routes.values()))


@lru_cache(maxsize=32)
def lay_out(board: str, cities: tuple[City, ...], routes: tuple[Route, ...]) -> Layout:
    board_plan = plan.read(board) or plan.plain(cities)
    spots = board_plan.spots(cities)
    tracks = Junctions(routes, spots, board_plan.bends).tracks
    return Layout(
        board_plan.width,
        board_plan.height,
        spots,
        dict(_labels(cities, spots, board_plan, tracks)),
        tracks,
        *outlines(board, cities, board_plan),
    )


def _labels(
    cities: Sequence[City],
    spots: Mapping[CityId, Point],
    board_plan: Plan,
    tracks: Mapping[RouteId, Track],
) -> Iterator[tuple[CityId, Label]]:
    spaces = [space for track in tracks.values() for space in track.spaces]
    taken: list[Box] = [(x - KEPT, y - KEPT, x + KEPT, y + KEPT) for x, y in spots.values()]
    frame = EDGE, EDGE, board_plan.width - EDGE, board_plan.height - EDGE
    for city in cities:
        nudge, (x, y) = board_plan.cities.get(city.id, NO_NUDGE), spots[city.id]
        if nudge.label:
            lines = labels.broken(city.name, nudge.lines)
            label = Label(x + nudge.label[0], y + nudge.label[1], lines, nudge.chips)
        else:
            label = labels.best(city.name, (x, y), spaces, taken, frame, nudge.chips)
        taken.extend(label.boxes)
        yield city.id, label
