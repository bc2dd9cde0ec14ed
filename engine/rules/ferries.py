"""Ferries: locomotives in the price."""

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
    """A ferry's symbols stand with its route."""


ferries: Module[Parameters, None] = Module("ferries", Parameters, needs=("routes",))


@ferries.prices
def locomotive_symbols(rules: "Ruleset", route: Route, cost: Cost) -> Cost:
    """One locomotive at least for each symbol (R-FERRY-1)."""
    return cost._replace(locomotives=route.locomotives)


@ferries.helps("claim")
def help_ferry(rules: "Ruleset", route: RouteId) -> list[Help]:
    """What the symbols ask for (R-FERRY-1, R-DICE-20)."""
    if route and rules.board.routes[route].kind != FERRY:
        return []
    if rules.purse.rolls:
        said = say(
            "For each locomotive sign of a ferry one of your dice must show a joker. The other "
            "spaces are paid as usual."
        )
    else:
        said = say(
            "For each locomotive sign of a ferry you must pay a locomotive. The other spaces take "
            "cards of any one colour, or more locomotives."
        )
    return [Help("ferry", say("Ferry"), said)]
