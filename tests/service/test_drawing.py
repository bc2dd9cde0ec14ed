"""The plain picture of the board."""

import re
import struct
import zlib
from xml.etree import ElementTree as ET

import pytest

from engine import shown
from service import atlas, drawing
from service.drawing import Drawings, Scene
from tests.playing import Table, played

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = ["usa", "europe", "uk"]


def scene(**more: object) -> Scene:
    """An empty board of three."""
    empty = Scene({}, (), {}, ("Ada", "Ben", "Cem"))
    return empty._replace(**more)  # type: ignore[arg-type]


def pixels(png: bytes) -> tuple[int, int, bytes]:
    """Width, height and the unpacked, still filtered rows of a PNG."""
    width, height = struct.unpack(">II", png[16:24])
    body, at = b"", 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            body += png[at + 8 : at + 8 + size]
        at += size + 12
    return width, height, zlib.decompress(body)


@pytest.mark.parametrize("board", BOARDS)
def test_everything_on_the_board_is_drawn(board: str) -> None:
    """Every city has its name inside the picture, and every route as many cars as it costs."""
    laid = atlas.board(board)
    root = ET.fromstring(drawing.svg(laid, scene()))  # noqa: S314  # our own
    width, height = (float(root.attrib[name]) for name in ("width", "height"))
    names = [text.text for text in root.iter(f"{SVG}text")]
    assert {city.name for city in laid.cities.values()} <= set(names)
    assert len(names) == len(laid.cities) + 3
    cars = sum(route.length for route in laid.routes.values())
    inside = root.findall(f"{SVG}line[@stroke-width='4.5']")
    assert cars == len(inside)
    for one in inside:
        assert 0 <= float(one.attrib["x1"]) <= width
        assert 0 <= float(one.attrib["y1"]) <= height


@pytest.mark.parametrize("board", BOARDS)
def test_no_two_routes_lie_on_each_other(board: str) -> None:
    """Tracks between the same cities lie side by side, in whatever order they name them."""
    drawn = drawing.svg(atlas.board(board), scene())
    cars = re.findall(r'<line (x1="[^>]*?y2="[^"]*")[^>]*stroke-width="4.5"', drawn)
    assert len(cars) == len(set(cars))


def test_a_claimed_route_has_its_owners_colour() -> None:
    """Thick and in the seat's ink; what nobody can claim any more is faint."""
    laid = atlas.board("usa")
    first, second = list(laid.routes)[:2]
    drawn = drawing.svg(laid, scene(claimed={first: [1]}, closed=[second]))
    assert laid.routes[first].length == drawn.count('stroke="#1455c0" stroke-width="8.5"')
    assert 'opacity="0.35"' in drawn


@pytest.mark.parametrize("board", BOARDS)
def test_words_are_really_drawn(board: str) -> None:
    """Without its names the picture is another: a renderer without a font says nothing."""
    whole = drawing.svg(atlas.board(board), scene())
    dumb = re.sub(r"<text.*?</text>", "", whole)
    with_words, without = drawing.png(whole), drawing.png(dumb)
    assert pixels(with_words)[:2] == pixels(without)[:2]
    changed = sum(a != b for a, b in zip(pixels(with_words)[2], pixels(without)[2], strict=True))
    assert changed > 20_000


def test_without_our_fonts_no_word_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: the renderer leaves all words out in silence, and the test above sees it."""
    monkeypatch.setattr(drawing, "FONT_FILES", [])
    whole = drawing.svg(atlas.board("usa"), scene())
    assert drawing.png(re.sub(r"<text.*?</text>", "", whole)) == drawing.png(whole)


def test_names_are_no_mark_up() -> None:
    """A player's name is written as it is, and is nothing but words."""
    drawn = drawing.svg(atlas.board("usa"), scene(names=("</svg><script>", "B & C", '"')))
    root = ET.fromstring(drawn)  # noqa: S314  # our own
    assert [] == list(root.iter(f"{SVG}script"))
    assert "1 </svg><script>" in [text.text for text in root.iter(f"{SVG}text")]


def test_a_picture_is_drawn_once() -> None:
    """The same game at the same version is remembered, another version is drawn anew."""
    drawings, laid = Drawings(), atlas.board("usa")
    first = drawings.png("game", 1, laid, scene())
    assert first is drawings.png("game", 1, laid, scene())
    route = next(iter(laid.routes))
    assert first != drawings.png("game", 2, laid, scene(claimed={route: [0]}))


@pytest.mark.parametrize(
    "table", [Table("europe", (), 5), Table("uk", ("advanced_technologies",), 3)], ids=str
)
def test_a_whole_game_can_be_drawn(table: Table) -> None:
    """Stations and claimed routes of a finished game are all in the picture."""
    game = played(table, 0).game
    seen = shown(table.rules, game.state)
    found = drawing.scene_of(seen, [f"Player {n}" for n in range(table.seats)])
    drawn = drawing.svg(table.rules.board, found)
    cars = sum(table.rules.board.routes[id].length for id in seen["claimed"])
    assert cars == drawn.count('stroke-width="8.5"')
    assert len(found.stations) == drawn.count('width="14" height="14"')
    assert "routes claimed: Player 0 (red) " in drawing.described(table.rules.board, found)
