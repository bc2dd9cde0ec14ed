"""The legend below the board: a key of its signs, and the players with their trains."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from engine.names import called
from engine.translate import say
from engine.values import COLOURS, FERRY, GRAY, PLAIN, TUNNEL, Route, Seat
from pictures import font_metrics, shapes, svg_parts
from pictures.labels import Box
from pictures.layout import Layout
from pictures.palette import Palette
from pictures.scene import Scene
from pictures.shapes import number
from pictures.tracks import Space

STRIP = 40
"""The height of the key, and of the row of players."""
SIZE = 15.0
"""The font size."""
LEFT = 20.0
"""The space on either side of the key."""
SAMPLE = 26.0
"""The length of a sample route in the key."""
LEAST_GAP, MOST_GAP = 8.0, 60.0
"""The least and greatest distance between the words of the key and the next sample."""


class Sign(NamedTuple):
    """A sample route in the key: it stands for all routes of this colour, or of this kind."""

    colour: str
    kind: str = PLAIN


KINDS = (Sign(GRAY, FERRY), Sign(GRAY, TUNNEL))


def signs(routes: Iterable[Route], *, rolls: bool = False) -> tuple[Sign, ...]:
    """Return the signs that a board has; where dice are rolled, colours mean nothing."""
    routes = list(routes)
    there = {route.colour for route in routes}, {route.kind for route in routes}
    colours = [Sign(colour) for colour in (*COLOURS, GRAY) if colour in there[0] and not rolls]
    return (*(colours or [Sign(GRAY)]), *(sign for sign in KINDS if sign.kind in there[1]))


def height(table: Scene) -> int:
    """Return the height that the legend adds to a picture."""
    return STRIP * (2 if table.names else 1)


def words(signs: Iterable[Sign], *, rolls: bool = False) -> tuple[str, ...]:
    """Return the text beside each sign of the key, in the reader's language."""
    return tuple(_meaning(sign, rolls=rolls) for sign in signs)


def _meaning(sign: Sign, *, rolls: bool) -> str:
    if sign.kind == FERRY:
        return say("ferry, with joker") if rolls else say("ferry, with locomotive")
    if sign.kind == TUNNEL:
        return say("tunnel")
    if sign.colour == GRAY:
        return say("the colours of routes do not matter") if rolls else say("any colour")
    return called(sign.colour)


def key(
    palette: Palette, layout: Layout, signs: Sequence[Sign], words: Sequence[str]
) -> Iterator[str]:
    """Yield a sample route for each sign with its name; smaller if the names are long."""
    texts = sum(font_metrics.width(word, SIZE) for word in words)
    room = layout.width - 2 * LEFT - len(words) * (SAMPLE + 7)
    gaps = max(1, len(words) - 1)
    most = room - LEAST_GAP * gaps
    size = SIZE if texts <= most else SIZE * most / texts
    gap = min((room - texts * size / SIZE) / gaps, MOST_GAP)
    x, y = LEFT, layout.height + STRIP / 2
    for (colour, kind), word in zip(signs, words, strict=True):
        yield _sample(colour, kind, Space(x + SAMPLE / 2, y, 0, SAMPLE), palette)
        yield _word(x + SAMPLE + 7, y, word, palette, size)
        x += SAMPLE + 7 + font_metrics.width(word, size) + gap


def _sample(colour: str, kind: str, space: Space, palette: Palette) -> str:
    drawn = svg_parts.slot(colour, kind, [space], palette)
    if kind == FERRY:
        return drawn + svg_parts.sign(shapes.LOCOMOTIVE, [space], palette.words)
    return drawn + svg_parts.sign(shapes.COLOURS[colour], [space], palette.paints[colour].mark)


def players(table: Scene, palette: Palette, layout: Layout) -> Iterator[str]:
    """Yield the trains and name of each player."""
    for seat, name in enumerate(table.names):
        left, top, right, bottom = box(seat, table, layout)
        x, y = left + LEFT, (top + bottom) / 2 - 3
        name_shown = _cut(f"{seat + 1} {name}", right - x - 50)
        yield svg_parts.train(table.looks[seat], [Space(x + 20, y, 0, 40)], palette) + _word(
            x + 48, y, name_shown, palette
        )


def box(seat: Seat, table: Scene, layout: Layout) -> Box:
    """Return the box of a player in the legend."""
    top, wide = layout.height + STRIP, layout.width / len(table.names)
    return seat * wide, top, (seat + 1) * wide, top + STRIP


def strip(palette: Palette, layout: Layout) -> str:
    """Return the background of the key, and of the players if they are named."""
    return f'<path fill="{palette.strip}" d="M0 {layout.height}H{layout.width}v{2 * STRIP}H0z"/>'


def _word(x: float, y: float, word: str, palette: Palette, size: float = SIZE) -> str:
    place = f'x="{number(x)}" y="{number(y + 5.5)}"'
    return f'<text {place} font-size="{number(size)}" fill="{palette.words}">{escape(word)}</text>'


def _cut(words: str, room: float) -> str:
    """Cut a long name with an ellipsis so that it fits."""
    if font_metrics.width(words, SIZE) <= room:
        return words
    while words and font_metrics.width(words + "…", SIZE) > room:
        words = words[:-1]
    return words.rstrip() + "…"
