"""Links to the form for a rematch."""

from urllib.parse import parse_qs, urlsplit

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import lobby, table_lookup
from service.views import rematch_links
from tests.service.support.tables import player, table


def test_the_form_repeats_the_game(desk: Desk) -> None:
    """The link has board, seats, pace, visibility and bots, and names the other players."""
    game, (ada, *_) = table(
        desk, "Ada", "Ben", bots={"hard": 1}, pace="week", visibility="unlisted"
    )
    path, _, query = rematch_links.form_path(desk, game, ada).partition("?")
    assert "/games/new" == path
    assert {
        "board": ["usa"],
        "seats": ["3"],
        "pace": ["week"],
        "visibility": ["unlisted"],
        "hard": ["1"],
        "easy": ["0"],
        "guests": ["Ben" if _is_ada(desk, game, ada) else "Ada"],
    } == parse_qs(query)


def _is_ada(desk: Desk, game: str, account: str) -> bool:
    with desk.database.reading() as tx:
        seat = table_lookup.existing(tx, game).seat_of(account)
    assert seat is not None
    return seat.name == "Ada"


def test_a_strange_private_game_has_no_link(desk: Desk) -> None:
    """Whoever may not see a game gets no link to its rematch."""
    ada = player(desk, "Ada")
    new = lobby.NewGame("usa", (), 3, visibility="private")
    game = str(lobby.open_game(desk, ada, new, None)["id"])
    assert urlsplit(rematch_links.form_path(desk, game, ada)).query
    with pytest.raises(Refusal):
        rematch_links.form_path(desk, game, player(desk, "Eve"))
