"""What a player is told whose page was older than the game."""

from service.clocks import deadlines
from service.desk import Desk
from service.views import stale_page
from tests.service.tables import keep_tickets, play, table
from tests.service.timing import by_hand, seat_at

END = "Here is how things stand now; your choice was not played."


def test_a_player_who_has_moved_elsewhere_is_told_so(desk: Desk) -> None:
    """And who has moved after them."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    play(desk, game, ada, "keep all")
    moved = "You have already moved, in another window or by email."

    assert f"{moved} {END}" == stale_page.explanation(desk, game, ada, 0)
    play(desk, game, ben, "keep all")
    expected = f"{moved} {seat_at(desk, game, ben).name} has moved since. {END}"
    assert expected == stale_page.explanation(desk, game, ada, 0)


def test_a_move_of_others_is_named(desk: Desk) -> None:
    """If the player has not moved, the game has moved on."""
    game, (ada, ben) = table(desk, "Ada", "Ben")
    play(desk, game, ada, "keep all")
    who = seat_at(desk, game, ada).name
    expected = f"The game has moved on. {who} has moved meanwhile. {END}"

    assert expected == stale_page.explanation(desk, game, ben, 0)


def test_a_default_of_the_clock_is_explained(desk: Desk) -> None:
    """It was not the player's own move."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben", pace="daily")
    play(desk, game, ben, "keep all")
    hands.on(days=1)
    deadlines.sweep(desk)
    expected = f"Your time was up, and a move was made for you. {END}"

    assert expected == stale_page.explanation(desk, game, ada, 1)


def test_nothing_has_happened_since(desk: Desk) -> None:
    """Then only that the game has moved on is said."""
    game, players = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, players)

    assert f"The game has moved on. {END}" == stale_page.explanation(desk, game, players[0], 2)
