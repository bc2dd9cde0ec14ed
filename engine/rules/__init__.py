"""The rule modules, one file per rule; a map puts them in play by name."""

from typing import Any

from engine.module import Module
from engine.rules import (  # noqa: F401  # they register functions on their modules
    card_orders,
    card_words,
    coloured_passenger_words,
    dice_help,
    dice_menu,
    dice_orders,
    dice_tokens,
    dice_turn,
    dice_words,
    market,
    passenger_marks,
    passenger_words,
    route_forecast,
    route_orders,
    route_words,
    station_orders,
    technology_claims,
    technology_draw,
    technology_help,
    technology_orders,
    technology_sale,
    technology_words,
    ticket_goals,
    ticket_mix_words,
    ticket_orders,
    ticket_scores,
    ticket_words,
    turn_end,
    turn_orders,
    turns_left,
)
from engine.rules.any_cards import any_cards
from engine.rules.cards import cards
from engine.rules.coloured_passengers import coloured
from engine.rules.country_tickets import country_tickets
from engine.rules.dice import dice
from engine.rules.ferries import ferries
from engine.rules.globetrotter import globetrotter
from engine.rules.locomotive_routes import locomotive_routes
from engine.rules.longest_trail import longest
from engine.rules.open_locomotives import open_locomotives
from engine.rules.passengers import passengers
from engine.rules.routes import routes
from engine.rules.stations import stations
from engine.rules.technologies import technologies
from engine.rules.ticket_mix import ticket_mix
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
        open_locomotives,
        locomotive_routes,
        any_cards,
        country_tickets,
        ticket_mix,
        passengers,
        coloured,
    )
}
"""Every rule module that a map can name."""
