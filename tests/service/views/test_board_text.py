"""The board in words: whose the routes are, which are free, and what is special about them."""

import pytest

from engine.values import FERRY, TUNNEL
from service.boards import atlas
from service.desk import Desk
from service.views import board_text, story
from service.views.story import Story
from tests.workers.correspondence import room


def story_of(desk: Desk, board: str, variants: tuple[str, ...] = (), moves: int = 90) -> Story:
    """A story of a game in progress."""
    here = room(desk, board, variants, seats=2)
    here.play(moves)
    seat_story = story.of_account(desk, here.game, here.players[here.awaited])
    assert seat_story is not None
    return seat_story


@pytest.mark.parametrize("board", atlas.board_ids())
def test_every_claimed_route_is_listed_by_its_owner(desk: Desk, board: str) -> None:
    """Each player's section has exactly the player's routes, by the names of their cities."""
    seat_story = story_of(desk, board)
    cities = seat_story.board.cities
    for seat, section in enumerate(board_text.board_text(seat_story)[:2]):
        own = {
            "–".join(cities[city].name for city in seat_story.board.routes[id].cities)
            for id, owners in seat_story.scene.claimed.items()
            if seat in owners
        }
        assert seat_story.scene.names[seat] in section.title
        assert own == {row.cities for row in section.rows}
    assert seat_story.scene.claimed


def test_free_routes_are_free(desk: Desk) -> None:
    """Sections about tickets list only free routes, and all that a shortest way needs."""
    seat_story = story_of(desk, "europe")
    sections = board_text.board_text(seat_story)
    listed = {row.cities for section in sections[2:] for row in section.rows}
    names = {
        id: "–".join(seat_story.board.cities[city].name for city in route.cities)
        for id, route in seat_story.board.routes.items()
    }
    free = {name for id, name in names.items() if board_text._is_free(seat_story, id)}
    needed = {
        names[id] for goal in seat_story.tickets if not goal.done for id in goal.missing or ()
    }
    assert needed
    assert needed <= listed <= free


def test_a_track_that_somebody_has_is_not_free(desk: Desk) -> None:
    """Of a double route that a ticket needs, only the free tracks are listed."""
    seat_story = story_of(desk, "usa", moves=2)
    doubles = [
        (id, twin)
        for goal in seat_story.tickets
        for id in goal.missing or ()
        if (twin := seat_story.board.routes[id].twin)
    ]
    assert doubles
    for id, twin in doubles:
        assert twin in {route.id for route in board_text._with_twins(seat_story, [id])}
        taken = seat_story._replace(
            scene=seat_story.scene._replace(claimed={twin: [1 - seat_story.seat]})
        )
        assert {id} == {route.id for route in board_text._with_twins(taken, [id])}


def test_tunnels_ferries_and_double_routes_are_marked(desk: Desk) -> None:
    """The notes of a route name its colour, kind and whether it has two tracks."""
    seat_story = story_of(desk, "europe")
    for route in seat_story.board.routes.values():
        notes = board_text._notes(seat_story, route)
        assert (route.kind == TUNNEL) == ("tunnel" in notes)
        assert (route.kind == FERRY) == ("ferry" in notes)
        assert bool(route.twin) == ("double" in notes)


def test_stations_are_named(desk: Desk) -> None:
    """Every station is listed with its city and its owner."""
    seat_story = story_of(desk, "europe", moves=150)
    assert seat_story.scene.words
    lines = [line for section in board_text.board_text(seat_story) for line in section.sentences]
    for city, words in seat_story.scene.words.items():
        assert f"{seat_story.board.cities[city].name}: {words}" in lines


def test_a_long_name_is_cut(desk: Desk) -> None:
    """Names of players do not make a heading long."""
    seat_story = story_of(desk, "usa")
    scene = seat_story.scene._replace(names=["x" * 200, "y " * 100])
    sections = board_text.board_text(seat_story._replace(scene=scene))

    assert [] == [section.title for section in sections if len(section.title) > 80]
