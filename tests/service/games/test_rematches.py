"""Rematches: a new table like an old one."""

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import invitations, lobby, rematches, table_lookup
from store.people import accounts
from tests.service.support.tables import player, table


def _played(desk: Desk) -> tuple[str, list[str]]:
    """A running game of Ada and Ben with a bot, and the accounts of the two."""
    settings = {"pace": "daily", "visibility": "unlisted", "title": "Our table"}
    game, _ = table(desk, "Ada", "Ben", bots={"easy": 1}, **settings)
    with desk.database.reading() as tx:
        ids = [accounts.id_by_name(tx, name) for name in ("ada", "ben")]
    return game, [id for id in ids if id]


def _end(desk: Desk, game: str, players: list[str]) -> None:
    for account in players:
        lobby.leave(desk, account, game)


def test_the_settings_are_those_of_the_old_game(desk: Desk) -> None:
    """Board, seats, pace, visibility, title and bots are the same."""
    game, players = _played(desk)
    _end(desk, game, players)
    rematch = rematches.open_rematch(desk, players[0], game, "key")
    with desk.database.reading() as tx:
        old, new = (table_lookup.existing(tx, id) for id in (game, rematch.game))
    fields = ("board", "variants", "seats", "pace", "visibility", "title")
    assert [getattr(old, name) for name in fields] == [getattr(new, name) for name in fields]
    assert ["easy"] == [seat.house for seat in new.seated if seat.account is None]
    assert (("Ben",), ()) == (rematch.invited, rematch.refused)
    assert "The rematch “Our table” is open. Invited: Ben." == rematches.sentence(rematch)


def test_the_same_key_opens_one_table(desk: Desk) -> None:
    """A request that comes again finds its table, and invites nobody twice."""
    game, players = _played(desk)
    _end(desk, game, players)
    first, again = (rematches.open_rematch(desk, players[0], game, "key") for _ in range(2))
    assert first == again
    assert 1 == len(invitations.listed(desk, players[0], first.game))


def test_a_game_that_goes_on_has_no_rematch(desk: Desk) -> None:
    """A rematch of a running game is refused, and so is one by somebody who did not play."""
    game, players = _played(desk)
    with pytest.raises(Refusal, match="not over yet"):
        rematches.open_rematch(desk, players[0], game, "key")
    _end(desk, game, players)
    with pytest.raises(Refusal):
        rematches.open_rematch(desk, player(desk, "Eve"), game, "key")
