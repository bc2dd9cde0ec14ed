"""Texts about routes: titles, help, facts, and what is drawn on the board."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from engine.display import CLOSED, TRAINS, Column, Fact, Help, Mark
from engine.kinds import Decision
from engine.notation import route_name
from engine.options import actions_for
from engine.rules.routes import ClaimRoute, RouteClaimed, edges_of, routes, why_unclaimable
from engine.state import State
from engine.text import signed
from engine.trails import longest_trail
from engine.translate import say, says
from engine.values import RouteId, Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


class TableShown(TypedDict):
    claimed: Annotated[dict[str, list[int]], "The seats that have claimed each route, by its id."]
    closed: Annotated[list[str], "Routes that nobody can claim any more."]


class SeatShown(TypedDict, total=False):
    trains: Annotated[int, "Trains left."]
    route_points: Annotated[int, "Points for routes so far."]


class BoardShown(TypedDict):
    trains: Annotated[int, "How many trains each seat starts with."]
    both_tracks_from: Annotated[
        int, "With at least this many seats, both tracks of a double route can be claimed."
    ]
    route_points: Annotated[dict[str, int], "Points for a route, by its length."]


routes.shapes(table=TableShown, seat=SeatShown, board=BoardShown)


@routes.publishes
def publish(rules: "Ruleset") -> dict[str, Any]:
    settings = routes.parameters(rules)
    return {
        "trains": settings.trains,
        "both_tracks_from": settings.both_tracks_from,
        "route_points": settings.points,
    }


@routes.titles("claim")
def title_claim(rules: "Ruleset", route: RouteId) -> str:
    if not route:
        return say("Claim a route")
    return say("Claim {route}", route=route_name(rules, route))


@routes.helps("claim")
def help_claim(rules: "Ruleset", route: RouteId) -> list[Help]:
    """Explains double routes (R-DBL-1, R-DBL-2)."""
    named = [rules.board.routes[route]] if route else rules.board.routes.values()
    if not any(each.twin for each in named):
        return []
    sentence = say("Two tracks connect the same two cities. You can claim only one of them.")
    if rules.seats < routes.parameters(rules).both_tracks_from:
        more = say("As soon as one is claimed, the other is closed to everybody.")
    else:
        more = say("Another player may claim the other one.")
    return [Help("double_route", say("Double route"), f"{sentence} {more}")]


@routes.holds
def trains_left(rules: "Ruleset", state: State, seat: Seat) -> list[Fact]:
    return [Fact("trains", say("Trains"), str(routes.part(state).trains[seat]))]


@routes.columns
def columns(rules: "Ruleset", state: State) -> list[Column]:
    part = routes.part(state)
    return [
        Column(say("Points"), tuple(map(signed, part.points)), every_round=True),
        Column(say("Trains"), tuple(map(str, part.trains)), every_round=True),
    ]


@routes.names_points("routes")
def name_points(rules: "Ruleset") -> str:
    return say("Routes")


@routes.marks
def marks(rules: "Ruleset", state: State, players: Sequence[str]) -> list[Mark]:
    """Trains on claimed routes; a route without owners is closed."""
    owners = routes.part(state).owners.items()
    return [Mark(id, TRAINS if seats else CLOSED, seats) for id, seats in owners]


@routes.builds(RouteClaimed)
def where_trains_stand(event: RouteClaimed) -> str:
    return event.route


@routes.highlights
def longest(rules: "Ruleset", state: State, seat: Seat) -> Sequence[RouteId]:
    """The seat's longest trail."""
    return longest_trail(edges_of(rules, state, seat)).routes


@routes.shuts
def why_not_claim(rules: "Ruleset", state: State, decision: Decision, place: str) -> str:
    route = rules.board.routes.get(place)
    if route is None:
        return ""
    listed = actions_for(rules, state, decision)
    offered = any(isinstance(action, ClaimRoute) and action.route == place for action in listed)
    return "" if offered else why_unclaimable(rules, state, decision, route)


def spaces(lengths: Sequence[int]) -> str:
    """Lengths in words: “3 spaces”, “4, 5 or 6 spaces”."""
    *some, last = lengths
    if not some:
        return says("{n} space", "{n} spaces", last)
    first = ", ".join(map(str, some))
    return says("{some} or {n} space", "{some} or {n} spaces", last, some=first)
