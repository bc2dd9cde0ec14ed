"""`python -m tools.layout BOARD [STEPS [HEAT]]`: lays out a board so that nothing overlaps.

Starts from `maps/<board>/picture.toml`, moves cities, bends and names at random, keeps what is
better (simulated annealing), and rewrites the file. The cost is zero if spaces are long enough,
nothing overlaps, and cities are close to their real places.
"""

import sys
from collections.abc import Iterable, Sequence
from math import exp, hypot
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine import Board, MapError
from pictures import labels, plan
from pictures.junctions import ends_of, pairs_of
from pictures.plan import NO_NUDGE, Plan
from pictures.tracks import ENDS, GAP, LONGEST, Point, run, shared
from service.boards import atlas

NEXT = 8.0
"""The distance between the discs that approximate a track."""
CORNER = 2.5
"""The radius of the smaller discs in a track's corners."""
CELL = 24.0
"""The size of the cells in which discs are looked up."""
CITY = 16.0
"""The radius around a city that must stay free."""
SHORTEST = 28.0
"""The least desired length of a space."""
COLD = 0.02
"""The temperature at the end."""

Cell = tuple[int, int]
Disc = tuple[float, float, float]


class Name(NamedTuple):
    """The place of a city's name, relative to the city."""

    dx: float
    dy: float
    lines: int


