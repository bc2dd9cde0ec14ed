"""Texts about routes: labels, notation, menu, help, facts, and what is drawn on the board."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from engine.display import CLOSED, TRAINS, Column, Fact, Help, Mark, note_on
from engine.kinds import Action, Decision
from engine.menu import Entry, paid_ways
from engine.notation import payments_in, route_and_payment, route_name, routes_in
from engine.options import Option, actions_for
from engine.purse import Bill
from engine.rules.routes import (
    ClaimRoute,
    RouteClaimed,
    aim_of,
    edges_of,
    routes,
    why_unclaimable,
    worth,
)
from engine.state import State
from engine.text import points, signed
from engine.trails import longest_trail
from engine.translate import say, says
from engine.values import Payment, RouteId, Seat

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


@routes.labels(ClaimRoute)
def label_claim(rules: "Ruleset", state: State, action: ClaimRoute) -> str:
    """The points are those of the seat to move: nobody else can claim now."""
    route = rules.board.routes[action.route]
    name, gain = route_name(rules, route.id), worth(rules, state, state.awaiting[0].seat, route)
    return say(
        "Claim {route} with {payment} ({points})",
        route=name,
        payment=action.payment.spoken,
        points=points(gain),
    )


@routes.groups(ClaimRoute)
def group_claim(rules: "Ruleset", action: ClaimRoute) -> str:
    return f"claim {action.route}"


@routes.enters(ClaimRoute)
def enter_claims(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[ClaimRoute]
) -> list[Entry]:
    """An entry for each route, with the ways to pay for it."""
    return [
        _entry(rules, state, decision.seat, list(same))
        for _, same in groupby(actions, attrgetter("route"))
    ]


def _entry(rules: "Ruleset", state: State, seat: Seat, claims: Sequence[ClaimRoute]) -> Entry:
    id, payments = claims[0].route, [claim.payment for claim in claims]
    cost = rules.costs[id]
    return Entry(
        "claim",
        id,
        title_claim(rules, id),
        f"claim {id}",
        f"claim {id} with",
        "payment",
        paid_ways(Bill(rules, state, seat, cost), payments, partial(ClaimRoute, id)),
        costs=rules.purse.price(cost),
        note=note_on(rules, f"claim {id}"),
        points=worth(rules, state, seat, rules.board.routes[id]),
        reveals=Option(rules, state, claims[0]).reveals,
    )


@routes.writes(ClaimRoute)
def write_claim(rules: "Ruleset", action: ClaimRoute) -> str:
    return f"claim {action.route} with {action.payment}"


@routes.reads("claim")
def read_claim(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Without a payment, every way to pay is meant, with its fewest locomotives."""
    where, given = route_and_payment(rules, words)
    named = [rules.board.routes[id] for id in routes_in(rules, where)]
    aimed = aim_of(decision).keep(routes.part(state), decision.seat, named)
    return [
        ClaimRoute(id, payment)
        for id in _unlike(rules, [route.id for route in aimed or named])
        for payment in payments_in(
            Bill(rules, state, decision.seat, rules.costs[id]),
            _listed(rules, state, decision, id),
            given,
        )
    ]


def _listed(rules: "Ruleset", state: State, decision: Decision, id: RouteId) -> list[Payment]:
    return [
        action.payment
        for action in actions_for(rules, state, decision)
        if isinstance(action, ClaimRoute) and action.route == id
    ]


def _unlike(rules: "Ruleset", ids: Iterable[RouteId]) -> list[RouteId]:
    """Only the first of several tracks that cost the same: a player does not care which."""
    return list({rules.costs[id]: id for id in reversed(list(ids))}.values())[::-1]


@routes.tells(RouteClaimed)
def tell_claim(rules: "Ruleset", event: RouteClaimed, names: Sequence[str]) -> str:
    return say(
        "{who} claims {route} with {payment} for {points}.",
        who=names[event.seat],
        route=route_name(rules, event.route),
        payment=event.payment.spoken,
        points=points(event.points),
    )


@routes.helps("claim")
def help_claim(rules: "Ruleset", route: RouteId) -> list[Help]:
    """Explains double routes (R-DBL-1, R-DBL-2), and triple ones (R-GER-3)."""
    named = [route] if route else rules.board.routes
    others = {len(rules.beside[id]) for id in named}
    closes = rules.seats < routes.parameters(rules).both_tracks_from
    explained = []
    if 1 in others:
        sentence = say("Two tracks connect the same two cities. You can claim only one of them.")
        if closes:
            more = say("As soon as one is claimed, the other is closed to everybody.")
        else:
            more = say("Another player may claim the other one.")
        explained.append(Help("double_route", say("Double route"), f"{sentence} {more}"))
    if 2 in others:
        sentence = say("Three tracks connect the same two cities. You can claim only one of them.")
        if closes:
            more = say("As soon as two are claimed, the third is closed to everybody.")
        else:
            more = say("Other players may claim the other two.")
        explained.append(Help("triple_route", say("Triple route"), f"{sentence} {more}"))
    return explained


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
