"""Who may move at which seat."""

import pytest

from engine import Refusal
from service.clocks import deadlines
from service.desk import Desk
from service.games import lobby, moves, players
from service.games.move_requests import MoveRequest
from service.games.players import Clock, House, Player
from tests.service.support.tables import player, table
from tests.service.support.timing import by_hand, seat_at, sources, table_at


def _code(desk: Desk, game: str, player: Player) -> str:
    """The code with which a move is refused; empty if it is made."""
    try:
        moves.submit(desk, player, game, MoveRequest("keep all"))
    except Refusal as refusal:
        return refusal.code
    return ""


def test_an_account_moves_at_its_own_seat(desk: Desk) -> None:
    """An account may move at its own seat; an account without a seat is refused."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    eve = player(desk, "Eve")

    assert "forbidden" == _code(desk, game, eve)
    assert "" == _code(desk, game, ada)


def test_an_account_that_has_resigned_moves_no_more(desk: Desk) -> None:
    """After an account has resigned, the house may move at its seat and the account may not."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    seat = seat_at(desk, game, ada).number
    assert "forbidden" == _code(desk, game, House(seat))
    lobby.leave(desk, ada, game)

    assert "forbidden" == _code(desk, game, ada)
    assert "" == _code(desk, game, House(seat))
    assert "" == _code(desk, game, ben)


def test_the_clock_moves_while_the_deadline_stands(desk: Desk) -> None:
    """The clock may move once with the seat's deadline, and not with another deadline."""
    game, (ada, _) = table(desk, "Ada", "Ben", pace="daily")
    seat = seat_at(desk, game, ada)
    deadline = str(seat.deadline)

    assert "forbidden" == _code(desk, game, Clock(seat.number, "2030-01-01T00:00:00.000Z"))
    assert "" == _code(desk, game, Clock(seat.number, deadline))
    assert "forbidden" == _code(desk, game, Clock(seat.number, deadline))


def test_the_house_moves_for_a_player_who_is_away(desk: Desk) -> None:
    """The house may move at a player's seat only after three missed deadlines."""
    desk, hands = by_hand(desk)
    game, (ada, _) = table(desk, "Ada", "Ben", pace="daily")
    seat = seat_at(desk, game, ada).number
    with pytest.raises(Refusal):
        players.seat_for(table_at(desk, game), House(seat))
    while seat_at(desk, game, ada).missed < 3:
        hands.on(days=1)
        deadlines.sweep(desk)

    assert seat == players.seat_for(table_at(desk, game), House(seat)).number
    assert {"clock"} == set(sources(desk, game))


def test_a_private_table_is_hidden_from_accounts_alone(desk: Desk) -> None:
    """The house and the clock find every table; a stranger is told that there is none."""
    game, _ = table(desk, "Ada", bots={"easy": 1}, visibility="private")
    eve = player(desk, "Eve")
    with desk.database.reading() as tx:
        assert game == players.table_for(tx, game, House(0)).id
        assert game == players.table_for(tx, game, Clock(0, "")).id
        with pytest.raises(Refusal) as refusal:
            players.table_for(tx, game, eve)
    assert "not_found" == refusal.value.code
