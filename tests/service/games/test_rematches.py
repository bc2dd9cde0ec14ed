"""Rematches: the same people and bots at one new table, whoever asks first."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import lobby, rematches
from service.games.inviting import invitations
from store import tables
from store.games import games
from store.games.games import Table
from tests.service.support.newcomers import rows
from tests.service.support.tables import player, table


def _over(desk: Desk) -> tuple[str, list[str]]:
    """A game of three people and a bot that is over, because they have all left it."""
    people = [player(desk, name) for name in ("Ada", "Ben", "Cem")]
    new = lobby.NewGame("europe", ("dice",), 4, "week", "public", "Again", {"hard": 1})
    game = str(lobby.open_game(desk, people[0], new, None)["id"])
    for person in people[1:]:
        lobby.join(desk, person, game, "", None)
    for person in people:
        lobby.leave(desk, person, game)
    return game, people


def _table(desk: Desk, game: str) -> Table:
    with desk.database.reading() as tx:
        stored = games.table(tx, game)
    assert stored is not None
    return stored


def _refused(call: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as refusal:
        call()
    return refusal.value.code


def test_a_rematch_has_the_same_people_and_bots(each_desk: Desk) -> None:
    """Board, variants, pace and bots are the same, and a seat is reserved for each player."""
    desk = each_desk
    game, (ada, ben, cem) = _over(desk)
    opened = rematches.open_rematch(desk, ada, game, None)
    new = _table(desk, opened.game)

    assert (new.board, new.variants, new.seats) == ("europe", ("dice",), 4)
    assert (new.pace, new.visibility, new.title) == ("week", "public", "Again")
    assert [None, "hard"] == [seat.house for seat in new.seated]
    assert ["Ben", "Cem"] == sorted(opened.invited)
    guests = invitations.listed(desk, ada, opened.game)
    assert all(guest["reserved_until"] for guest in guests)
    for person in (ben, cem):
        lobby.join(desk, person, opened.game, "", None)
    assert "running" == _table(desk, opened.game).status


def test_the_second_player_finds_the_table_of_the_first(desk: Desk) -> None:
    """Whoever asks later takes a seat at the rematch that is open, and asking twice is one seat."""
    game, (ada, ben, cem) = _over(desk)
    first = rematches.open_rematch(desk, ada, game, None)
    for person in (ben, ben, ada, cem):
        again = rematches.open_rematch(desk, person, game, None)
        assert (first.game, False) == (again.game, again.is_new)

    assert "running" == _table(desk, first.game).status
    assert 2 == len(rows(desk, tables.games, "id"))


def test_two_players_at_once_open_one_table(each_desk: Desk) -> None:
    """Two players who ask at the same moment sit at the same table."""
    desk = each_desk
    game, (ada, ben, _) = _over(desk)
    with ThreadPoolExecutor(2) as pool:
        opened = list(
            pool.map(lambda who: rematches.open_rematch(desk, who, game, None), (ada, ben))
        )

    assert 1 == len({one.game for one in opened})
    assert {ada, ben} == {
        seat.account for seat in _table(desk, opened[0].game).seated if seat.account
    }


def test_a_repeated_request_invites_nobody_twice(desk: Desk) -> None:
    """The same request with the same key has the same answer."""
    game, (ada, _, _) = _over(desk)
    first = rematches.open_rematch(desk, ada, game, "k" * 20)
    assert first == rematches.open_rematch(desk, ada, game, "k" * 20)
    assert 2 == len(rows(desk, tables.invitations, "id"))


def test_only_players_of_a_game_that_is_over_play_again(desk: Desk) -> None:
    """A running game has no rematch, and a stranger cannot open one."""
    game, _ = _over(desk)
    eve = player(desk, "Eve")
    assert "forbidden" == _refused(lambda: rematches.open_rematch(desk, eve, game, None))
    running, (fay, _) = table(desk, "Fay", "Gil")
    assert "not_over" == _refused(lambda: rematches.open_rematch(desk, fay, running, None))


def test_a_rematch_that_is_over_can_be_played_again(desk: Desk) -> None:
    """When the rematch has been deleted or is over, another one can be opened."""
    game, (ada, _, _) = _over(desk)
    first = rematches.open_rematch(desk, ada, game, None)
    lobby.leave(desk, ada, first.game)
    second = rematches.open_rematch(desk, ada, game, None)
    assert (True, True) == (second.is_new, second.game != first.game)
