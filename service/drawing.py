"""A plain picture of the board: what everybody at the table can see of it.

Cities lie where they lie on a globe seen from above their middle; a route is as many cars long as
it costs, in its own colour while it is free and in its owner's once it is claimed.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from math import cos, hypot, radians
from pathlib import Path
from typing import Any, NamedTuple

import resvg_py

from engine import Board
from engine.values import City, Route
from service import colours

FONTS = Path(__file__).parent / "fonts"
FONT_FILES = [str(FONTS / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]
FAMILY = "DejaVu Sans"

WIDTH = 1000
MARGIN = 48
FARTHEST = 0.12
"""A city farther out than this part of the map's width is drawn near its edge."""
TRACKS_APART = 9.0
KEPT = 64

PAPER, LAND, WORDS = "#f6f1e4", "#e9e1cd", "#2b2620"
INKS = {
    "purple": "#b76bc4",
    "blue": "#4f8fd8",
    "orange": "#ef9a3c",
    "white": "#ffffff",
    "green": "#6fae4e",
    "yellow": "#f4dc4a",
    "black": "#4a4a4a",
    "red": "#e0574f",
    "gray": "#b9b3a6",
}

Point = tuple[float, float]


class Scene(NamedTuple):
    """What is drawn on a board: all of it is public."""

    claimed: Mapping[str, Sequence[int]]
    """By route, whose trains stand there."""
    closed: Sequence[str]
    stations: Mapping[str, int]
    """By city, whose station stands there."""
    names: Sequence[str]


def scene_of(shown: Mapping[str, Any], names: Sequence[str]) -> Scene:
    """What of a view, as plain data, can be drawn."""
    stations = {city: row["seat"] for row in shown["seats"] for city in row.get("stations", ())}
    return Scene(shown["claimed"], shown["closed"], stations, names)


def described(board: Board, scene: Scene) -> str:
    """The same in a sentence, for those who cannot see the picture."""
    owners = [owner for some in scene.claimed.values() for owner in some]
    counted = ", ".join(
        f"{name} ({colours.of_seat(seat).name}) {owners.count(seat)}"
        for seat, name in enumerate(scene.names)
    )
    return f"Board {board.name}; routes claimed: {counted}."


def svg(board: Board, scene: Scene) -> str:
    """The board as SVG."""
    spots, height = _spots(board.digest, tuple(board.cities.values()))
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            f'width="{WIDTH}" height="{height}" font-family="{FAMILY}" role="img">'
        ),
        f"<title>{escape(described(board, scene))}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        *_routes(board, scene, spots),
        *_cities(board, scene, spots),
        *_legend(scene, height),
        "</svg>",
    ]
    return "".join(parts)


def png(drawn: str) -> bytes:
    """An SVG of ours as PNG, with the fonts that come with us and no others."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn,
            skip_system_fonts=True,
            font_files=FONT_FILES,
            font_family=FAMILY,
            sans_serif_family=FAMILY,
        )
    )


class Drawings:
    """The pictures that were drawn last, by game and version: several people want each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, tuple[str, ...]], bytes] = OrderedDict()

    def png(self, game: str, version: int, board: Board, scene: Scene) -> bytes:
        """The picture of a game at a version; names may change in between."""
        key = game, version, tuple(scene.names)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        drawn = png(svg(board, scene))
        with self._lock:
            self._kept[key] = drawn
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return drawn


