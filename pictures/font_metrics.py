"""Measures the width of text with the bundled fonts."""

import struct
from functools import lru_cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
FAMILY = "DejaVu Sans"
FILES = {False: FONTS / "DejaVuSans.ttf", True: FONTS / "DejaVuSans-Bold.ttf"}
"""The font files for regular (False) and bold (True) text."""

ASCENT, DESCENT = 0.81, 0.24
"""How far letters reach above and below the baseline, in font sizes."""

Advances = tuple[dict[int, float], float]


def width(words: str, size: float, *, bold: bool = False) -> float:
    """Return the width of text at this size; missing letters count as replacement boxes."""
    advances, box = _advances(bold=bold)
    return size * sum(advances.get(ord(letter), box) for letter in words)


@lru_cache(maxsize=2)
def _advances(*, bold: bool) -> Advances:
    """Return the advance width of each letter at size 1, and that of missing letters."""
    data = FILES[bold].read_bytes()
    (number,) = struct.unpack_from(">H", data, 4)
    tables = {
        data[at : at + 4]: struct.unpack_from(">I", data, at + 8)[0]
        for at in range(12, 12 + 16 * number, 16)
    }
    (units,) = struct.unpack_from(">H", data, tables[b"head"] + 18)
    (counted,) = struct.unpack_from(">H", data, tables[b"hhea"] + 34)

    def advance(glyph: int) -> float:
        at = tables[b"hmtx"] + 4 * min(glyph, counted - 1)
        return int(struct.unpack_from(">H", data, at)[0]) / int(units)

    glyphs = _glyphs(data, tables[b"cmap"])
    return {letter: advance(glyph) for letter, glyph in glyphs.items()}, advance(0)


def _glyphs(data: bytes, cmap: int) -> dict[int, int]:
    """Return the glyph of each letter, from the font's cmap table in format 4."""
    (number,) = struct.unpack_from(">H", data, cmap + 2)
    starts = (struct.unpack_from(">I", data, cmap + 8 + 8 * n)[0] + cmap for n in range(number))
    at = next(start for start in starts if struct.unpack_from(">H", data, start)[0] == 4)
    (twice,) = struct.unpack_from(">H", data, at + 6)
    glyphs = {}
    for n in range(0, twice, 2):
        (last,) = struct.unpack_from(">H", data, at + 14 + n)
        (first,) = struct.unpack_from(">H", data, at + 16 + twice + n)
        (shift,) = struct.unpack_from(">h", data, at + 16 + 2 * twice + n)
        place = at + 16 + 3 * twice + n
        (jump,) = struct.unpack_from(">H", data, place)
        for letter in range(first, min(last, 0xFFFE) + 1):
            glyph = letter
            if jump:
                (glyph,) = struct.unpack_from(">H", data, place + jump + 2 * (letter - first))
            glyphs[letter] = (glyph + shift) % 0x10000
    return glyphs
