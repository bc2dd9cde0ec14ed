"""Pictures of games."""

from service.desk import Desk
from service.games import lobby
from service.views import board_picture
from tests.service.support.tables import player
from tests.workers.correspondence import room


def test_an_open_table_shows_an_empty_board(desk: Desk) -> None:
    """The picture of an open table has an empty board and the names of its players."""
    ada = player(desk, "Ada")
    game = str(lobby.open_game(desk, ada, lobby.NewGame("uk", (), 3), None)["id"])
    picture = board_picture.game(desk, game, None, tickets=True)

    assert ("uk", ["Ada"]) == (picture.board.id, list(picture.scene.names))
    assert ((), {}) == (picture.last, picture.goals)
    assert picture.svg("light").startswith("<svg")


def test_a_players_tickets_are_theirs_alone(desk: Desk) -> None:
    """A picture shows only the reader's own tickets, and only if they are requested."""
    here = room(desk)
    here.play(12)
    first, second = here.players[:2]
    mine = board_picture.game(desk, here.game, first, tickets=True)

    assert mine.goals
    assert mine.goals != board_picture.game(desk, here.game, second, tickets=True).goals
    assert {} == board_picture.game(desk, here.game, first, tickets=False).goals
    assert {} == board_picture.game(desk, here.game, None, tickets=True).goals


def test_a_picture_changes_its_tag_with_the_game(desk: Desk) -> None:
    """The tag of a picture stays the same until a move is made."""
    here = room(desk)
    before = board_picture.game(desk, here.game, None, tickets=False)
    again = board_picture.game(desk, here.game, None, tickets=False)
    here.play(1)

    assert before.tag == again.tag
    assert before.tag != board_picture.game(desk, here.game, None, tickets=False).tag


def test_the_last_move_is_marked(desk: Desk) -> None:
    """Over 60 moves some routes are marked, and all of them are claimed."""
    here = room(desk)
    marked = set()
    for _ in range(60):
        here.play(1)
        marked |= set(board_picture.game(desk, here.game, None, tickets=False).last)
    scene = board_picture.game(desk, here.game, None, tickets=False).scene

    assert marked
    assert marked <= set(scene.claimed)
