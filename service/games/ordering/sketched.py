"""Makes standing orders of a player's sketch: claim these routes, in this order, when I can."""

from typing import Any

from engine.translate import say
from service import refusals
from service.desk import Desk
from service.games import notebooks
from service.games.notebooks import OwnNotebook
from service.games.ordering import giving
from store.games.orders import WAITING


def text_of(own: OwnNotebook) -> str:
    """Return the orders for the routes of a sketch that can be claimed after those before them.

    While a route cannot be paid for, the order collects what it needs.
    """
    routes = (prospect.route for prospect in own.forecast.prospects if prospect.counts)
    return "; ".join(f"claim {route} when I can" for route in routes)


def give(desk: Desk, account: str, game: str, *, replaces: bool) -> dict[str, Any]:
    """Order the routes of the sketch; orders that wait are replaced only if `replaces` is true."""
    text = text_of(notebooks.read(desk, account, game))
    if not text:
        raise refusals.unreadable(say("None of the routes in your sketch can be claimed now."))
    earlier = giving.shown(desk, account, game)
    if earlier is not None and earlier["state"] == WAITING and not replaces:
        sentence = say(
            "You have orders in this game already: “{orders}”. They stay as they are; "
            "delete them, or replace them on this page.",
            orders=earlier["text"],
        )
        raise refusals.Refused("stale", sentence)
    return giving.give(desk, account, game, text)
