"""Finds places for the names of cities, and for the chips that belong to them."""

from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import NamedTuple

from pictures import font_metrics
from pictures.tracks import ACROSS, Point, Space

SIZE = 17.0
"""The font size."""
LINE = 18.0
"""The distance between two lines."""
CHIP = 16.0
"""The width of a chip, and the height of a row of chips below a name."""
CHIP_GAP = 4.0
"""The distance between a name and a single chip after it."""
CLEAR = 16.0
"""The distance of a name from the middle of its city, to leave room for marks around it."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Label(NamedTuple):
    """A city's name on the picture."""

    x: float
    """The middle of the name and its chips."""
    y: float
    lines: tuple[str, ...]
    chips: int = 0
    """For how many chips there is room: one after the name, or a row of several below it."""

    @property
    def middle(self) -> float:
        """The x coordinate of the middle of each line."""
        return self.x - (CHIP + CHIP_GAP) / 2 if self.chips == 1 else self.x

    @property
    def baselines(self) -> Iterator[float]:
        """The y coordinate of each line's baseline."""
        top = self.y - tall(self.lines, self.chips) / 2 + font_metrics.ASCENT * SIZE
        return (top + n * LINE for n in range(len(self.lines)))

    def chip_spots(self, number: int) -> list[Point]:
        """Return the middles of so many chips, as far as there is room."""
        number = min(number, self.chips)
        if self.chips == 1:
            return [(self.x + wide(self.lines, 1) / 2 - CHIP / 2, self.y)][:number]
        y = self.y + (tall(self.lines, self.chips) - CHIP) / 2
        left = self.x - CHIP * (number - 1) / 2
        return [(left + n * CHIP, y) for n in range(number)]

    @property
    def boxes(self) -> Iterator[Box]:
        """The bounding box of each line."""
        for words, base in zip(self.lines, self.baselines, strict=True):
            half = wide([words]) / 2
            yield (
                self.middle - half,
                base - font_metrics.ASCENT * SIZE,
                self.middle + half,
                base + font_metrics.DESCENT * SIZE,
            )
        yield from (
            (x - CHIP / 2, y - CHIP / 2, x + CHIP / 2, y + CHIP / 2)
            for x, y in self.chip_spots(self.chips)
        )


def wide(lines: Iterable[str], chips: int = 0) -> float:
    """Return the width of a name with its chips."""
    words = max(font_metrics.width(words, SIZE, bold=True) for words in lines)
    return words + CHIP_GAP + CHIP if chips == 1 else max(words, chips * CHIP)


def tall(lines: Sequence[str], chips: int = 0) -> float:
    """Return the height of a name with its chips."""
    words = LINE * (len(lines) - 1) + SIZE * (font_metrics.ASCENT + font_metrics.DESCENT)
    return words + CHIP if chips > 1 else words


def broken(name: str, lines: int) -> tuple[str, ...]:
    """Return a name split into one or two lines, so that the longer one is as short as possible."""
    words = name.split()
    if lines < 2 or len(words) < 2:
        return (name,)
    ways = ((" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words)))
    return min(ways, key=wide)


def places(name: str, chips: int = 0) -> Iterator[tuple[Point, int]]:
    """Yield places for a name, relative to its city, with the number of lines; best first."""
    for lines in (1, 2) if " " in name else (1,):
        shown = broken(name, lines)
        w, h = wide(shown, chips) / 2, tall(shown, chips) / 2
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
    name: str,
    spot: Point,
    spaces: Sequence[Space],
    taken: Sequence[Box],
    frame: Box,
    chips: int = 0,
) -> Label:
    """Return the first place where a name covers nothing, or the place where it covers least."""

    def covered(label: Label) -> float:
        return sum(
            10 * (not _inside(box, frame))
            + sum(_shared(box, other) for other in taken)
            + sum(_near(box, space) for space in spaces)
            for box in label.boxes
        )

    candidates = []
    for (dx, dy), lines in places(name, chips):
        label = Label(spot[0] + dx, spot[1] + dy, broken(name, lines), chips)
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
    """Return whether a space, approximated by a row of discs, may touch a box."""
    number = max(int(space.along / ACROSS), 2)
    for n in range(number + 1):
        x, y = space.at((n / number - 0.5) * space.along, 0)
        dx, dy = max(box[0] - x, 0, x - box[2]), max(box[1] - y, 0, y - box[3])
        if hypot(dx, dy) < ACROSS * 0.8:
            return True
    return False
