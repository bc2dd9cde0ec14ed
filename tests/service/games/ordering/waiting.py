"""Games in which players have left orders, and what becomes of these."""

from typing import Any

from service.desk import Desk
from service.games.ordering import carrying_out, giving
from store.games import orders
from store.games.orders import StoredOrders
from tests.service.support.tables import keep_tickets, table
from tests.service.support.timing import Hands, by_hand


def ordered_game(desk: Desk, **more: Any) -> tuple[Desk, Hands, str, list[str]]:
    """A daily game of two in which Ada is to move, with a clock that is moved by hand."""
    desk, hands = by_hand(desk)
    game, players = table(desk, "Ada", "Ben", **{"pace": "daily", **more})
    keep_tickets(desk, game, players)
    return desk, hands, game, players


def stored(desk: Desk, game: str, account: str) -> StoredOrders | None:
    """The orders of a player as they are stored."""
    with desk.database.reading() as tx:
        return orders.of_player(tx, game, account)


def due_of(desk: Desk, game: str, account: str) -> str | None:
    """When the orders of a player are judged next."""
    row = stored(desk, game, account)
    return row.due if row else None


def carry_out(desk: Desk) -> int:
    """Carry out all orders that are due; return how many were."""
    count = 0
    while carrying_out.play_next(desk):
        count += 1
        assert count < 100
    return count


def state_of(desk: Desk, game: str, account: str) -> str:
    """The state of a player's orders."""
    shown = giving.shown(desk, account, game)
    assert shown is not None
    state: str = shown["state"]
    return state
