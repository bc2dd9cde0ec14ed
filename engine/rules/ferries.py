"""Ferries: locomotives in the price."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.module import Module
from engine.values import Cost, Route

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
