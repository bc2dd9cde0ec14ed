"""The explanation for a player whose page was older than the game."""

from service.clocks import deadlines
from service.desk import Desk
from service.views import stale_page
from tests.service.support.tables import keep_tickets, play, table
from tests.service.support.timing import by_hand, seat_at

END = "Here is the new position; your choice was not played."


def test_a_player_who_has_moved_elsewhere_is_told_so(desk: Desk) -> None:
    """A player who has already moved is told so, and who has moved since."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    play(desk, game, ada, "keep all")
    moved = "You have already moved, in another window or by email."

    assert f"{moved} {END}" == stale_page.explanation(desk, game, ada, 0)
    play(desk, game, ben, "keep all")
    expected = f"{moved} {seat_at(desk, game, ben).name} has moved since. {END}"
    assert expected == stale_page.explanation(desk, game, ada, 0)


def test_a_move_of_others_is_named(desk: Desk) -> None:
    """A player who has not moved is told who has."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    play(desk, game, ada, "keep all")
    who = seat_at(desk, game, ada).name
    expected = f"{who} has moved meanwhile. {END}"

    assert expected == stale_page.explanation(desk, game, ben, 0)


def test_a_default_of_the_clock_is_explained(desk: Desk) -> None:
    """The explanation says that the time was up and a move was made for the player."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    play(desk, game, ben, "keep all")
    hands.on(days=1)
    deadlines.sweep(desk)
    expected = f"Your time was up, and a move was made for you. {END}"

    assert expected == stale_page.explanation(desk, game, ada, 1)


def test_nothing_has_happened_since(desk: Desk) -> None:
    """Without a move since, the explanation says only that the game has moved on."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)

    assert f"The game has moved on. {END}" == stale_page.explanation(desk, game, players[0], 2)
