"""`python -m tools.land PACKAGE`: writes `maps/<board>/land.json`, the outlines of land and lakes.

PACKAGE is the folder of the npm package `world-atlas`, which has Natural Earth's coastlines:

    npm pack world-atlas@2.0.2 && tar xzf world-atlas-2.0.2.tgz && python -m tools.land package

Outlines are clipped to what a board shows, and small bends and islands are left out. World-atlas
has no lakes, so `tools/lakes.json` has the large ones.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pictures.labels import Box
from pictures.outlines import clipped
from pictures.tracks import Point

Ring = Sequence[Point]
HALF = 180
"""Half of the globe, in degrees."""


class Cut(NamedTuple):
    """The part of the world that a board shows, and how detailed."""

    source: str
    box: Box
    """Degrees: west, south, east, north."""
    finest: float
    """Bends smaller than this many degrees are left out."""
    smallest: float
    """Islands and lakes smaller than this many square degrees are left out."""
    borders: tuple[str, ...] = ()
    """Countries whose borders are drawn; then there is land everywhere, and no coast."""


CUTS = {
    "usa": Cut("land-50m.json", (-140, 15, -52, 62), 0.07, 0.15),
    "europe": Cut("land-50m.json", (-30, 25, 62, 70), 0.06, 0.12),
    "uk": Cut("land-10m.json", (-22, 43, 14, 64), 0.035, 0.03),
    "nordic": Cut("land-50m.json", (-14, 48, 52, 76), 0.04, 0.06),
    "switzerland": Cut(
        "countries-10m.json", (3, 44, 14, 50), 0.006, 0.001, ("Switzerland", "Liechtenstein")
    ),
    "germany": Cut("land-10m.json", (0, 44, 20, 58), 0.02, 0.01),
}


def main(package: str) -> None:
    """Write the outlines of every board."""
    lakes = json.loads(Path("tools/lakes.json").read_text())["lakes"].values()
    for board, cut in CUTS.items():
        topology = json.loads((Path(package) / cut.source).read_text())
        rings_by_kind = {
            "land": _bordered(topology, cut) if cut.borders else [*_fitting(_rings(topology), cut)],
            "lakes": list(_fitting([[tuple(point) for point in ring] for ring in lakes], cut)),
        }
        path = Path("maps") / board / "land.json"
        path.write_text(_written(rings_by_kind))
        points = sum(len(ring) for rings in rings_by_kind.values() for ring in rings)
        print(f"{path}: {points} points, {path.stat().st_size} bytes")


def _written(rings_by_kind: dict[str, list[Ring]]) -> str:
    """Return JSON with one ring per line, so that diffs are readable."""
    parts = [
        f'"{kind}": [\n' + ",\n".join(json.dumps(ring, separators=(",", ":")) for ring in rings)
        for kind, rings in rings_by_kind.items()
    ]
    return "{" + "\n],\n".join(parts) + "\n]}\n"


def _bordered(topology: dict[str, Any], cut: Cut) -> list[Ring]:
    """Land everywhere, with borders on it.

    Land is filled by the even-odd rule: a ring that occurs twice is a line and changes nothing.
    """
    west, south, east, north = cut.box
    shapes = topology["objects"]["countries"]["geometries"]
    drawn = [shape for shape in shapes if shape["properties"]["name"] in cut.borders]
    rings = list(_fitting(_rings(topology | {"objects": {"land": {"geometries": drawn}}}), cut))
    return [[(west, south), (west, north), (east, north), (east, south)], *rings, *rings]


def _rings(topology: dict[str, Any]) -> Iterator[Ring]:
    """Yield the rings of all land in a TopoJSON file, holes included."""
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs: list[Ring] = []
    for arc in topology["arcs"]:
        x = y = 0
        line = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            line.append((x * sx + tx, y * sy + ty))
        arcs.append(line)
    for shape in topology["objects"]["land"]["geometries"]:
        for polygon in shape["arcs"]:
            for ring in polygon if shape["type"] == "MultiPolygon" else [polygon]:
                yield _unwrapped(
                    [point for n in ring for point in (arcs[n][:-1] if n >= 0 else arcs[~n][:0:-1])]
                )


def _unwrapped(ring: Ring) -> Ring:
    """Return the ring with longitudes beyond 180 degrees instead of jumps across the map."""
    turns, before, points = 0, ring[0][0], []
    for x, y in ring:
        turns += (before - x > HALF) - (x - before > HALF)
        before = x
        points.append((x + 2 * HALF * turns, y))
    home = 2 * HALF * round(sum(x for x, _ in points) / len(points) / (2 * HALF))
    return [(x - home, y) for x, y in points]


def _fitting(rings: Iterator[Ring] | Sequence[Ring], cut: Cut) -> Iterator[Ring]:
    for ring in rings:
        inside = clipped(ring, cut.box)
        if len(inside) < 4 or abs(_area(inside)) < cut.smallest:
            continue
        yield [(round(x, 2), round(y, 2)) for x, y in _simpler(inside, cut.finest)]


def _area(ring: Ring) -> float:
    return sum(ring[n - 1][0] * y - x * ring[n - 1][1] for n, (x, y) in enumerate(ring)) / 2


def _simpler(ring: Ring, finest: float) -> Ring:
    """Return the ring without bends too small to see (Douglas–Peucker)."""
    far = max(range(len(ring)), key=lambda n: _distance(ring[n], ring[0], ring[0]))
    halves = ring[: far + 1], [*ring[far:], ring[0]]
    return [point for half in halves for point in _straighter(half, finest)[:-1]]


def _straighter(line: Ring, finest: float) -> Ring:
    corners, open_ = {0, len(line) - 1}, [(0, len(line) - 1)]
    while open_:
        first, last = open_.pop()
        if last - first < 2:
            continue
        between = range(first + 1, last)
        far = max(between, key=lambda n: _distance(line[n], line[first], line[last]))
        if _distance(line[far], line[first], line[last]) > finest:
            corners.add(far)
            open_ += [(first, far), (far, last)]
    return [line[n] for n in sorted(corners)]


def _distance(point: Point, start: Point, end: Point) -> float:
    """Return the distance of a point from a line segment."""
    (px, py), (ax, ay), (bx, by) = point, start, end
    dx, dy = bx - ax, by - ay
    whole = dx * dx + dy * dy
    along = 0.0 if whole == 0 else max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / whole))
    return float(((px - ax - along * dx) ** 2 + (py - ay - along * dy) ** 2) ** 0.5)


if __name__ == "__main__":
    main(sys.argv[1])
