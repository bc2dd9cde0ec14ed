"""Small shapes on spaces and trains, so that they can be told apart without colours.

A shape consists of polygons and discs around the middle of a space; the first coordinate of a
point runs along the space, the second across it.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple

from pictures.tracks import Point, Space

Polygon = Sequence[Point]


class Disc(NamedTuple):
    """A round piece of a shape."""

    along: float
    across: float
    radius: float


Shape = tuple[Polygon | Disc, ...]


def _box(left: float, top: float, right: float, bottom: float) -> Polygon:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _turned(shape: Polygon, turn: float) -> Polygon:
    return [(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)) for x, y in shape]


_PLUS = (_box(-4.5, -1.3, 4.5, 1.3), _box(-1.3, -4.5, 1.3, 4.5))
_STAR = [
    ((4.9 if n % 2 else 2.0) * sin(pi * n / 4), (4.9 if n % 2 else 2.0) * -cos(pi * n / 4))
    for n in range(1, 9)
]

COLOURS: dict[str, Shape] = {
    "purple": (((-4.6, 0), (0, -4.6), (4.6, 0), (0, 4.6)),),
    "blue": (Disc(0, 0, 3.4),),
    "orange": (((-4.4, 3.6), (0, -4.2), (4.4, 3.6)),),
    "white": (_box(-5, -1, 5, 1),),
    "green": _PLUS,
    "yellow": (_STAR,),
    "black": (_box(-3.2, -3.2, 3.2, 3.2),),
    "red": tuple(_turned(part, pi / 4) for part in _PLUS),
    "gray": (),
}
"""The shape on the spaces of each colour."""

LOCOMOTIVE: Shape = (
    _box(-6.2, -0.9, 3.2, 2.4),
    _box(-6.2, -4.4, -2.2, -0.6),
    _box(0.6, -3.8, 2.4, -0.6),
    Disc(-4.0, 3.3, 1.7),
    Disc(0.9, 3.3, 1.7),
    ((3.0, 0.0), (6.2, 2.9), (3.0, 2.9)),
)
"""The shape on a ferry's spaces for locomotives."""

PATTERNS: dict[str, Shape] = {
    "plain": (),
    "stripe": (_box(-1, -1.3, 1, 1.3),),
    "dots": (Disc(-0.45, 0, 2.3), Disc(0.45, 0, 2.3)),
    "bars": (_box(-0.58, -7.5, -0.42, 7.5), _box(0.42, -7.5, 0.58, 7.5)),
    "window": (_box(-0.3, -2.6, 0.3, 2.6),),
    "slash": (((-0.75, 7.5), (-0.25, 7.5), (0.75, -7.5), (0.25, -7.5)),),
    "rails": (_box(-1, -4.8, 1, -2.4), _box(-1, 2.4, 1, 4.8)),
    "wedge": (((-0.7, -6), (0.7, 0), (-0.7, 6)),),
}
"""The patterns on the trains of the seats; along a train, ±1 are its ends."""


def upright(space: Space) -> Space:
    """Return the same space, turned so that shapes on it are not upside down."""
    return space if cos(space.angle) >= -1e-9 else space._replace(angle=space.angle + pi)


def path(shape: Shape, space: Space) -> str:
    """Return a shape on a space, as the data of an SVG path."""
    return "".join(
        _disc(space, piece) if isinstance(piece, Disc) else polygon(space.at(*at) for at in piece)
        for piece in shape
    )


def patterned(pattern: str, space: Space) -> str:
    """Return a seat's pattern on a train, as the data of an SVG path."""
    half = space.along / 2
    stretched: Shape = tuple(
        piece._replace(along=piece.along * half)
        if isinstance(piece, Disc)
        else [(along * half, across) for along, across in piece]
        for piece in PATTERNS[pattern]
    )
    return path(stretched, space)


def polygon(points: Iterable[Point], *, exact: bool = True) -> str:
    """Return a closed line as SVG path data; inexact ones, for land, are rounded to whole units."""
    return line(points, exact=exact) + "z"


def line(points: Iterable[Point], *, exact: bool = True) -> str:
    """Return an open line as SVG path data, in relative steps, which are shortest."""
    unit = 0.1 if exact else 1.0
    whole = [(round(x / unit), round(y / unit)) for x, y in points]
    steps = ((bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(whole))
    drawn = ",".join(f"{_short(dx * unit)} {_short(dy * unit)}" for dx, dy in steps if dx or dy)
    return f"M{_short(whole[0][0] * unit)} {_short(whole[0][1] * unit)}l{drawn}"


def rounded(space: Space, across: float, radius: float, grown: float = 0.0) -> str:
    """Return a space with rounded corners."""
    x, y = space.along / 2 + grown, across / 2
    r = min(radius, x, y)
    corners = ((x, -y), (x, y), (-x, y), (-x, -y))
    starts = ((x - r, -y), (x, y - r), (r - x, y), (-x, r - y))
    ends = ((x, r - y), (x - r, y), (-x, y - r), (r - x, -y))
    at = _tenths(space.at(r - x, -y))
    drawn = [f"M{_short(at[0] / 10)} {_short(at[1] / 10)}"]
    for start, corner, end in zip(starts, corners, ends, strict=True):
        here, turn, there = (_tenths(space.at(*point)) for point in (start, corner, end))
        drawn.append(f"l{_step(at, here)}q{_step(here, turn)},{_step(here, there)}")
        at = there
    return "".join(drawn) + "z"


def _disc(space: Space, disc: Disc) -> str:
    (x, y), r = space.at(disc.along, disc.across), _short(disc.radius)
    half, there = f"{r} {r} 0 1 0", _short(2 * disc.radius)
    return f"M{_short(x - disc.radius)} {_short(y)}a{half} {there} 0 {half}-{there} 0z"


def _tenths(point: Point) -> tuple[int, int]:
    return round(point[0] * 10), round(point[1] * 10)


def _step(start: tuple[int, int], end: tuple[int, int]) -> str:
    return f"{_short((end[0] - start[0]) / 10)} {_short((end[1] - start[1]) / 10)}"


def number(value: float) -> str:
    """Return a number rounded to tenths."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _short(value: float) -> str:
    """Return a number rounded to tenths, without a leading zero."""
    text = number(value)
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