@lru_cache(maxsize=32)
def _spots(digest: str, cities: tuple[City, ...]) -> tuple[dict[str, Point], int]:  # noqa: ARG001  # stands for the cities in the cache's key
    """Where each city lies on the paper, and how high that is."""
    middle = sorted(city.lat for city in cities)[len(cities) // 2]
    narrow = cos(radians(middle))
    xs = _drawn_in([city.lon * narrow for city in cities])
    ys = _drawn_in([-city.lat for city in cities])
    left, top = min(xs), min(ys)
    scale = (WIDTH - 2 * MARGIN) / (max(xs) - left)
    height = round((max(ys) - top) * scale) + 2 * MARGIN
    spots = {
        city.id: (MARGIN + (x - left) * scale, MARGIN + (y - top) * scale)
        for city, x, y in zip(cities, xs, ys, strict=True)
    }
    return spots, height + 40


def _drawn_in(values: Sequence[float]) -> list[float]:
    """The same, with those that lie far from all others drawn nearer: an ocean needs no paper."""
    order = sorted(values)
    near = order[1:-1]
    room = (near[-1] - near[0]) * FARTHEST
    return [min(max(value, near[0] - room), near[-1] + room) for value in values]


def _routes(board: Board, scene: Scene, spots: Mapping[str, Point]) -> Iterator[str]:
    beside: dict[frozenset[str], list[str]] = {}
    for route in board.routes.values():
        beside.setdefault(frozenset(route.cities), []).append(route.id)
    for route in board.routes.values():
        tracks = beside[frozenset(route.cities)]
        aside = (tracks.index(route.id) - (len(tracks) - 1) / 2) * TRACKS_APART
        owners = scene.claimed.get(route.id, ())
        yield from _track(route, spots, aside, owners, closed=route.id in scene.closed)


def _track(
    route: Route, spots: Mapping[str, Point], aside: float, owners: Sequence[int], *, closed: bool
) -> Iterator[str]:
    """A route as cars in a row, beside others between the same cities."""
    # In one order for all tracks between two cities, or they could lie on each other.
    (ax, ay), (bx, by) = (spots[city] for city in sorted(route.cities))
    length = hypot(bx - ax, by - ay) or 1.0
    dx, dy = (bx - ax) / length, (by - ay) / length
    ox, oy = -dy * aside, dx * aside
    gap, ends = 3.0, 9.0
    room = max(length - 2 * ends, 8.0)
    car = (room - gap * (route.length - 1)) / route.length
    for n in range(route.length):
        start = ends + n * (car + gap)
        x1, y1 = ax + dx * start + ox, ay + dy * start + oy
        x2, y2 = x1 + dx * car, y1 + dy * car
        place = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        if owners:
            ink = colours.of_seat(owners[n % len(owners)]).ink
            yield f'<line {place} stroke="#fff" stroke-width="11"/>'
            yield f'<line {place} stroke="{ink}" stroke-width="8.5"/>'
        else:
            yield from _free_car(route, place, n, closed=closed)


def _free_car(route: Route, place: str, n: int, *, closed: bool) -> Iterator[str]:
    faint = ' opacity="0.35"' if closed else ""
    edge = "#6d6558" if route.kind == "tunnel" else "#8d8576"
    dashed = ' stroke-dasharray="3 2"' if route.kind == "tunnel" else ""
    yield f'<line {place} stroke="{edge}" stroke-width="6.5"{dashed}{faint}/>'
    yield f'<line {place} stroke="{INKS[route.colour]}" stroke-width="4.5"{faint}/>'
    if n < route.locomotives:
        yield f'<line {place} stroke="{WORDS}" stroke-width="1.5" stroke-dasharray="2 2"{faint}/>'


def _cities(board: Board, scene: Scene, spots: Mapping[str, Point]) -> Iterator[str]:
    taken: list[tuple[float, float, float, float]] = []
    for city in board.cities.values():
        x, y = spots[city.id]
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="#fff" stroke="{WORDS}"/>'
        if (owner := scene.stations.get(city.id)) is not None:
            ink = colours.of_seat(owner).ink
            yield (
                f'<rect x="{x - 7:.1f}" y="{y - 7:.1f}" width="14" height="14" rx="3" '
                f'fill="{ink}" stroke="#fff" stroke-width="2"/>'
            )
    for city in board.cities.values():
        x, y = _label_at(city.name, spots[city.id], taken)
        yield (
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="13" font-weight="bold" fill="{WORDS}" '
            f'stroke="{PAPER}" stroke-width="3" paint-order="stroke">{escape(city.name)}</text>'
        )


def _label_at(name: str, spot: Point, taken: list[tuple[float, float, float, float]]) -> Point:
    """A place beside a city for its name, where no other name stands if there is one."""
    x, y = spot
    wide = len(name) * 8.3
    middle = x - wide / 2
    places = [(x + 9, y - 6), (middle, y - 11), (middle, y + 21), (x - 9 - wide, y - 6)]
    places += [(x + 9, y + 15), (x - 9 - wide, y + 15)]
    fitting = [at for at in places if at[0] >= 2 and at[0] + wide <= WIDTH - 2]
    for px, py in fitting:
        box = (px, py - 11, px + wide, py + 3)
        if not any(_overlap(box, other) for other in taken):
            break
    else:
        px, py = (fitting or places)[0]
        box = (px, py - 11, px + wide, py + 3)
    taken.append(box)
    return px, py


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _legend(scene: Scene, height: int) -> Iterator[str]:
    x, y = 16.0, height - 16
    yield f'<rect x="0" y="{height - 38}" width="{WIDTH}" height="38" fill="{LAND}"/>'
    for seat, name in enumerate(scene.names):
        ink = colours.of_seat(seat).ink
        said = f"{seat + 1} {name}"
        yield f'<rect x="{x:.1f}" y="{y - 12}" width="22" height="14" rx="3" fill="{ink}"/>'
        yield (
            f'<text x="{x + 28:.1f}" y="{y}" font-size="14" fill="{WORDS}">{escape(said)}</text>'
        )
        x += 52 + len(said) * 8.4
