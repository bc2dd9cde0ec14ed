"""The board in words: complete, and narrow enough for every mail program."""

import pytest

from engine.values import FERRY, TUNNEL
from service.boards import atlas
from service.desk import Desk
from service.views import board_text, story
from service.views.story import Story
from tests.workers.correspondence import room

TABLES = [(name, variants) for name, variants, seats in atlas.tables() if seats == 2]


def told(desk: Desk, board: str, variants: tuple[str, ...] = (), moves: int = 90) -> Story:
    """A story of a game in progress."""
    here = room(desk, board, variants, seats=2)
    here.play(moves)
    found = story.of_account(desk, here.game, here.players[here.awaited])
    assert found is not None
    return found


@pytest.mark.parametrize(("board", "variants"), TABLES)
def test_no_line_is_too_long(desk: Desk, board: str, variants: tuple[str, ...]) -> None:
    """On every board no line is longer than 72 characters, and none is blank at its end."""
    lines = board_text.board_lines(told(desk, board, variants))

    assert lines
    assert [] == [line for line in lines if len(line) > 72 or line != line.rstrip()]


@pytest.mark.parametrize("board", atlas.board_ids())
def test_every_claimed_route_is_listed_by_its_owner(desk: Desk, board: str) -> None:
    """Each player's section has exactly the player's routes, by the names of their cities."""
    found = told(desk, board)
    cities = found.board.cities
    for seat, section in enumerate(board_text.board_text(found)[:2]):
        own = {
            "–".join(cities[city].name for city in found.board.routes[id].cities)
            for id, owners in found.scene.claimed.items()
            if seat in owners
        }
        assert found.scene.names[seat] in section.title
        assert own == {row.cities for row in section.rows}
    assert found.scene.claimed


def test_free_routes_are_free(desk: Desk) -> None:
    """Sections about tickets list only free routes, and all that a shortest way needs."""
    found = told(desk, "europe")
    sections = board_text.board_text(found)
    listed = {row.cities for section in sections[2:] for row in section.rows}
    names = {
        id: "–".join(found.board.cities[city].name for city in route.cities)
        for id, route in found.board.routes.items()
    }
    free = {name for id, name in names.items() if board_text._is_free(found, id)}
    needed = {names[id] for goal in found.tickets if not goal.done for id in goal.missing or ()}
    assert needed
    assert needed <= listed <= free


def test_a_track_that_somebody_has_is_not_free(desk: Desk) -> None:
    """Of a double route that a ticket needs, only the free tracks are listed."""
    found = told(desk, "usa", moves=2)
    doubles = [
        (id, twin)
        for goal in found.tickets
        for id in goal.missing or ()
        if (twin := found.board.routes[id].twin)
    ]
    assert doubles
    for id, twin in doubles:
        assert twin in {route.id for route in board_text._with_twins(found, [id])}
        taken = found._replace(scene=found.scene._replace(claimed={twin: [1 - found.seat]}))
        assert {id} == {route.id for route in board_text._with_twins(taken, [id])}


def test_tunnels_ferries_and_double_routes_are_marked(desk: Desk) -> None:
    """The notes of a route name its colour, kind and whether it has two tracks."""
    found = told(desk, "europe")
    for route in found.board.routes.values():
        notes = board_text._notes(found, route)
        assert (route.kind == TUNNEL) == ("tunnel" in notes)
        assert (route.kind == FERRY) == ("ferry" in notes)
        assert bool(route.twin) == ("double" in notes)


def test_stations_are_named(desk: Desk) -> None:
    """Every station is listed with its city and its owner."""
    found = told(desk, "europe", moves=150)
    assert found.scene.words
    text = "\n".join(board_text.board_lines(found))
    for city, words in found.scene.words.items():
        assert f"{found.board.cities[city].name}: {words}" in text


def test_a_long_name_is_cut(desk: Desk) -> None:
    """Names of players do not make a line too long."""
    found = told(desk, "usa")
    scene = found.scene._replace(names=["x" * 200, "y " * 100])
    lines = board_text.board_lines(found._replace(scene=scene))

    assert [] == [line for line in lines if len(line) > 72]
