"""The log of a whole game, as its page shows it."""

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import lobby
from service.views.whole_log import whole_log
from tests.service.support.tables import keep_tickets, play, player, table


def test_the_log_has_every_move_with_its_time(desk: Desk) -> None:
    """All moves are listed, the newest first, each with a time; others' secrets are hidden."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    play(desk, game, ada, "draw")
    mine, other = (whole_log(desk, game, account) for account in (ada, ben))

    numbers = [move.number for move in mine.moves]
    assert [3, 2, 1] == [number for number in numbers if number]
    assert sorted(numbers, reverse=True) == numbers
    assert all(move.at for move in mine.moves)
    assert ["Ada", "Ben"] == sorted(mine.names)
    assert mine.moves[0].sentences != other.moves[0].sentences


def test_the_log_of_one_player_has_only_their_moves(desk: Desk) -> None:
    """With a seat, the log has the moves of this seat and no others."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    log = whole_log(desk, game, None, 1)

    assert [(1, log.names[1])] == [(move.seat, move.name) for move in log.moves]


def test_a_table_that_waits_has_no_log(desk: Desk) -> None:
    """Before the game begins there is nothing to tell."""
    ada = player(desk, "Ada")
    game = str(lobby.open_game(desk, ada, lobby.NewGame("usa", (), 2), None)["id"])
    with pytest.raises(Refusal) as refused:
        whole_log(desk, game, ada)

    assert "not_found" == refused.value.code