class Layout:
    """The current place of everything, and its cost."""

    def __init__(self, board: Board, plan: Plan) -> None:
        self.board, self.plan = board, plan
        cities = tuple(board.cities.values())
        self.flat = {city.id: plan.flat(city.lon, city.lat) for city in cities}
        self.spots = dict(plan.spots(cities))
        self.fixed = {id for id, nudge in plan.cities.items() if nudge.at}
        self.pairs = {pair.name: pair for pair in pairs_of(list(board.routes.values()))}
        self.lanes = {name: tuple(pair.lanes) for name, pair in self.pairs.items()}
        self.radius = {
            name: pair.half - (len(pair.routes) - 1) * pair.apart / 2
            for name, pair in self.pairs.items()
        }
        self.length = {
            name: max(route.length for route in pair.routes) for name, pair in self.pairs.items()
        }
        self.of_city: dict[str, list[str]] = {id: [] for id in board.cities}
        for pair in self.pairs.values():
            for end in pair.ends:
                self.of_city[end].append(pair.name)
        self.bends = {name: plan.bends.get(name, 0.0) for name in self.pairs}
        self.names = {id: self._name(id) for id in board.cities}
        self.chips = {id: plan.cities.get(id, NO_NUDGE).chips for id in board.cities}
        self.sizes = {
            (city.id, lines): (labels.wide(shown, chips) / 2, labels.tall(shown, chips) / 2)
            for city in cities
            for chips in [self.chips[city.id]]
            for lines in (1, 2)
            for shown in [labels.broken(city.name, lines)]
        }
        self.grid: dict[Cell, list[tuple[str, float, float, float]]] = {}
        self.discs: dict[str, list[Disc]] = {}
        self.along: dict[str, float] = {}
        self.lines = {name: self.line(name) for name in self.pairs}
        self.ends: dict[tuple[str, str], float] = {}
        for id in board.cities:
            self.ends |= self.ends_at(id)
        for name in self.pairs:
            self.lay(name)

    def _name(self, id: str) -> Name:
        nudge = self.plan.cities.get(id, NO_NUDGE)
        if nudge.label:
            return Name(*nudge.label, nudge.lines)
        chips = self.plan.cities.get(id, NO_NUDGE).chips
        (dx, dy), lines = next(labels.places(self.board.cities[id].name, chips))
        return Name(dx, dy, lines)

    def line(self, name: str) -> list[Point]:
        """Return the curve of a pair, by its cities and its bend."""
        return self.pairs[name].line(self.spots, self.bends)

    def ends_at(self, id: str) -> dict[tuple[str, str], float]:
        """Return how far from a city each of its routes begins."""
        here = self.of_city[id]
        ends = ends_of([self.pairs[name].arm(id, self.lines[name]) for name in here])
        return {(name, id): end for name, end in zip(here, ends, strict=True)}

    def lay(self, name: str) -> None:
        """Place the discs of a pair along its line: a row for each track, and its corners."""
        for disc in self.discs.get(name, ()):
            self.grid[_cell(disc[0], disc[1])].remove((name, *disc))
        pair, line, discs = self.pairs[name], self.lines[name], []
        first, last = (self.ends[name, end] for end in pair.ends)
        whole, length, radius = run(line), self.length[name], self.radius[name]
        room = whole - first - last
        self.along[name] = (room - GAP * (length - 1)) / length
        first, along = shared(whole, length, (first, last))
        room = along * length + GAP * (length - 1)
        number = max(int(room / NEXT), 1)
        rows = [(first + 6 + n * (room - 12) / number, 0.0, radius) for n in range(number + 1)]
        for end in (first + CORNER, first + room - CORNER):
            rows += [(end, side * (radius - CORNER), CORNER) for side in (1, -1)]
        for lane in self.lanes[name]:
            for far, aside, size in rows:
                x, y = _beside(line, far / whole, lane + aside)
                discs.append((x, y, size))
        self.discs[name] = discs
        for disc in discs:
            self.grid.setdefault(_cell(disc[0], disc[1]), []).append((name, *disc))

    def cost(self, cities: Iterable[str], pairs: Iterable[str]) -> float:
        """Return the cost of these cities, their names and these pairs."""
        return sum(self._city(id) + self._label(id) for id in cities) + sum(map(self._pair, pairs))

    def _pair(self, name: str) -> float:
        pair, along = self.pairs[name], self.along[name]
        cost = 300 * len(pair.routes) * self.bends[name] ** 2
        if abs(self.bends[name]) > 0.2:
            cost += 800 * (abs(self.bends[name]) - 0.2) ** 2
        cost += sum(0.02 * (self.ends[name, end] - ENDS) ** 2 for end in pair.ends)
        if along < SHORTEST:
            cost += 1.5 * self.length[name] * (SHORTEST - along) ** 2
        elif along > LONGEST:
            cost += 0.01 * self.length[name] * (along - LONGEST) ** 2
        discs = self.discs[name]
        left, right = min(disc[0] for disc in discs) - 32, max(disc[0] for disc in discs) + 32
        top, bottom = min(disc[1] for disc in discs) - 32, max(disc[1] for disc in discs) + 32
        cities = [
            (cx, cy)
            for id, (cx, cy) in self.spots.items()
            if left < cx < right and top < cy < bottom and id not in pair.ends
        ]
        boxes = [
            box
            for box in map(self.box, self.spots)
            if box[0] < right and box[2] > left and box[1] < bottom and box[3] > top
        ]
        for x, y, radius in discs:
            cost += self._disc(name, radius, x, y)
            for cx, cy in cities:
                over = CITY + radius + 1 - hypot(cx - x, cy - y)
                cost += over * over if over > 0 else 0
            for box in boxes:
                over = radius + 3 - _gap(box, x, y)
                cost += 2 * over * over if over > 0 else 0
        return cost

    def _disc(self, name: str, radius: float, x: float, y: float) -> float:
        cost, (cx, cy) = 0.0, _cell(x, y)
        for i in (cx - 1, cx, cx + 1):
            for j in (cy - 1, cy, cy + 1):
                for other, ox, oy, size in self.grid.get((i, j), ()):
                    if other != name:
                        over = radius + size + 1.5 - hypot(ox - x, oy - y)
                        cost += over * over if over > 0 else 0
        return cost

    def box(self, id: str) -> labels.Box:
        """Return the bounding box of a city's name."""
        (x, y), name = self.spots[id], self.names[id]
        half, tall = self.sizes[id, name.lines]
        x, y = x + name.dx, y + name.dy
        return x - half, y - tall, x + half, y + tall

    def _city(self, id: str) -> float:
        (x, y), (fx, fy) = self.spots[id], self.flat[id]
        cost = 0.0
        if id not in self.fixed:
            mx, my = x - fx, y - fy
            cost += 0.0015 * (mx * mx + my * my)
            for name in self.of_city[id]:
                for other in self.pairs[name].ends:
                    if other != id and other not in self.fixed:
                        ox, oy = (
                            self.spots[other][0] - self.flat[other][0],
                            self.spots[other][1] - self.flat[other][1],
                        )
                        cost += 0.002 * ((mx - ox) ** 2 + (my - oy) ** 2)
        for edge in (x - 30, y - 30, self.plan.width - 30 - x, self.plan.height - 30 - y):
            cost += 5 * edge * edge if edge < 0 else 0
        for other, (ox, oy) in self.spots.items():
            if other != id:
                over = 45 - hypot(ox - x, oy - y)
                cost += over * over if over > 0 else 0
        return cost

    def _label(self, id: str) -> float:
        box, name = self.box(id), self.names[id]
        gap = _gap(box, *self.spots[id])
        cost = 1.5 * (name.lines - 1)
        cost += 4 * (16 - gap) ** 2 if gap < 16 else 0.3 * (gap - 17) ** 2 if gap > 17 else 0
        cost += 0.0004 * min(abs(name.dx), 60) * abs(name.dy)  # prefer beside or above
        inside = (
            box[0] - 8,
            box[1] - 6,
            self.plan.width - 8 - box[2],
            self.plan.height - 6 - box[3],
        )
        cost += sum(10 * edge * edge for edge in inside if edge < 0)
        for other, (cx, cy) in self.spots.items():
            if other == id:
                continue
            over = CITY + 3 - _gap(box, cx, cy)
            cost += 2 * over * over if over > 0 else 0
            other_box = self.box(other)
            wide = min(box[2], other_box[2]) - max(box[0], other_box[0]) + 6
            tall = min(box[3], other_box[3]) - max(box[1], other_box[1]) + 3
            if wide > 0 and tall > 0:
                cost += 4 * min(wide, tall) ** 2
        left, top = _cell(box[0] - 14, box[1] - 14)
        right, bottom = _cell(box[2] + 14, box[3] + 14)
        for i in range(left, right + 1):
            for j in range(top, bottom + 1):
                for _, x, y, size in self.grid.get((i, j), ()):
                    over = size + 3 - _gap(box, x, y)
                    cost += 2 * over * over if over > 0 else 0
        return cost

    def whole(self) -> float:
        """Return the total cost."""
        return self.cost(self.board.cities, self.pairs)


