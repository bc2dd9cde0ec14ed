"""Locomotives that count only on some kinds of routes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.board import KINDS
from engine.display import Help
from engine.errors import MapError
from engine.module import Module
from engine.text import listed
from engine.translate import say
from engine.values import FERRY, PLAIN, TUNNEL, Cost, Route, RouteId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    kinds: tuple[str, ...]
    """The kinds of routes on which locomotives count (R-NOR-6)."""

    def __post_init__(self) -> None:
        if not set(self.kinds) <= set(KINDS):
            raise ValueError(f"kinds must be of {', '.join(KINDS)}")


locomotive_routes: Module[Parameters, None] = Module(
    "locomotive_routes", Parameters, needs=("cards",)
)


@locomotive_routes.starts
def tunnels_take_them(rules: "Ruleset") -> None:
    """The surcharge of a tunnel can always be paid with locomotives, so its base must be, too."""
    kinds = locomotive_routes.parameters(rules).kinds
    if KINDS[TUNNEL] in rules.board.modules and TUNNEL not in kinds:
        raise MapError("parameters.locomotive_routes.kinds", "must include the tunnels in play")


@locomotive_routes.prices
def no_jokers(rules: "Ruleset", route: Route, cost: Cost) -> Cost:
    """Elsewhere only cards of the colour count (R-NOR-6)."""
    if route.kind in locomotive_routes.parameters(rules).kinds:
        return cost
    return cost._replace(means=cost.means._replace(jokers=False))


@locomotive_routes.helps("draw", "claim")
def help_where(rules: "Ruleset", route: RouteId) -> list[Help]:
    """Where locomotives count."""
    kinds = locomotive_routes.parameters(rules).kinds
    if route and rules.board.routes[route].kind in kinds:
        return []
    names = {PLAIN: say("plain routes"), FERRY: say("ferries"), TUNNEL: say("tunnels")}
    places = listed([names[kind] for kind in kinds])
    sentence = say(
        "On this board locomotives count only on {places}. Everywhere else you pay with cards of "
        "the colour alone.",
        places=places,
    )
    return [Help("locomotive_routes", say("Where locomotives count"), sentence)]
