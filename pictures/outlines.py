"""Land and lakes of a board, from `maps/<board>/land.json`, which `tools/land.py` makes."""

import json
from collections.abc import Iterator, Sequence
from importlib.resources import files

from engine.values import City
from pictures.labels import Box
from pictures.plan import Plan
from pictures.tracks import Point

REACH = 90.0
"""At this distance from a moved city, land follows it half of the way."""
BEYOND = 8.0
"""How far outside the picture outlines are cut off."""

Ring = tuple[Point, ...]


def outlines(board: str, cities: Sequence[City], plan: Plan) -> tuple[list[Ring], list[Ring]]:
    """Draw land and lakes, shifted along with moved cities, so that ports stay on the coast."""
    file = files("maps").joinpath(board).joinpath("land.json")
    if not file.is_file():
        return [], []
    pulls = [
        (*plan.flat(city.lon, city.lat), *nudge.move)
        for city in cities
        if (nudge := plan.cities.get(city.id)) and not nudge.at
    ]

    def pulled(lon: float, lat: float) -> Point:
        x, y = plan.flat(lon, lat)
        whole, sx, sy = 1 / REACH**2, 0.0, 0.0
        for cx, cy, dx, dy in pulls:
            weight = 1 / ((x - cx) ** 2 + (y - cy) ** 2 + 100)
            whole, sx, sy = whole + weight, sx + weight * dx, sy + weight * dy
        return x + sx / whole, y + sy / whole

    frame = -BEYOND, -BEYOND, plan.width + BEYOND, plan.height + BEYOND
    rings = json.loads(file.read_text("utf-8"))
    land, lakes = (
        [
            ring
            for points in rings[kind]
            if (ring := clipped([pulled(lon, lat) for lon, lat in points], frame))
        ]
        for kind in ("land", "lakes")
    )
    return land, lakes


def clipped(ring: Sequence[Point], box: Box) -> Ring:
    """Return the part of a ring inside a box (Sutherland–Hodgman)."""
    for edge in range(4):
        axis, side = edge % 2, 1 if edge < 2 else -1
        ring = list(_on_one_side(ring, axis, box[edge], side))
    return tuple(ring)


def _on_one_side(ring: Sequence[Point], axis: int, edge: float, side: int) -> Iterator[Point]:
    for n, end in enumerate(ring):
        start = ring[n - 1]
        here, there = (start[axis] - edge) * side, (end[axis] - edge) * side
        if (here >= 0) != (there >= 0):
            part = here / (here - there)
            yield start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])
        if there >= 0:
            yield end
