"""Letters about decisions wait while their reader plays on the game's page."""

import pytest

from service.desk import Desk
from service.games import moves
from service.games.move_requests import MoveRequest
from service.notify import outbox
from tests.service.owing import change, on_its_way
from tests.service.tables import keep_tickets, table
from tests.service.timing import by_hand

AT_ONCE = "2030-01-07T10:00:00.000Z"
LATER = "2030-01-07T10:03:00.000Z"


@pytest.mark.parametrize(("source", "due"), [("page", LATER), ("api", AT_ONCE), ("link", AT_ONCE)])
def test_a_letter_waits_for_whoever_moves_on_the_page(
    each_desk: Desk, source: str, due: str
) -> None:
    """After a move on the page, the letter about the next decision waits three minutes."""
    desk, _ = by_hand(each_desk)
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    outbox.spread(desk)
    change(desk, ada, email="ada@example.org", email_confirmed=AT_ONCE)
    moves.submit(desk, ada, game, MoveRequest("draw", source=source))
    outbox.spread(desk)

    assert [("decision_opened", due)] == on_its_way(desk, "kind", "not_before")


def test_whoever_has_left_the_table_is_told(desk: Desk) -> None:
    """A letter goes at once if the player's last move on the page was four minutes ago."""
    desk, hands = by_hand(desk)
    game, (ada, ben) = table(desk, "Ada", "Ben")
    keep_tickets(desk, game, [ada, ben])
    for _ in range(2):
        moves.submit(desk, ada, game, MoveRequest("draw", source="page"))
    outbox.spread(desk)
    change(desk, ada, email="ada@example.org", email_confirmed=AT_ONCE)
    hands.on(minutes=4)
    for _ in range(2):
        moves.submit(desk, ben, game, MoveRequest("draw"))
    outbox.spread(desk)

    assert [("decision_opened", desk.now())] == on_its_way(desk, "kind", "not_before")
