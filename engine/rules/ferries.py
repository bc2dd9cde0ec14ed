"""Ferries: part of the cost must be paid with locomotives."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.display import Help
from engine.module import Module
from engine.translate import say
from engine.values import FERRY, Cost, Route, RouteId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    """None: the locomotive symbols are part of the route in the map."""


ferries: Module[Parameters, None] = Module("ferries", Parameters, needs=("routes",))


@ferries.prices
def locomotive_symbols(rules: "Ruleset", route: Route, cost: Cost) -> Cost:
    """At least one locomotive for each symbol (R-FERRY-1)."""
    return cost._replace(locomotives=route.locomotives)


@ferries.notes("claim")
def note_claim(rules: "Ruleset", route: RouteId) -> str:
    return say("ferry") if rules.board.routes[route].kind == FERRY else ""


@ferries.helps("claim")
def help_ferry(rules: "Ruleset", route: RouteId) -> list[Help]:
    """What the locomotive symbols mean (R-FERRY-1, R-DICE-20)."""
    if route and rules.board.routes[route].kind != FERRY:
        return []
    if rules.purse.rolls:
        sentence = say(
            "For each locomotive symbol of a ferry, you must pay with a die that shows a joker. "
            "The other spaces are paid for as usual."
        )
    else:
        sentence = say(
            "For each locomotive symbol of a ferry you must pay a locomotive. The other spaces "
            "take cards of any one colour, or more locomotives."
        )
    return [Help("ferry", say("Ferry"), sentence)]
