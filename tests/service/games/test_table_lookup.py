"""Loading tables: who may know of one, what they see, and at which version."""

from typing import Any

import pytest

from engine import Refusal
from service.desk import Desk
from service.games import lobby, moves, table_lookup
from service.games.inviting import invitations
from service.games.move_requests import MoveRequest
from service.memory.positions import Positions
from tests.service.support.tables import player, table
from tests.service.support.timing import table_at


def _code(desk: Desk, game: str, account: str | None) -> str:
    """The code with which an account is refused; empty if it may know of the game."""
    with desk.database.reading() as tx:
        try:
            table_lookup.table_of(tx, game, account)
        except Refusal as refusal:
            return refusal.code
    return ""


def test_a_private_table_is_known_to_its_players_and_guests(each_desk: Desk) -> None:
    """A guest knows of it until the game begins; a stranger and a visitor never do."""
    ada, ben, eve = (player(each_desk, name) for name in ("Ada", "Ben", "Eve"))
    new = lobby.NewGame("usa", (), 2, visibility="private")
    game = str(lobby.open_game(each_desk, ada, new, None)["id"])
    assert ["not_found"] * 3 == [_code(each_desk, game, account) for account in (ben, eve, None)]
    for name in ("Ben", "Eve"):
        invitations.invite(each_desk, ada, game, {"name": name}, None)
    assert ["", "", "", "not_found"] == [
        _code(each_desk, game, account) for account in (ada, ben, eve, None)
    ]
    lobby.join(each_desk, ben, game, "", None)

    assert ["", "", "not_found"] == [_code(each_desk, game, account) for account in (ada, ben, eve)]


def test_a_game_that_is_not_there_is_refused(desk: Desk) -> None:
    """An unknown game is refused, with and without a check of access."""
    assert "not_found" == _code(desk, "x" * 22, None)
    with desk.database.reading() as tx, pytest.raises(Refusal):
        table_lookup.existing(tx, "x" * 22)


def test_an_account_sees_with_the_eyes_of_its_seat(desk: Desk) -> None:
    """An account sees what its seat sees until it resigns; others are spectators."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    assert [0, 1, None, None] == [
        table_lookup.sight_of(table_at(desk, game), account)
        for account in (ada, ben, "stranger", None)
    ]
    lobby.leave(desk, ben, game)

    assert [0, None] == [
        table_lookup.sight_of(table_at(desk, game), account) for account in (ada, ben)
    ]


def test_table_and_position_are_of_the_same_version(desk: Desk) -> None:
    """If a move was stored after the table was read, the table is read again."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    before = table_at(desk, game)
    moves.submit(desk, ada, game, MoveRequest("keep all"))
    with desk.database.reading() as tx:
        current, position = table_lookup.settled(desk, tx, before)

    assert (0, 1, 1) == (before.version, current.version, position.version)


def test_a_game_that_never_rests_is_given_up(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """If table and position never agree, the request is refused as rate limited."""
    game, _ = table(desk, "Ada", "Ben")
    position_of = Positions.of

    def ahead(*args: Any) -> Any:
        position = position_of(*args)
        return position._replace(version=position.version + 1)

    monkeypatch.setattr(Positions, "of", ahead)
    with desk.database.reading() as tx, pytest.raises(Refusal) as refusal:
        table_lookup.settled(desk, tx, table_at(desk, game))
    assert "rate_limited" == refusal.value.code
