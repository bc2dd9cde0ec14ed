"""What a seat sees, put the way a player thinks of it."""

from collections.abc import Sequence
from typing import NamedTuple

from bots.board_graph import Aim, BoardGraph, graph_of, joined, linked
from engine import Ruleset, State
from engine.rules.dice import longest
from engine.rules.dice_purse import Dice
from engine.rules.routes import edge_of, edges_of
from engine.rules.routes import routes as routes_module
from engine.rules.stations import borrow, stations
from engine.rules.technologies import technologies
from engine.rules.tickets import tickets as tickets_module
from engine.rules.tickets import wants
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
    """Routes that nobody has and the seat has trains for, whatever else they ask for."""
    foreign: tuple[int, ...]
    """Routes that only others have."""
    pieces: tuple[int, ...]
    """For each city the piece of the seat's own network that it lies in."""
    trains: int
    rivals: tuple[int, ...]
    """The trains of the others, in the order in which they come to move."""
    aims: tuple[Aim, ...]
    """Tickets that are held and not completed."""
    done: int
    """How many are completed."""
    hand: Counts
    dice: Dice | None
    tokens: Tokens
    owned: tuple[str, ...]
    """Technologies."""
    stations: int
    """Stations left to build."""
    station_price: int
    station_points: int
    """What a station brings that is never built."""
    left: int | None
    """Turns left in the last round."""


def situation_of(rules: Ruleset, view: State, seat: Seat) -> Situation:
    """A seat's view, looked over."""
    graph, network = graph_of(rules), routes_module.part(view)
    owners = network.owners
    own = tuple(graph.at[id] for id, has in owners.items() if seat in has)
    pieces = tuple(joined(graph, own))
    aims = [graph.aims[id] for id in tickets_module.part(view).held[seat]]
    missing = _missing(rules, view, seat, aims, pieces)
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
        len(aims) - len(missing),
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
        if route.length <= reach and route.id not in network.owners and route.twin not in mine
    )


def _stations(rules: Ruleset, view: State, seat: Seat) -> tuple[int, int, int]:
    if "stations" not in view.parts:
        return 0, 0, 0
    settings, built = stations.parameters(rules), len(stations.part(view).built[seat])
    return settings.each - built, built + 1, settings.unused_points


def _missing(
    rules: Ruleset, view: State, seat: Seat, aims: Sequence[Aim], pieces: Sequence[int]
) -> tuple[Aim, ...]:
    """Tickets that are not completed, with the best use of the stations that stand."""
    missing = tuple(aim for aim in aims if not linked(pieces, aim))
    if not missing or "stations" not in view.parts or not stations.part(view).built[seat]:
        return missing
    lent = [[edge_of(route) for route in some] for some in borrow(rules, view, seat)]
    ids = [aim.ticket for aim in aims]
    completed = best_links(edges_of(rules, view, seat), wants(rules, ids), lent).completed
    return tuple(aim for aim in missing if aim.ticket not in completed)
