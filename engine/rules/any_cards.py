"""Routes on which several cards of any kind count as one card that is missing."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.checks import Positive
from engine.display import Help
from engine.errors import MapError
from engine.module import Module
from engine.notation import route_name
from engine.text import listed
from engine.translate import say, says
from engine.values import PLAIN, Cost, Route, RouteId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    routes: tuple[RouteId, ...]
    """The routes for which it holds (R-NOR-10)."""
    number: Positive
    """How many cards count as one."""


any_cards: Module[Parameters, None] = Module("any_cards", Parameters, needs=("cards",))


@any_cards.starts
def plain_routes(rules: "Ruleset") -> None:
    for id in any_cards.parameters(rules).routes:
        route = rules.board.routes.get(id)
        if route is None or route.kind != PLAIN:
            raise MapError("parameters.any_cards.routes", f"“{id}” is not a plain route")


@any_cards.prices
def sets_of_cards(rules: "Ruleset", route: Route, cost: Cost) -> Cost:
    settings = any_cards.parameters(rules)
    if route.id not in settings.routes:
        return cost
    return cost._replace(means=cost.means._replace(card_set=settings.number))


@any_cards.notes("claim")
def note_claim(rules: "Ruleset", route: RouteId) -> str:
    settings = any_cards.parameters(rules)
    if route not in settings.routes:
        return ""
    return says("any {n} card for one", "any {n} cards for one", settings.number)


@any_cards.helps("claim")
def help_claim(rules: "Ruleset", route: RouteId) -> list[Help]:
    """How missing cards are replaced; locomotives help only in this way (R-NOR-10)."""
    settings = any_cards.parameters(rules)
    if route and route not in settings.routes:
        return []
    sentence = says(
        "For {routes} you need cards of one colour, which you choose. Each card that you lack can "
        "be replaced by any {n} card of your hand; it may be a locomotive.",
        "For {routes} you need cards of one colour, which you choose. Each card that you lack can "
        "be replaced by any {n} cards of your hand; locomotives may be among them.",
        settings.number,
        routes=listed([route_name(rules, id) for id in settings.routes]),
    )
    return [Help("any_cards", say("Replacing cards"), sentence)]
