"""Ferries: part of the cost must be paid with locomotives."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.checks import NotNegative
from engine.display import Help
from engine.module import Module
from engine.translate import say, says
from engine.values import FERRY, GRAY, Cost, Route, RouteId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    substitute: NotNegative = 0
    """How many cards of any colours count as the locomotive of a symbol; 0 if none (R-NOR-8)."""


ferries: Module[Parameters, None] = Module("ferries", Parameters, needs=("routes",))


@ferries.prices
def locomotive_symbols(rules: "Ruleset", route: Route, cost: Cost) -> Cost:
    """At least one locomotive for each symbol, or cards instead of it (R-FERRY-1, R-NOR-8)."""
    if route.kind != FERRY:
        return cost
    means = cost.means._replace(symbol_set=ferries.parameters(rules).substitute)
    return cost._replace(locomotives=route.locomotives, means=means)


@ferries.notes("claim")
def note_claim(rules: "Ruleset", route: RouteId) -> str:
    return say("ferry") if rules.board.routes[route].kind == FERRY else ""


@ferries.helps("claim")
def help_ferry(rules: "Ruleset", route: RouteId) -> list[Help]:
    """What the locomotive symbols mean (R-FERRY-1, R-NOR-8, R-DICE-20)."""
    if route and rules.board.routes[route].kind != FERRY:
        return []
    if rules.purse.rolls:
        sentence = say(
            "For each locomotive symbol of a ferry, you must pay with a die that shows a joker. "
            "The other spaces are paid for as usual."
        )
        return [Help("ferry", say("Ferry"), sentence)]
    sentence = say(
        "For each locomotive symbol of a ferry you must pay a locomotive. The other spaces "
        "take cards of any one colour, or more locomotives."
    )
    if _has_colours(rules, route):
        sentence = say(
            "For each locomotive symbol of a ferry you must pay a locomotive. The other spaces "
            "take cards of the ferry's colour (of any one colour if it is gray), or more "
            "locomotives."
        )
    size = ferries.parameters(rules).substitute
    return [Help("ferry", say("Ferry"), sentence), *([_help_substitute(size)] if size else [])]


def _has_colours(rules: "Ruleset", route: RouteId) -> bool:
    """Whether some ferry, or this one, has a colour."""
    named = [rules.board.routes[route]] if route else rules.board.routes.values()
    return any(each.kind == FERRY and each.colour != GRAY for each in named)


def _help_substitute(size: int) -> Help:
    sentence = says(
        "If you lack a locomotive for a symbol of a ferry, any {n} card of any colour counts as "
        "one. That is possible for symbols only.",
        "If you lack a locomotive for a symbol of a ferry, any {n} cards of any colours count as "
        "one. That is possible for symbols only.",
        size,
    )
    return Help("cards_for_a_symbol", say("Instead of a locomotive"), sentence)
