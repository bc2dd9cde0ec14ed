"""Notices to the players of a game."""

from service.desk import Desk
from service.games import lobby, table_notices
from tests.service.support.tables import table
from tests.service.support.timing import table_at


def test_seats_with_a_new_decision_are_told(desk: Desk) -> None:
    """Players with a new decision get a notice, marked as answered after a move by mail."""
    game, players = table(desk, "Ada", "Ben", bots={"easy": 1})
    current = table_at(desk, game)
    seats = [seat.number for seat in current.seated if seat.account]
    notices = table_notices.to_awaited(current, range(3), 7, by_mail=seats[0])

    assert players == [notice.account for notice in notices]
    assert {("decision_opened", game, 7)} == {
        (notice.kind, notice.game, notice.version) for notice in notices
    }
    assert [table_notices.ANSWERED, None] == [notice.data for notice in notices]
    assert [] == table_notices.to_awaited(current, [], 7)


def test_all_are_told_who_still_sit_there(desk: Desk) -> None:
    """A notice to all leaves out resigned players, house bots and the seats in `but`."""
    game, (ada, ben, cem) = table(desk, "Ada", "Ben", "Cem", bots={"easy": 1})
    lobby.leave(desk, ben, game)
    current = table_at(desk, game)
    mine = current.seat_of(ada)
    assert mine is not None

    assert [ada, cem] == [notice.account for notice in table_notices.to_all(current, "x", 1)]
    (notice,) = table_notices.to_all(current, "x", 1, but=[mine.number], data={"a": 1})
    assert (cem, {"a": 1}) == (notice.account, notice.data)


def test_only_players_with_webhooks_are_told_of_every_move(desk: Desk) -> None:
    """Only players with hooks get a notice of every move."""
    game, (ada, _) = table(desk, "Ada", "Ben")
    current = table_at(desk, game)
    assert [] == table_notices.to_hooked(current, "game_moved", 1)
    first, second = current.seated
    hooked = current._replace(seated=(first._replace(hooks=1), second))

    assert [ada] == [notice.account for notice in table_notices.to_hooked(hooked, "game_moved", 1)]
