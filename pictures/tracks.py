"""Places the spaces of a route along a curve, parallel to other tracks between its cities."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import atan2, cos, hypot, sin
from typing import NamedTuple

Point = tuple[float, float]

ACROSS = 15.0
"""The width of a space."""
APART = 19.0
"""The distance between the middles of parallel tracks."""
GAP = 4.0
"""The gap between two spaces of a route."""
ENDS = 15.0
"""The least distance from the middle of a city to the first space."""
CITY = 9.0
"""The radius of a city."""
LONGEST = 56.0
"""The greatest length of a space."""
STEPS = 24
"""How many straight segments approximate a curve for measuring."""
RAILS = 8
"""How many straight segments approximate a curve for drawing."""


class Space(NamedTuple):
    """A space of a route, which takes one train."""

    x: float
    y: float
    angle: float
    along: float
    """Its length."""

    def at(self, along: float, across: float) -> Point:
        """Return a point relative to the middle of the space."""
        c, s = cos(self.angle), sin(self.angle)
        return self.x + along * c - across * s, self.y + along * s + across * c

    def corners(self, across: float = ACROSS, grown: float = 0.0) -> tuple[Point, ...]:
        """Return the four corners, in order."""
        x, y = self.along / 2 + grown, across / 2
        return self.at(-x, -y), self.at(x, -y), self.at(x, y), self.at(-x, y)


class Track(NamedTuple):
    """A route on the picture."""

    line: tuple[Point, ...]
    """Its middle line, from the edge of one city to the edge of the other."""
    spaces: tuple[Space, ...]


def curve(start: Point, end: Point, bend: float) -> list[Point]:
    """Return a curve between two cities, which deviates by `bend` times its length."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    cx, cy = (ax + bx) / 2 - 2 * bend * dy, (ay + by) / 2 + 2 * bend * dx
    return [
        (
            (1 - t) ** 2 * ax + 2 * t * (1 - t) * cx + t * t * bx,
            (1 - t) ** 2 * ay + 2 * t * (1 - t) * cy + t * t * by,
        )
        for t in (n / STEPS for n in range(STEPS + 1))
    ]


def beside(line: Sequence[Point], aside: float) -> list[Point]:
    """Return a line parallel to another."""
    if not aside:
        return list(line)
    moved = []
    for n, (x, y) in enumerate(line):
        (ax, ay), (bx, by) = line[max(n - 1, 0)], line[min(n + 1, len(line) - 1)]
        far = hypot(bx - ax, by - ay) or 1.0
        moved.append((x - (by - ay) / far * aside, y + (bx - ax) / far * aside))
    return moved


def track(line: Sequence[Point], aside: float, length: int, ends: tuple[float, float]) -> Track:
    """Return a route of this length, parallel to a line, at these distances from its two ends."""
    line = beside(line, aside)
    whole = run(line)
    steps = (CITY + n * (whole - 2 * CITY) / RAILS for n in range(RAILS + 1))
    return Track(tuple(_at(line, far) for far in steps), tuple(_spaces(line, length, ends)))


def run(line: Iterable[Point]) -> float:
    """Return the length of a line."""
    return sum(hypot(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(line))


def shared(whole: float, length: int, ends: tuple[float, float]) -> tuple[float, float]:
    """Return where the first space of a line begins, and how long each is, centred if short."""
    first, last = (min(end, whole / 3) for end in ends)
    room = whole - first - last - GAP * (length - 1)
    along = min(room / length, LONGEST)
    return first + (room - along * length) / 2, along


def _spaces(line: Sequence[Point], length: int, ends: tuple[float, float]) -> Iterator[Space]:
    first, along = shared(run(line), length, ends)
    for n in range(length):
        start = first + n * (along + GAP)
        (ax, ay), (bx, by) = _at(line, start), _at(line, start + along)
        yield Space((ax + bx) / 2, (ay + by) / 2, atan2(by - ay, bx - ax), hypot(bx - ax, by - ay))


def _at(line: Sequence[Point], far: float) -> Point:
    """Return the point at a distance along a line."""
    for (ax, ay), (bx, by) in pairwise(line):
        piece = hypot(bx - ax, by - ay)
        if far <= piece:
            part = far / (piece or 1.0)
            return ax + part * (bx - ax), ay + part * (by - ay)
        far -= piece
    return line[-1]
