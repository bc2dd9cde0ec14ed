"""Draws the results of an arena as SVG: shares of victories and ratings, with intervals."""

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from bots.standings import Duel
from cli.ratings import Rating
from engine.text import shortened

WIDE, LABELS, ROW = 720, 310, 26
LONGEST = 20
"""The most characters of a name that are shown; URLs may have more."""
PLOT = WIDE - LABELS - 70
INK, BAR, FAINT = "#222", "#4a7ba6", "#bbb"


def chart(heading: str, fought: Sequence[Duel], rated: Mapping[str, Rating]) -> str:
    """Return the whole picture as SVG."""
    rows = [*_shares(fought, 60), *_ratings(rated, 110 + ROW * len(fought))]
    high = 130 + ROW * (len(fought) + len(rated))
    frame = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE}" height="{high}" '
        f'viewBox="0 0 {WIDE} {high}" font-family="sans-serif" font-size="13" fill="{INK}">'
    )
    return "\n".join(
        [
            frame,
            f'<rect width="{WIDE}" height="{high}" fill="white"/>',
            _text(12, 24, heading),
            *rows,
            "</svg>\n",
        ]
    )


def _text(x: float, y: float, text: str, colour: str = INK) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}">{escape(text)}</text>'


def _span(low: float, high: float, y: float) -> str:
    return (
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}" '
        f'stroke="{INK}" stroke-width="2"/>'
    )


def _shares(fought: Sequence[Duel], top: int) -> Iterator[str]:
    """Yield a bar for each pair, with its interval, and a line at one half."""
    half = LABELS + PLOT / 2
    bottom = top + ROW * len(fought)
    yield _text(12, top - 10, "Games won by the first bot")
    yield f'<line x1="{half}" x2="{half}" y1="{top - 4}" y2="{bottom}" stroke="{FAINT}"/>'
    for at, duel in enumerate(fought):
        y = top + ROW * at
        low, high = duel.interval
        yield _text(12, y + 15, " against ".join(shortened(name, LONGEST) for name in duel.names))
        yield (
            f'<rect x="{LABELS}" y="{y + 3}" width="{PLOT * duel.share:.1f}" height="16" '
            f'fill="{BAR}"/>'
        )
        yield _span(LABELS + PLOT * low, LABELS + PLOT * high, y + 11)
        yield _text(LABELS + PLOT + 12, y + 15, f"{duel.share:.1%}")


def _ratings(rated: Mapping[str, Rating], top: int) -> Iterator[str]:
    """Yield a point for each bot, with its interval."""
    bounds = [bound for rating in rated.values() for bound in rating.interval]
    least, scale = min(bounds), PLOT / (max(bounds) - min(bounds))
    yield _text(12, top - 10, "Ratings")
    for at, (name, rating) in enumerate(rated.items()):
        y = top + ROW * at + 11
        low, middle, high = (
            LABELS + scale * (value - least)
            for value in (rating.interval[0], rating.rating, rating.interval[1])
        )
        yield _text(12, y + 4, shortened(name, LONGEST))
        yield _span(low, high, y)
        yield f'<circle cx="{middle:.1f}" cy="{y}" r="5" fill="{BAR}"/>'
        yield _text(LABELS + PLOT + 12, y + 4, f"{rating.rating:.0f}")
