"""Measures what an SVG picture covers, from the SVG itself and the real font."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import NamedTuple
from xml.etree import ElementTree as ET

from PIL import ImageFont

from pictures import font_metrics

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]


class Piece(NamedTuple):
    """A convex polygon, and the half width of its stroke."""

    points: Sequence[Point]
    around: float = 0.0


class Measured(NamedTuple):
    """What a picture covers: convex polygons of routes, cities and names."""

    width: float
    height: float
    routes: dict[str, list[Piece]]
    cities: dict[str, list[Piece]]
    names: dict[str, Piece]
    """Keyed by the text and the position of each line."""


def measured(drawn: str) -> Measured:
    """Measure an interactive picture."""
    root = ET.fromstring(drawn)  # noqa: S314  # our own
    groups = list(root.iter(f"{SVG}g"))
    names = next(group for group in groups if group.get("class") == "names")
    size = float(names.attrib["font-size"])
    return Measured(
        float(root.attrib["width"]),
        float(root.attrib["height"]),
        {
            group.attrib["data-route"]: list(_pieces(group))
            for group in groups
            if group.get("class") == "route"
        },
        {
            group.attrib["data-city"]: list(_pieces(group))
            for group in groups
            if group.get("class") == "city"
        },
        {
            f"{text.text} {text.attrib['x']} {text.attrib['y']}": _inked(text, size)
            for text in names
        },
    )


def overlaps(first: Piece, second: Piece) -> bool:
    """Whether two pieces share more than an edge, by the separating axis theorem."""
    thick = first.around + second.around - 0.1
    for points, _ in (first, second):
        for (ax, ay), (bx, by) in pairwise([*points, points[0]]):
            far = hypot(bx - ax, by - ay)
            dx, dy = (bx - ax) / (far or 1), (by - ay) / (far or 1)
            # Across an edge and along it, since a line has only one edge.
            for nx, ny in ((-dy, dx), (dx, dy)) if far else ():
                distances = [nx * x + ny * y for x, y in first.points]
                other = [nx * x + ny * y for x, y in second.points]
                if max(distances) + thick <= min(other) or max(other) + thick <= min(distances):
                    return False
    return True


def spaces(group: ET.Element) -> int:
    """The spaces or trains that a route shows: parts of its paths with a stroke and a fill."""
    return sum(
        path.attrib["d"].count("M")
        for path in group.iter(f"{SVG}path")
        if path.get("stroke") not in {None, "none"} and path.get("fill") != "none"
    )


def _pieces(group: ET.Element) -> Iterator[Piece]:
    """The visible pieces of a group, with their strokes."""
    for shape in group.iter():
        stroke = shape.get("stroke", "none")
        thick = float(shape.get("stroke-width", 0)) / 2 if stroke != "none" else 0.0
        if shape.tag == f"{SVG}circle":
            yield Piece(_round(*(float(shape.attrib[key]) for key in ("cx", "cy", "r"))), thick)
        elif shape.tag == f"{SVG}path" and (thick or shape.get("fill") != "none"):
            for points in _polygons(shape.attrib["d"]):
                if "z" in shape.attrib["d"]:
                    yield Piece(points, thick)
                else:
                    yield from (Piece(two, thick) for two in pairwise(points))


def _round(x: float, y: float, r: float) -> list[Point]:
    r /= cos(pi / 24)
    return [(x + r * cos(n * pi / 12), y + r * sin(n * pi / 12)) for n in range(24)]


def _polygons(data: str) -> Iterator[list[Point]]:
    """The polygons of a path; arcs become circles, and curves keep only their ends."""
    for piece in data.split("M")[1:]:
        points: list[Point] = []
        x = y = 0.0
        for command, arguments in re.findall(r"([Mlaqz])([^Mlaqz]*)", f"M{piece}"):
            numbers = [float(number) for number in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", arguments)]
            if command == "M":
                x, y = numbers
                points.append((x, y))
            elif command == "l":
                for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
                    x, y = x + dx, y + dy
                    points.append((x, y))
            elif command == "q":
                x, y = x + numbers[2], y + numbers[3]
                points.append((x, y))
            elif command == "a":
                points = _round(x + numbers[0], y, numbers[0])
        yield points


@cache
def font(size: float) -> ImageFont.FreeTypeFont:
    """The font of names, at ten times the size."""
    return ImageFont.truetype(str(font_metrics.FILES[True]), size * 10)


def _inked(text: ET.Element, size: float) -> Piece:
    """The box of a line's ink, as FreeType draws it."""
    words = text.text or ""
    left, top, right, bottom = (edge / 10 for edge in font(size).getbbox(words, anchor="ms"))
    x, y = float(text.attrib["x"]), float(text.attrib["y"])
    return box(x + left, y + top, x + right, y + bottom)


def box(left: float, top: float, right: float, bottom: float) -> Piece:
    """A rectangle."""
    return Piece([(left, top), (right, top), (right, bottom), (left, bottom)])
