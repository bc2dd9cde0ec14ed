"""No name covers a route or another name, and no route covers a city or another route."""

from itertools import combinations

import pytest

import pictures
from engine import Board
from engine.display import Chip
from pictures import EMPTY, Scene
from pictures.layout import layout_of
from service.boards import atlas
from tests.pictures.measuring import Measured, box, measured, overlaps

BOARDS = atlas.board_ids()


def full(board: Board) -> Scene:
    """A scene with trains on every route, and stations, passengers and chips in every city."""
    seats = board.seats[1]
    return with_chips(board)._replace(
        claimed={route: [n % seats] for n, route in enumerate(board.routes)},
        pieces={city: n % seats for n, city in enumerate(board.cities)},
        pawns={city: [n % seats for n in range(4)] for city in board.cities},
    )


def with_chips(board: Board) -> Scene:
    """A scene with as many chips in every city as there is room for."""
    places = layout_of(board).labels.items()
    return EMPTY._replace(
        chips={city: [Chip("red", "4")] * label.chips for city, label in places if label.chips}
    )


def drawn(name: str, kind: str) -> Measured:
    """An empty board, or one with every route, station and ticket marked."""
    board = atlas.board(name)
    if kind != "full":
        scene = EMPTY if kind == "empty" else with_chips(board)
        return measured(pictures.svg(board, scene, interactive=True))
    marked = dict.fromkeys(board.cities, True)
    return measured(pictures.svg(board, full(board), tickets=marked, interactive=True))


def covering_names(measured: Measured) -> list[str]:
    """Names that overlap anything, or lie outside the picture."""
    wrong = []
    things = {**measured.routes, **measured.cities}
    for words, ink in measured.names.items():
        wrong += [
            f"{words} on {thing}"
            for thing, pieces in things.items()
            if any(overlaps(ink, piece) for piece in pieces)
        ]
        if not all(0 <= x <= measured.width and 0 <= y <= measured.height for x, y in ink.points):
            wrong.append(f"{words} outside")
    pairs = combinations(measured.names.items(), 2)
    return wrong + [f"{name} on {other}" for (name, a), (other, b) in pairs if overlaps(a, b)]


@pytest.mark.parametrize("kind", ["empty", "full"])
@pytest.mark.parametrize("board", BOARDS)
def test_no_name_covers_anything(board: str, kind: str) -> None:
    """No name overlaps a route, a city or another name, on an empty board or a full one."""
    assert [] == covering_names(drawn(board, kind))


@pytest.mark.parametrize("kind", ["empty", "full"])
@pytest.mark.parametrize("board", BOARDS)
def test_no_route_covers_another(board: str, kind: str) -> None:
    """No route overlaps another, on an empty board or a full one."""
    routes = drawn(board, kind).routes
    pairs = combinations(routes.items(), 2)
    assert [] == [
        f"{name} on {other}"
        for (name, first), (other, second) in pairs
        if any(overlaps(a, b) for a in first for b in second)
    ]


@pytest.mark.parametrize("kind", ["empty", "chips"])
@pytest.mark.parametrize("board", BOARDS)
def test_no_route_covers_a_city(board: str, kind: str) -> None:
    """No route overlaps a city or its chips, and every route is drawn."""
    measured, routes = drawn(board, kind), atlas.board(board).routes
    assert [] == [
        f"{route} on {city}"
        for route, pieces in measured.routes.items()
        for city, dots in measured.cities.items()
        if any(overlaps(a, b) for a in pieces for b in dots)
    ]
    assert set(routes) == set(measured.routes)


@pytest.mark.parametrize("board", BOARDS)
def test_a_name_in_the_way_is_noticed(board: str) -> None:
    """Planted fault: a name on a route is found."""
    measured = drawn(board, "empty")
    route, pieces = next(iter(measured.routes.items()))
    (x, y), words = pieces[0].points[0], next(iter(measured.names))
    there = measured._replace(names={**measured.names, words: box(x - 30, y - 6, x + 30, y + 6)})
    assert f"{words} on {route}" in covering_names(there)
