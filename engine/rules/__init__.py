"""One rule, one file; a board joins them by name."""

from typing import Any

from engine.module import Module
from engine.rules import card_words, market, ticket_words  # noqa: F401  # they hang words and upkeep on their modules
from engine.rules.cards import cards
from engine.rules.globetrotter import globetrotter
from engine.rules.longest_trail import longest
from engine.rules.routes import routes
from engine.rules.tickets import tickets
from engine.rules.turns import turns

MODULES: dict[str, Module[Any, Any]] = {
    module.name: module for module in (turns, routes, tickets, cards, longest, globetrotter)
}
"""Every rule module that a map can name."""
