"""The plan of a board's picture: map projection and manual corrections, from `picture.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import combinations
from math import cos, hypot, pi, radians, sin
from typing import Any, NamedTuple

from engine import MapError
from engine.checks import Table
from engine.values import City, CityId
from pictures.tracks import Point

WIDTH = 1400
CROWDED = 60.0
"""If cities of a board without a plan are closer than this, all are placed on a ring."""


class Nudge(NamedTuple):
    """The corrections for one city."""

    at: Point | None
    """A fixed place instead of the projected one, for cities that are too far away."""
    move: Point
    label: Point | None
    """The offset from the city to the middle of its name."""
    lines: int
    """The number of lines of its name."""
    chips: int = 0
    """For how many chips, such as merchandise, there is room beside or below its name."""


NO_NUDGE = Nudge(None, (0.0, 0.0), None, 1)


class Plan(NamedTuple):
    """The contents of `picture.toml`."""

    width: int
    height: int
    middle: Point
    """Longitude and latitude of the middle of the picture, in degrees."""
    parallels: Point
    """The standard parallels of the projection, in degrees north."""
    scale: float
    """Units of the picture per degree at these parallels."""
    cities: Mapping[CityId, Nudge]
    bends: Mapping[str, float]
    """How much routes bend, by their two cities in alphabetical order."""

    def flat(self, lon: float, lat: float) -> Point:
        """Project a point of the globe (equidistant conic projection)."""
        (lon0, lat0), (first, second) = self.middle, map(radians, self.parallels)
        cone = (cos(first) - cos(second)) / (second - first) if first != second else sin(first)
        cone = cone or 1e-9  # at the equator the cone is nearly a cylinder
        top = cos(first) / cone + first
        far, near, turn = top - radians(lat), top - radians(lat0), cone * radians(lon - lon0)
        unit = self.scale * 180 / pi
        return (
            self.width / 2 + unit * far * sin(turn),
            self.height / 2 - unit * (near - far * cos(turn)),
        )

    def spots(self, cities: Sequence[City]) -> dict[CityId, Point]:
        """Return the place of each city on the picture."""
        spots = {}
        for city in cities:
            x, y = self.flat(city.lon, city.lat)
            nudge = self.cities.get(city.id, NO_NUDGE)
            spots[city.id] = nudge.at or (x + nudge.move[0], y + nudge.move[1])
        return spots


@lru_cache(maxsize=32)
def read(board: str) -> Plan | None:
    """Return the plan of a board, if it has one; cached."""
    file = file_of(board)
    return plan_of(tomllib.loads(file.read_text("utf-8"))) if file.is_file() else None


def file_of(board: str) -> Traversable:
    """Return the path of a board's plan, which may not exist."""
    return files("maps").joinpath(board).joinpath("picture.toml")


def plan_of(raw: Mapping[str, object]) -> Plan:
    """Read a plan strictly from the data of its file."""
    top = Table(raw, "picture")
    plan = Plan(
        top.take("width", int),
        top.take("height", int),
        _point(top, "middle"),
        _point(top, "parallels"),
        top.take("scale", float),
        {
            city: _nudge(Table(row, f"picture.cities.{city}"))
            for city, row in top.take("cities", dict[str, dict[str, Any]], {}).items()
        },
        top.take("bends", dict[str, float], {}),
    )
    top.done()
    return plan


def _nudge(row: Table) -> Nudge:
    nudge = Nudge(
        _point(row, "at") if "at" in row.raw else None,
        _point(row, "move") if "move" in row.raw else NO_NUDGE.move,
        _point(row, "label") if "label" in row.raw else None,
        row.take("lines", int, 1),
        row.take("chips", int, 0),
    )
    row.done()
    return nudge


def _point(row: Table, key: str) -> Point:
    both = row.take(key, tuple[float, ...])
    if len(both) != 2:
        raise MapError(row.at(key), "must be two numbers")
    return both[0], both[1]


def plain(cities: Sequence[City]) -> Plan:
    """Return a default plan that fits these cities, for a board without a plan of its own."""
    lats, lons = [city.lat for city in cities], [city.lon for city in cities]
    middle = (min(lons) + max(lons)) / 2, (min(lats) + max(lats)) / 2
    squeeze = max(cos(radians(middle[1])), 0.1)
    wide, high = (max(lons) - min(lons)) * squeeze, max(lats) - min(lats)
    scale = 1000 / max(wide, high, 1e-6)
    height = max(int(high * scale) + 300, 700)
    plan = Plan(WIDTH, height, middle, (middle[1], middle[1]), scale, {}, {})
    spots = list(plan.spots(cities).values())
    crowded = any(
        hypot(ax - bx, ay - by) < CROWDED for (ax, ay), (bx, by) in combinations(spots, 2)
    )
    return plan._replace(height=1100, cities=_ring(cities)) if crowded else plan


def _ring(cities: Sequence[City]) -> dict[CityId, Nudge]:
    turns = [2 * pi * n / len(cities) for n in range(len(cities))]
    return {
        city.id: NO_NUDGE._replace(at=(700 + 500 * sin(turn), 550 - 420 * cos(turn)))
        for city, turn in zip(cities, turns, strict=True)
    }