def _cell(x: float, y: float) -> Cell:
    return int(x // CELL), int(y // CELL)


def _beside(line: Sequence[Point], part: float, aside: float) -> Point:
    """Return the point at this fraction of a line, at a distance beside it."""
    at = part * (len(line) - 1)
    left = min(max(int(at), 0), len(line) - 2)
    (ax, ay), (bx, by), at = line[left], line[left + 1], at - left
    far = hypot(bx - ax, by - ay) or 1.0
    return (
        ax + at * (bx - ax) - (by - ay) / far * aside,
        ay + at * (by - ay) + (bx - ax) / far * aside,
    )


def _gap(box: labels.Box, x: float, y: float) -> float:
    """Return the distance of a point from a box; negative inside."""
    dx, dy = max(box[0] - x, x - box[2]), max(box[1] - y, y - box[3])
    if dx < 0 and dy < 0:
        return max(dx, dy)
    return hypot(max(dx, 0.0), max(dy, 0.0))


def shaken(layout: Layout, steps: int, hot: float, rng: Random) -> None:
    """Try small changes; keep those that are better, and worse ones less and less often."""
    cities = [id for id in layout.board.cities if id not in layout.fixed]
    everywhere, pairs = list(layout.board.cities), list(layout.pairs)
    for step in range(steps):
        warm = hot * (COLD / hot) ** (step / steps)
        wide = 1.0 + min(hot, 9) * (1 - step / steps)
        kind = rng.random()
        if kind < 0.4:
            _shake_city(layout, rng.choice(cities), wide, warm, rng)
        elif kind < 0.7:
            _shake_bend(layout, rng.choice(pairs), wide, warm, rng)
        else:
            _shake_name(layout, rng.choice(everywhere), wide, warm, rng)
        if step % 5000 == 0:
            print(f"{step:>7} {layout.whole():10.1f}", flush=True)


def _accepts(before: float, after: float, warm: float, rng: Random) -> bool:
    return after <= before or rng.random() < exp((before - after) / warm)


def _shake_city(layout: Layout, id: str, wide: float, warm: float, rng: Random) -> None:
    x, y = layout.spots[id]
    new = x + rng.gauss(0, wide), y + rng.gauss(0, wide)
    _tried(layout, {id: new}, {}, layout.of_city[id], warm, rng)


def _shake_bend(layout: Layout, name: str, wide: float, warm: float, rng: Random) -> None:
    new = layout.bends[name] + rng.gauss(0, 0.01 * wide) if rng.random() < 0.8 else 0.0
    _tried(layout, {}, {name: new}, [name], warm, rng)


def _tried(
    layout: Layout,
    spots: dict[str, Point],
    bends: dict[str, float],
    touched: Sequence[str],
    warm: float,
    rng: Random,
) -> None:
    """Move cities and bend pairs, and undo it if that is worse."""
    old_spots = {id: layout.spots[id] for id in spots}
    old_bends = {name: layout.bends[name] for name in bends}
    old_lines = {name: layout.lines[name] for name in touched}
    layout.spots |= spots
    layout.bends |= bends
    layout.lines |= {name: layout.line(name) for name in touched}
    cities = {end for name in touched for end in layout.pairs[name].ends}
    new_ends = {key: end for id in cities for key, end in layout.ends_at(id).items()}
    old_ends = {key: layout.ends[key] for key in new_ends}
    moved = {name for name, id in new_ends if abs(new_ends[name, id] - old_ends[name, id]) > 0.3}
    moved |= set(touched)
    layout.spots |= old_spots
    layout.bends |= old_bends
    before = layout.cost(spots, moved)
    layout.spots |= spots
    layout.bends |= bends
    layout.ends |= new_ends
    for name in moved:
        layout.lay(name)
    if not _accepts(before, layout.cost(spots, moved), warm, rng):
        layout.spots |= old_spots
        layout.bends |= old_bends
        layout.ends |= old_ends
        layout.lines |= old_lines
        for name in moved:
            layout.lay(name)


def _shake_name(layout: Layout, id: str, wide: float, warm: float, rng: Random) -> None:
    old, before = layout.names[id], layout.cost([id], [])
    if rng.random() < 0.5:
        (dx, dy), lines = rng.choice(
            list(labels.places(layout.board.cities[id].name, layout.chips[id]))
        )
        layout.names[id] = Name(dx, dy, lines)
    else:
        layout.names[id] = old._replace(
            dx=old.dx + rng.gauss(0, wide), dy=old.dy + rng.gauss(0, wide)
        )
    if not _accepts(before, layout.cost([id], []), warm, rng):
        layout.names[id] = old


def _written(layout: Layout, head: str) -> str:
    lines = [head.rstrip(), "", "[cities]"]
    for id in sorted(layout.board.cities):
        (x, y), (fx, fy), name = layout.spots[id], layout.flat[id], layout.names[id]
        where = (
            f"at = [{x:.0f}, {y:.0f}]"
            if id in layout.fixed
            else f"move = [{x - fx:.0f}, {y - fy:.0f}]"
        )
        more = ", lines = 2" if name.lines == 2 else ""
        more += f", chips = {layout.chips[id]}" if layout.chips[id] else ""
        lines.append(f"{id} = {{ {where}, label = [{name.dx:.0f}, {name.dy:.0f}]{more} }}")
    lines += ["", "[bends]"]
    lines += [
        f"{name} = {bend:.2f}" for name, bend in sorted(layout.bends.items()) if abs(bend) >= 0.005
    ]
    return "\n".join(lines).replace("-0,", "0,").replace("-0]", "0]") + "\n"


def main(id: str, steps: int = 60_000, hot: int = 30) -> None:
    """Lay out a board, and write its plan back to picture.toml."""
    try:
        board = atlas.board(id)
        id = board.pictured
        board_plan = plan.read(id)
    except MapError as error:
        sys.exit(str(error))
    path = Path(str(plan.file_of(id)))
    if board_plan is None:
        sys.exit(f"Write {path} first: width, height, middle, parallels and scale.")
    layout = Layout(board, board_plan)
    shaken(layout, steps, hot, Random(id))
    print(f"  final {layout.whole():10.1f}")
    head = path.read_text(encoding="utf-8").split("\n[")[0]
    path.write_text(_written(layout, head), encoding="utf-8")


if __name__ == "__main__":
    if not sys.argv[1:] or not all(word.isdecimal() for word in sys.argv[2:4]):
        sys.exit("usage: python -m tools.layout BOARD [STEPS [HEAT]]")
    main(sys.argv[1], *map(int, sys.argv[2:4]))
