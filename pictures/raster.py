"""Draws pictures as PNG, for mail."""

import io
from collections.abc import Collection, Mapping
from functools import lru_cache
from math import ceil, floor

import resvg_py
from PIL import Image

from engine import Board
from engine.values import CityId
from pictures import drawing, font_metrics
from pictures.drawing import Overlay
from pictures.labels import Box
from pictures.palette import Theme
from pictures.scene import EMPTY, Scene

WIDTH = 1400
TILES = 4096
"""How many rendered trains and stations are cached, about 2 kB each."""
PICTURES = 32
"""How many whole pictures are cached, about 400 kB each including their parts."""
FONT_FILES = [str(file) for file in font_metrics.FILES.values()]


def png(
    board: Board,
    table: Scene,
    *,
    theme: Theme = "light",
    last: Collection[str] = (),
    tickets: Mapping[CityId, bool] | None = None,
    width: int = WIDTH,
) -> bytes:
    """Draw the board as PNG, `width` pixels wide.

    Pictures are cached by exactly what is drawn on them, so a repeated request is cheap, and
    no seat gets a picture that shows what only another seat may see.
    """
    sheet, overlay = drawing.sheet_of(board, theme), Overlay(table, frozenset(last), tickets or {})
    empty = EMPTY._replace(names=("",) if table.names else ())
    ground = [sheet.ground, *sheet.routes.values(), *sheet.cities.values()]
    below = drawing.framed(sheet, empty, ground)
    above = drawing.framed(sheet, empty, [drawing.above(sheet, rolls=table.rolls)])
    pieces = tuple(drawing.moving(board, sheet, overlay))
    return packed(below, pieces, above, width, width / sheet.layout.width)


@lru_cache(maxsize=PICTURES)
def packed(
    below: str, pieces: tuple[tuple[str, Box], ...], above: str, width: int, scale: float
) -> bytes:
    """Return the PNG of the empty board with parts on it, and the names on top.

    Rasterising is slow, so the empty board is rasterised once, and so is every train and
    station. A palette of 256 colours keeps the file small.
    """
    whole = _still(below, width).copy()
    for drawn, box in pieces:
        left, top = floor(box[0] * scale), floor(box[1] * scale)
        size = ceil(box[2] * scale) - left, ceil(box[3] * scale) - top
        whole.alpha_composite(_opened(_tile(drawn, left, top, size, scale)), (left, top))
    whole.alpha_composite(_still(above, width))
    file = io.BytesIO()
    few = whole.convert("RGB").quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(file, "PNG", compress_level=6)
    return file.getvalue()


@lru_cache(maxsize=32)
def _still(drawn: str, width: int) -> Image.Image:
    """Return a part that stays the same, below or above the trains.

    Cached, so not to be changed.
    """
    return _opened(rastered(drawn, width))


@lru_cache(maxsize=TILES)
def _tile(drawn: str, left: int, top: int, size: tuple[int, int], scale: float) -> bytes:
    """Return a small part of a picture, aligned to the pixels of the whole."""
    x, y, wide, high = (part / scale for part in (left, top, *size))
    view = f'viewBox="{x:.4f} {y:.4f} {wide:.4f} {high:.4f}" width="{wide:.4f}" height="{high:.4f}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {view} font-family="{font_metrics.FAMILY}">'
    return rastered(f"{head}{drawn}</svg>", size[0])


def rastered(drawn: str, width: int) -> bytes:
    """Rasterise one of our SVGs, with the bundled fonts only."""
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawn,
            width=width,
            skip_system_fonts=True,
            font_files=FONT_FILES if "<text" in drawn else [],
            font_family=font_metrics.FAMILY,
            sans_serif_family=font_metrics.FAMILY,
        )
    )


def _opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data)).convert("RGBA")
