"""Tickets to one of several countries: each has points of its own, and only the best one scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.display import Help
from engine.errors import MapError
from engine.module import Module
from engine.translate import say
from engine.values import CityId, Completion, Ticket, TicketId

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    points: dict[TicketId, dict[str, int]]
    """For each country ticket the points for each place that it may lead to (R-SWI-8)."""


country_tickets: Module[Parameters, None] = Module(
    "country_tickets", Parameters, needs=("tickets",)
)


@country_tickets.starts
def known_tickets(rules: "Ruleset") -> None:
    for id in country_tickets.parameters(rules).points:
        if id not in rules.board.tickets:
            raise MapError(_place(id), "there is no such ticket")


@country_tickets.completes
def one_way_for_each_country(
    rules: "Ruleset", ticket: Ticket, ways: Sequence[Completion]
) -> Sequence[Completion]:
    """Any terminus of a country will do; the best country that is reached scores (R-SWI-8)."""
    countries = country_tickets.parameters(rules).points.get(ticket.id)
    if countries is None:
        return ways
    if ticket.points != min(countries.values(), default=0):
        raise MapError(_place(ticket.id), "the ticket's points must be the smallest of these")
    home, abroad = ticket.cities
    return [
        Completion(home, _termini(rules, ticket, country, abroad), points, country)
        for country, points in countries.items()
    ]


def _termini(
    rules: "Ruleset", ticket: Ticket, country: str, abroad: Sequence[CityId]
) -> tuple[CityId, ...]:
    place = rules.board.places.get(country)
    if place is None or not set(place.cities) <= set(abroad):
        reason = f"“{country}” is not a place at the second end of the ticket"
        raise MapError(_place(ticket.id), reason)
    return place.cities


def _place(id: TicketId) -> str:
    """Where a ticket's values are in the map file."""
    return f"parameters.country_tickets.points.{id}"


@country_tickets.helps("tickets", "keep")
def help_tickets(rules: "Ruleset", what: str) -> list[Help]:
    """How country tickets score (R-SWI-8, R-SWI-9)."""
    sentence = say(
        "A ticket to several countries shows a value for each of them, in the same order. At the "
        "end you get the highest value among the countries that your routes reach; if they reach "
        "none, you lose the lowest."
    )
    return [Help("country_tickets", say("Country ticket"), sentence)]
