"""The strips below the board: what its signs mean, and who plays which trains."""

from collections.abc import Iterator
from html import escape

from engine.values import COLOURS, GRAY, Seat
from pictures import marks, metrics, rolling
from pictures.chart import Chart
from pictures.labels import Box
from pictures.marks import number
from pictures.palette import Palette
from pictures.scene import Scene
from pictures.tracks import Space

STRIP = 40
SIZE = 15.0
LEFT = 20.0
SAMPLE = 26.0
SIGNS = {"any colour": "plain", "ferry, with locomotive": "ferry", "tunnel": "tunnel"}


def height(table: Scene) -> int:
    """How much the strips add to a picture."""
    return STRIP * (2 if table.names else 1)


def key(palette: Palette, chart: Chart) -> Iterator[str]:
    """One sample of every colour and kind of route."""
    words = [*COLOURS, *SIGNS]
    texts = sum(metrics.width(word, SIZE) for word in words)
    gap = (chart.width - 2 * LEFT - texts - len(words) * (SAMPLE + 7)) / (len(words) - 1)
    x, y = LEFT, chart.height + STRIP / 2
    for word in words:
        yield _sample(word, Space(x + SAMPLE / 2, y, 0, SAMPLE), palette)
        yield _word(x + SAMPLE + 7, y, word, palette)
        x += SAMPLE + 7 + metrics.width(word, SIZE) + gap


def _sample(word: str, space: Space, palette: Palette) -> str:
    kind, colour = SIGNS.get(word, "plain"), word if word in COLOURS else GRAY
    drawn = rolling.slot(colour, kind, [space], palette)
    if kind == "ferry":
        return drawn + rolling.sign(marks.LOCOMOTIVE, [space], palette.words)
    return drawn + rolling.sign(marks.COLOURS[colour], [space], palette.paints[colour].mark)


def players(table: Scene, palette: Palette, chart: Chart) -> Iterator[str]:
    """Everybody's trains and name, one after the other."""
    for seat, name in enumerate(table.names):
        left, top, right, bottom = box(seat, table, chart)
        x, y = left + LEFT, (top + bottom) / 2 - 3
        said = _cut(f"{seat + 1} {name}", right - x - 50)
        yield rolling.train(seat, [Space(x + 20, y, 0, 40)], palette) + _word(
            x + 48, y, said, palette
        )


def box(seat: Seat, table: Scene, chart: Chart) -> Box:
    """Where a player is named."""
    top, wide = chart.height + STRIP, chart.width / len(table.names)
    return seat * wide, top, (seat + 1) * wide, top + STRIP


def strip(palette: Palette, chart: Chart) -> str:
    """Behind the key, and behind the players on pictures that are tall enough to name them."""
    return f'<path fill="{palette.strip}" d="M0 {chart.height}H{chart.width}v{2 * STRIP}H0z"/>'


def _word(x: float, y: float, word: str, palette: Palette) -> str:
    place = f'x="{number(x)}" y="{number(y + 5.5)}"'
    return f'<text {place} font-size="{number(SIZE)}" fill="{palette.words}">{escape(word)}</text>'


def _cut(words: str, room: float) -> str:
    """As much of a long name as there is room for."""
    if metrics.width(words, SIZE) <= room:
        return words
    while words and metrics.width(words + "…", SIZE) > room:
        words = words[:-1]
    return words.rstrip() + "…"
