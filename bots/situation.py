"""A seat's view in the terms a player thinks in: own network, open routes, unfinished tickets."""

from collections.abc import Sequence
from typing import NamedTuple

from bots.board_graph import Aim, BoardGraph, graph_of, joined, open_aims
from engine import Ruleset, State
from engine.rules.dice import longest
from engine.rules.dice_purse import Dice
from engine.rules.routes import edge_of, edges_of
from engine.rules.routes import routes as routes_module
from engine.rules.stations import borrow, stations
from engine.rules.technologies import technologies
from engine.rules.ticket_scores import wants
from engine.rules.tickets import tickets as tickets_module
from engine.rules.turns import turns as turns_module
from engine.ticket_completion import best_links
from engine.values import NO_CARDS, Counts, Seat, Tokens


class Situation(NamedTuple):
    rules: Ruleset
    state: State
    seat: Seat
    graph: BoardGraph
    own: tuple[int, ...]
    open: tuple[int, ...]
    """Unclaimed routes that the seat has enough trains for, whatever else they require."""
    foreign: tuple[int, ...]
    """Routes that only others have claimed."""
    pieces: tuple[int, ...]
    """For each city, the number of the connected piece of the seat's network it belongs to."""
    trains: int
    rivals: tuple[int, ...]
    """The trains of the others, in turn order."""
    aims: tuple[Aim, ...]
    """The ways to complete the seat's open tickets, and better ways for completed ones."""
    done: int
    """How many tickets are completed."""
    hand: Counts
    dice: Dice | None
    tokens: Tokens
    owned: tuple[str, ...]
    """The seat's technologies."""
    stations: int
    """Stations left to build."""
    station_price: int
    station_points: int
    """Points for a station that is never built."""
    left: int | None
    """Turns left in the last round; None before it."""


def situation_of(rules: Ruleset, view: State, seat: Seat) -> Situation:
    """Return the situation of a seat, from its view."""
    graph, network = graph_of(rules), routes_module.part(view)
    owners = network.owners
    own = tuple(graph.at[id] for id, has in owners.items() if seat in has)
    pieces = tuple(joined(graph, own))
    held = tickets_module.part(view).held[seat]
    missing = _missing(rules, view, seat, pieces)
    dice: Dice | None = view.parts.get("dice")
    others = [network.trains[(seat + step) % rules.seats] for step in range(1, rules.seats)]
    return Situation(
        rules,
        view,
        seat,
        graph,
        own,
        _open(rules, view, seat, own),
        tuple(graph.at[id] for id, has in owners.items() if has and seat not in has),
        pieces,
        network.trains[seat],
        tuple(others),
        missing,
        len(held) - len({aim.ticket for aim in missing if aim.loss}),
        view.parts["cards"].hands[seat] if "cards" in view.parts else NO_CARDS,
        dice,
        dice.tokens[seat] if dice else Tokens(),
        technologies.part(view).owned[seat] if "technologies" in view.parts else (),
        *_stations(rules, view, seat),
        turns_module.part(view).left,
    )


def _open(rules: Ruleset, view: State, seat: Seat, own: tuple[int, ...]) -> tuple[int, ...]:
    graph, network = graph_of(rules), routes_module.part(view)
    reach = network.trains[seat]
    if "dice" in view.parts:
        reach = min(reach, longest(rules))
    mine = {graph.routes[route].id for route in own}
    return tuple(
        number
        for number, route in enumerate(graph.routes)
        if route.length <= reach
        and route.id not in network.owners
        and (route.twin is None or mine.isdisjoint(rules.beside[route.id]))
    )


def _stations(rules: Ruleset, view: State, seat: Seat) -> tuple[int, int, int]:
    if "stations" not in view.parts:
        return 0, 0, 0
    settings, built = stations.parameters(rules), len(stations.part(view).built[seat])
    return settings.each - built, built + 1, settings.unused_points


def _missing(rules: Ruleset, view: State, seat: Seat, pieces: Sequence[int]) -> tuple[Aim, ...]:
    """Return what is left to do for tickets, even with the best use of the seat's stations."""
    graph, held = graph_of(rules), tickets_module.part(view).held[seat]
    missing = tuple(aim for id in held for aim in open_aims(pieces, graph.aims[id]))
    if not missing or "stations" not in view.parts or not stations.part(view).built[seat]:
        return missing
    lent = [[edge_of(route) for route in routes] for routes in borrow(rules, view, seat)]
    completed = best_links(edges_of(rules, view, seat), wants(rules, held), lent).completed
    return tuple(aim for aim in missing if aim.ticket not in completed)
