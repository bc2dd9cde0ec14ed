"""The rule modules, one file per rule; a map puts them in play by name."""

from typing import Any

from engine.module import Module
from engine.rules import (  # noqa: F401  # they register functions on their modules
    card_words,
    dice_help,
    dice_menu,
    dice_tokens,
    dice_turn,
    dice_words,
    market,
    route_words,
    technology_claims,
    technology_draw,
    technology_help,
    technology_sale,
    technology_words,
    ticket_goals,
    ticket_words,
    turn_end,
)
from engine.rules.cards import cards
from engine.rules.dice import dice
from engine.rules.ferries import ferries
from engine.rules.globetrotter import globetrotter
from engine.rules.longest_trail import longest
from engine.rules.routes import routes
from engine.rules.stations import stations
from engine.rules.technologies import technologies
from engine.rules.tickets import tickets
from engine.rules.tunnels import tunnels
from engine.rules.turns import turns

MODULES: dict[str, Module[Any, Any]] = {
    module.name: module
    for module in (
        turns,
        routes,
        cards,
        dice,
        tickets,
        ferries,
        tunnels,
        stations,
        technologies,
        longest,
        globetrotter,
    )
}
"""Every rule module that a map can name."""
