"""Finds places for the names of cities."""

from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import NamedTuple

from pictures import font_metrics
from pictures.tracks import ACROSS, Point, Space

SIZE = 17.0
"""The font size."""
LINE = 18.0
"""The distance between two lines."""
CLEAR = 16.0
"""The distance of a name from the middle of its city, to leave room for marks around it."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Label(NamedTuple):
    """A city's name on the picture."""

    x: float
    """The middle of the name and of each of its lines."""
    y: float
    lines: tuple[str, ...]

    @property
    def baselines(self) -> Iterator[float]:
        """The y coordinate of each line's baseline."""
        top = self.y - tall(self.lines) / 2 + font_metrics.ASCENT * SIZE
        return (top + n * LINE for n in range(len(self.lines)))

    @property
    def boxes(self) -> Iterator[Box]:
        """The bounding box of each line."""
        for words, base in zip(self.lines, self.baselines, strict=True):
            half = wide([words]) / 2
            yield (
                self.x - half,
                base - font_metrics.ASCENT * SIZE,
                self.x + half,
                base + font_metrics.DESCENT * SIZE,
            )


def wide(lines: Iterable[str]) -> float:
    """The width of a name."""
    return max(font_metrics.width(words, SIZE, bold=True) for words in lines)


def tall(lines: Sequence[str]) -> float:
    """The height of a name."""
    return LINE * (len(lines) - 1) + SIZE * (font_metrics.ASCENT + font_metrics.DESCENT)


def broken(name: str, lines: int) -> tuple[str, ...]:
    """A name split into one or two lines, so that the longer one is as short as possible."""
    words = name.split()
    if lines < 2 or len(words) < 2:
        return (name,)
    ways = ((" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words)))
    return min(ways, key=wide)


def places(name: str) -> Iterator[tuple[Point, int]]:
    """Possible places for a name, relative to its city, with the number of lines; best first."""
    for lines in (1, 2) if " " in name else (1,):
        shown = broken(name, lines)
        w, h = wide(shown) / 2, tall(shown) / 2
        for more in (0.0, 6.0, 14.0):
            side, over = CLEAR + w + more, CLEAR + h + more
            yield (side, 0.0), lines
            yield (-side, 0.0), lines
            for part in (0.0, 0.5, -0.5, 0.9, -0.9):
                yield (part * w, -over), lines
                yield (part * w, over), lines
            for dy in (-h - 2, h + 2):
                slant = side - CLEAR + max(CLEAR**2 - 36, 0.0) ** 0.5 - 3
                yield (slant, dy), lines
                yield (-slant, dy), lines


def best(
    name: str, spot: Point, spaces: Sequence[Space], taken: Sequence[Box], frame: Box
) -> Label:
    """The first place where a name covers nothing, or the place where it covers least."""

    def covered(label: Label) -> float:
        return sum(
            10 * (not _inside(box, frame))
            + sum(_shared(box, other) for other in taken)
            + sum(_near(box, space) for space in spaces)
            for box in label.boxes
        )

    candidates = []
    for (dx, dy), lines in places(name):
        label = Label(spot[0] + dx, spot[1] + dy, broken(name, lines))
        over = covered(label)
        if not over:
            return label
        candidates.append((over, label))
    return min(candidates)[1]


def _inside(box: Box, frame: Box) -> bool:
    return box[0] >= frame[0] and box[1] >= frame[1] and box[2] <= frame[2] and box[3] <= frame[3]


def _shared(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _near(box: Box, space: Space) -> bool:
    """Whether a space, approximated by a row of discs, may touch a box."""
    number = max(int(space.along / ACROSS), 2)
    for n in range(number + 1):
        x, y = space.at((n / number - 0.5) * space.along, 0)
        dx, dy = max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3])
        if hypot(dx, dy) < ACROSS * 0.8:
            return True
    return False
