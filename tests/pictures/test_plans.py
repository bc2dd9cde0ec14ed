"""Plans of pictures, and boards without a plan."""

from itertools import combinations
from math import hypot
from typing import Any

import pytest

import pictures
from engine import Board, MapError, board_of
from pictures import EMPTY, font_metrics, plan
from pictures.junctions import pairs_of
from pictures.layout import layout_of
from service.boards import atlas
from tests.pictures.measuring import font, measured
from tests.pictures.test_overlaps import covering_names

BOARDS = atlas.board_ids()
HEAD = {"width": 9, "height": 9, "middle": [0, 0], "parallels": [1, 2], "scale": 3}


def toy(*spots: tuple[float, float]) -> Board:
    """A board of a few cities in a ring, at these longitudes and latitudes."""
    names = ["ash", "beech", "cedar", "elm", "fir", "oak"][: len(spots)]
    cities = [
        {"id": name, "name": name.title(), "lon": lon, "lat": lat}
        for name, (lon, lat) in zip(names, spots, strict=True)
    ]
    routes = [
        {"id": f"{a}-{b}", "cities": [a, b], "length": 2, "colour": "gray"}
        for a, b in zip(names, names[1:] + names[:1], strict=True)
    ]
    body: dict[str, Any] = {**atlas.source("usa"), "id": "toy", "cities": cities, "routes": routes}
    ticket = {"id": "t-t", "cities": names[:2], "points": 1, "decks": ["regular"]}
    return board_of({**body, "tickets": [ticket]})


@pytest.mark.parametrize("board", BOARDS)
def test_a_plan_speaks_of_its_board_alone(board: str) -> None:
    """A plan places every city and its name, and names no other city or route."""
    its_board = atlas.board(board)
    its_plan = plan.read(its_board.pictured)
    assert its_plan
    assert set(its_board.cities) == set(its_plan.cities)
    assert all(nudge.label for nudge in its_plan.cities.values())
    assert set(its_plan.bends) <= {pair.name for pair in pairs_of(list(its_board.routes.values()))}


@pytest.mark.parametrize("board", BOARDS)
def test_spaces_are_long_enough_for_a_train(board: str) -> None:
    """Every space is between 24 and 100 units long."""
    lengths = [
        space.along
        for track in layout_of(atlas.board(board)).tracks.values()
        for space in track.spaces
    ]
    assert min(lengths) > 24
    assert max(lengths) < 100


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ({**HEAD, "colour": "red"}, "picture.colour"),
        ({**HEAD, "scale": "big"}, "picture.scale"),
        ({**HEAD, "middle": [1]}, "picture.middle"),
        ({**HEAD, "cities": {"rome": {"shift": [1, 2]}}}, "picture.cities.rome.shift"),
        ({**HEAD, "cities": {"rome": {"move": [1, 2, 3]}}}, "picture.cities.rome.move"),
        ({**HEAD, "bends": {"rome-oslo": "left"}}, "picture.bends.rome-oslo"),
        ({"width": 9}, "picture.height"),
    ],
)
def test_a_plan_is_read_strictly(data: dict[str, Any], place: str) -> None:
    """An unknown key, a wrong type or a missing key is refused with its place."""
    with pytest.raises(MapError) as refused:
        plan.plan_of(data)
    assert place in str(refused.value)


@pytest.mark.parametrize(
    "spots",
    [
        [(1.3, 51.3), (0.9, 51.9), (1.6, 52.4)],
        [(0, 0)] * 6,
        [(10, 0), (20, 0), (30, 0)],
        [(170, -40), (171, -41), (172, -42), (174, -44)],
        [(0, 0), (0, 90), (90, -90)],
    ],
)
def test_a_board_without_a_plan_is_drawn_all_the_same(spots: list[tuple[float, float]]) -> None:
    """Without a plan, cities lie apart and inside the picture, and no name covers anything."""
    board = toy(*spots)
    laid = layout_of(board)
    for x, y in laid.spots.values():
        assert 0 < x < laid.width
        assert 0 < y < laid.height
    places = combinations(laid.spots.values(), 2)
    assert all(hypot(ax - bx, ay - by) > 50 for (ax, ay), (bx, by) in places)
    assert [] == covering_names(measured(pictures.svg(board, EMPTY, interactive=True)))
    assert pictures.png(board, EMPTY)


def test_words_are_as_wide_as_the_font_says() -> None:
    """Our text widths agree with those of FreeType."""
    for words in ("Constantinople", "København", "Sault St. Marie", "Zágráb"):
        assert abs(font_metrics.width(words, 17, bold=True) - font(17).getlength(words) / 10) < 1
