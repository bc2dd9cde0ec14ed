"""Pictures of boards as PNG."""

import io
from typing import Any

import pytest
from PIL import Image, ImageChops

import pictures
from pictures import EMPTY, drawing, raster
from pictures.palette import PALETTES, Theme
from service.boards import atlas
from tests.pictures.test_overlaps import full

BOARDS = atlas.board_ids()
NAMES = ("Ada", "Ben", "Cem", "Dora", "Eli")


def opened(data: bytes) -> Image.Image:
    """Decode a PNG."""
    return Image.open(io.BytesIO(data)).convert("RGB")


@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("board", BOARDS)
def test_a_full_board_is_still_small(board: str, theme: Theme) -> None:
    """A PNG is 1400 pixels wide and under 400 kB, even of a full board."""
    laid = atlas.board(board)
    crowd = full(laid)._replace(names=NAMES[: laid.seats[1]])
    data = pictures.png(laid, crowd, theme=theme, last=list(laid.routes)[:3])
    assert 1400 == opened(data).width
    assert len(data) < 400_000


@pytest.mark.parametrize("board", BOARDS)
def test_pieces_make_the_same_picture_as_the_whole(board: str) -> None:
    """A PNG composed of cached pieces looks like the whole SVG when rastered."""
    laid = atlas.board(board)
    crowd = full(laid)._replace(names=NAMES[: laid.seats[1]])
    routes = list(laid.routes)
    there = crowd._replace(
        claimed={id: crowd.claimed[id] for id in routes[::2]}, closed=routes[1:9:2], pieces={}
    )
    last, tickets = routes[:3], dict.fromkeys(list(laid.cities)[:5], False)
    whole = raster._opened(
        raster.rastered(drawing.svg(laid, there, last=last, tickets=tickets), 1400)
    ).convert("RGB")
    pieces = opened(pictures.png(laid, there, last=last, tickets=tickets))
    assert whole.size == pieces.size
    differing = ImageChops.difference(whole, pieces).convert("L").histogram()
    assert sum(differing[64:]) < 0.002 * whole.width * whole.height


def test_another_width() -> None:
    """Half the width gives half the height."""
    usa = atlas.board("usa")
    small = opened(pictures.png(usa, full(usa), width=700))
    large = opened(pictures.png(usa, full(usa)))
    assert (small.width, small.height) == (700, large.height // 2)


@pytest.mark.parametrize("board", BOARDS)
def test_words_are_really_drawn(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words are in the PNG: without the font files it differs."""
    laid = atlas.board(board)
    sheet = drawing.sheet_of(laid, "light")
    drawn = drawing.framed(sheet, EMPTY, [drawing.above(sheet, rolls=False)])
    with_words = opened(raster.rastered(drawn, 1400))
    monkeypatch.setattr(raster, "FONT_FILES", [])
    without = opened(raster.rastered(drawn, 1400))
    changed = ImageChops.difference(with_words, without).convert("L").histogram()
    assert sum(changed[64:]) > 5_000


def test_a_picture_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same picture comes from the cache; different options give different pictures."""
    usa = atlas.board("usa")
    raster.packed.cache_clear()
    tickets = {"miami": False}
    ways: list[dict[str, Any]] = [
        {},
        {"theme": "dark"},
        {"width": 700},
        {"tickets": tickets},
        {"tickets": {"miami": True}},
        {"last": list(usa.routes)[:1]},
    ]
    drawn = [pictures.png(usa, EMPTY, **way) for way in ways]
    assert len(ways) == len(set(drawn))
    monkeypatch.setattr(raster, "_still", lambda *_: 1 / 0)
    assert drawn == [pictures.png(usa, EMPTY, **way) for way in ways]
    assert (len(ways), len(ways)) == raster.packed.cache_info()[:2]


def test_only_so_many_pictures_are_remembered() -> None:
    """The cache holds PICTURES pictures, and drops the one that was unused for longest."""
    usa = atlas.board("usa")
    raster.packed.cache_clear()
    for route in list(usa.routes)[: raster.PICTURES + 1]:
        pictures.png(usa, EMPTY._replace(closed=[route]), width=40)
    pictures.png(usa, EMPTY._replace(closed=list(usa.routes)[:1]), width=40)
    cache = raster.packed.cache_info()
    assert (0, raster.PICTURES) == (cache.hits, cache.currsize)
