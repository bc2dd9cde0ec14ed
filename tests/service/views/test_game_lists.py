"""Lists of games on pages."""

from typing import Any

from service.desk import Desk
from service.games import lobby
from service.views import game_lists
from tests.service.support.tables import play, player, table


def _opened(desk: Desk, account: str, **more: Any) -> str:
    return str(lobby.open_game(desk, account, lobby.NewGame("usa", (), 2, **more), None)["id"])


def test_own_games_are_listed_by_what_is_to_do(each_desk: Desk) -> None:
    """Games are grouped: own decisions by deadline, waiting for others, open tables, finished."""
    slow, (ada, ben) = table(each_desk, "Ada", "Ben", pace="days")
    quick = _opened(each_desk, ada, pace="live")
    lobby.join(each_desk, ben, quick, "", None)
    timeless = _opened(each_desk, ada, pace="none")
    lobby.join(each_desk, ben, timeless, "", None)
    waiting = _opened(each_desk, ada)
    done = _opened(each_desk, ada)
    lobby.join(each_desk, ben, done, "", None)
    play(each_desk, done, ada, "keep all")
    lists = game_lists.own_games(each_desk, ada)

    assert [quick, slow, timeless] == [game["id"] for game in lists.your_turn]
    assert [done] == [game["id"] for game in lists.others]
    assert [waiting] == [game["id"] for game in lists.waiting]
    for account in (ada, ben):
        lobby.leave(each_desk, account, done)
    assert [done] == [game["id"] for game in game_lists.own_games(each_desk, ada).over]


def test_a_game_says_where_the_reader_sits(desk: Desk) -> None:
    """A listed game has the reader's seat, and their deadline or None."""
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    (listed,) = game_lists.own_games(desk, ben).your_turn
    assert (game, 1) == (listed["id"], listed["me"])
    assert listed["deadline"] == listed["awaited"][1]["deadline"]
    play(desk, game, ben, "keep all")

    (other,) = game_lists.own_games(desk, ben).others
    assert other["deadline"] is None
    lobby.leave(desk, ada, game)
    assert [] == game_lists.own_games(desk, ada).your_turn


def test_open_tables_are_those_of_others(desk: Desk) -> None:
    """Public tables of others are listed, at most as many as requested."""
    ada, ben = player(desk, "Ada"), player(desk, "Ben")
    tables = [_opened(desk, ada) for _ in range(3)]
    _opened(desk, ada, visibility="unlisted")
    own = _opened(desk, ben)

    assert set(tables) == {game["id"] for game in game_lists.open_to(desk, ben, 10)}
    assert {*tables, own} == {game["id"] for game in game_lists.open_to(desk, None, 10)}
    assert 2 == len(game_lists.open_to(desk, ben, 2))
