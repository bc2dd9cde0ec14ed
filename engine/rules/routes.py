"""Claiming routes: double routes, trains and route points."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from engine.checks import Positive
from engine.errors import Illegal, MapError, Refusal, RulesBroken
from engine.kinds import Action, Decision, Paid, action, event
from engine.module import SPEND, Module, Shown
from engine.notation import cannot_pay, no_route, route_name, why_not_paid
from engine.options import actions_for
from engine.purse import Bill
from engine.state import Awaiting, State, closed
from engine.tally import Tally
from engine.trails import Edge, longest_trail
from engine.translate import say
from engine.values import Paying, Payment, Route, RouteId, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

LAST_TRAINS = 2
"""A seat that ends its turn with this many trains or fewer starts the last round (R-END-1)."""


@dataclass(frozen=True, slots=True)
class Parameters:
    trains: Positive
    both_tracks_from: Positive
    """With fewer seats than this, claiming a track closes its twin (R-DBL-2)."""
    points: dict[int, int]
    """Route points by length (R-SCORE-1)."""
    unequal_doubles: bool = False
    """Whether the two tracks of a double route may have different lengths (R-NOR-13)."""


class Network(NamedTuple):
    owners: dict[RouteId, tuple[Seat, ...]]
    """The owners of claimed routes; empty for a route that is closed to all (R-DBL-2)."""
    trains: tuple[int, ...]
    points: tuple[int, ...]


class Aim(NamedTuple):
    """Which routes can be claimed at all: unclaimed ones, or with some rights those of others."""

    keep: Callable[[Network, Seat, Iterable[Route]], list[Route]]
    """Filters routes."""
    why: Callable[[Network, Seat, Route, str], Refusal | None]
    """Why a route, given with its name, was filtered out."""


routes: Module[Parameters, Network] = Module("routes", Parameters, measures=("longest_trail",))


@action("claim")
class ClaimRoute(Action):
    """Claim a route."""

    route: RouteId
    payment: Paying


@event
class RouteClaimed(Paid):
    """A seat has claimed a route."""

    seat: Seat
    route: RouteId
    payment: Paying
    trains: Annotated[int, "How many trains it took."]
    points: Annotated[int, "How many points the seat gets for it."]
    closes: Annotated[RouteId | None, "The parallel track that is closed by it; null if none."]


class Claiming(Decision):
    """Base of decisions that can only be answered with a claim."""

    __slots__ = ()
    pays: ClassVar[bool] = True
    aim: ClassVar[Aim]


@routes.starts
def empty_board(rules: "Ruleset") -> Network:
    settings = routes.parameters(rules)
    missing = {route.length for route in rules.board.routes.values()} - set(settings.points)
    if missing:
        raise MapError("parameters.routes.points", f"no points for length {min(missing)}")
    if not settings.unequal_doubles:
        _check_lengths(rules)
    return Network({}, (settings.trains,) * rules.seats, (0,) * rules.seats)


def _check_lengths(rules: "Ruleset") -> None:
    """Both tracks of a double route have the same length (R-DBL-0)."""
    for route in rules.board.routes.values():
        if route.twin and rules.board.routes[route.twin].length != route.length:
            raise MapError(f"routes[{route.id}].twin", "both tracks must have the same length")


def too_few_trains(rules: "Ruleset", state: State, seat: Seat, route: Route) -> str:
    return say("You do not have enough trains for {route}.", route=route_name(rules, route.id))


@routes.bars("R-CLAIM-2", too_few_trains)
def enough_trains(rules: "Ruleset", state: State, seat: Seat, some: Iterable[Route]) -> list[Route]:
    left = routes.part(state).trains[seat]
    return [route for route in some if route.length <= left]


def other_track(rules: "Ruleset", state: State, seat: Seat, route: Route) -> str:
    return say("The other track of {route} is already yours.", route=route_name(rules, route.id))


@routes.bars("R-DBL-1", other_track)
def not_both_tracks(
    rules: "Ruleset", state: State, seat: Seat, some: Iterable[Route]
) -> list[Route]:
    owners, beside = routes.part(state).owners, rules.beside
    return [
        route
        for route in some
        if route.twin is None
        or not any(seat in owners.get(track, ()) for track in beside[route.id])
    ]


def unclaimed(part: Network, seat: Seat, some: Iterable[Route]) -> list[Route]:
    """The routes that are neither claimed nor closed (R-CLAIM-1)."""
    owners = part.owners
    return [route for route in some if route.id not in owners]


def why_claimed(part: Network, seat: Seat, route: Route, name: str) -> Refusal | None:
    if part.owners.get(route.id) == ():
        sentence = say("{route} is closed: its other track has been claimed.", route=name)
        return Illegal(sentence, "R-DBL-2")
    if route.id in part.owners:
        if seat in part.owners[route.id]:
            return Illegal(say("{route} is already yours.", route=name), "R-CLAIM-1")
        return Illegal(say("{route} belongs to another player.", route=name), "R-CLAIM-1")
    return None


UNCLAIMED = Aim(unclaimed, why_claimed)


def claims(
    rules: "Ruleset", state: State, seat: Seat, aim: Aim = UNCLAIMED
) -> Sequence[ClaimRoute]:
    """Every way to claim every route, route by route; cached for the latest state."""
    last = rules.memory.get("claims")
    if last is not None and last[0] is state and last[1] == seat and last[2] is aim:
        remembered: Sequence[ClaimRoute] = last[3]
        return remembered
    listed = _claims(rules, state, seat, aim)
    rules.memory["claims"] = (state, seat, aim, listed)
    return listed


def _claims(rules: "Ruleset", state: State, seat: Seat, aim: Aim) -> Sequence[ClaimRoute]:
    """Filters by what can be paid first, because that leaves the fewest routes."""
    place, tiers = rules.tiers.place, open_tiers(rules, state, seat)
    ways = rules.purse.payments(rules, state, seat, rules.tiers.costs)
    some = [route for at in ways for route in tiers[at]]
    if not some:
        return []
    some = aim.keep(routes.part(state), seat, some)
    for bar in rules.passing:
        some = bar.keep(rules, state, seat, some)
    some.sort()
    return [ClaimRoute(route.id, payment) for route in some for payment in ways[place[route.id]]]


def can_claim_beside(
    rules: "Ruleset", state: State, seat: Seat, meant: Iterable[ClaimRoute], payment: Payment
) -> bool:
    """Whether any of these claims could still be paid for after this payment."""
    ways = rules.purse.payments(rules, state, seat, rules.tiers.costs, payment)
    return any(rules.tiers.place[claim.route] in ways for claim in meant)


def open_tiers(rules: "Ruleset", state: State, seat: Seat) -> Sequence[Sequence[Route]]:
    """The routes of each tier that pass the bars with a cache key; cached by these keys."""
    if not rules.standing:
        return rules.tiers.routes
    key = ("tiers", *[bar.by(rules, state, seat) for bar in rules.standing if bar.by])
    tiers: Sequence[Sequence[Route]] | None = rules.memory.get(key)
    if tiers is None:
        tiers = rules.tiers.routes
        for bar in rules.standing:
            tiers = [bar.keep(rules, state, seat, tier) for tier in tiers]
        rules.memory[key] = tiers
    return tiers


@routes.offers(SPEND)
def offer_claims(rules: "Ruleset", state: State, decision: Decision) -> Sequence[Action]:
    return claims(rules, state, decision.seat)


@routes.admits(ClaimRoute)
def other_payments(rules: "Ruleset", state: State, decision: Decision, action: ClaimRoute) -> bool:
    """A route on the list may be claimed with any payment that covers its cost."""
    offered = any(
        isinstance(other, ClaimRoute) and other.route == action.route
        for other in actions_for(rules, state, decision)
    )
    return offered and rules.purse.accepts(
        rules, state, decision.seat, rules.costs[action.route], action.payment
    )


@routes.explains(ClaimRoute)
def why_no_claim(rules: "Ruleset", state: State, decision: Decision, action: ClaimRoute) -> Refusal:
    route = rules.board.routes.get(action.route)
    if route is None:
        return Illegal(no_route(action.route), "R-CLAIM-1")
    barred = _why_not(rules, state, decision, route)
    if barred is not None:
        return barred
    bill = Bill(rules, state, decision.seat, rules.costs[route.id])
    return Illegal(why_not_paid(bill, action.payment, route_name(rules, route.id)), "R-CLAIM-6")


def why_unclaimable(rules: "Ruleset", state: State, decision: Decision, route: Route) -> str:
    """Why a route that is not offered cannot be claimed with any payment."""
    barred = _why_not(rules, state, decision, route)
    if barred is not None:
        return barred.sentence
    name = route_name(rules, route.id)
    missing = rules.purse.shortfall(Bill(rules, state, decision.seat, rules.costs[route.id])).words
    if missing:
        return say("You still need {missing} for {route}.", route=name, missing=missing)
    return cannot_pay(name)


def _why_not(rules: "Ruleset", state: State, decision: Decision, route: Route) -> Refusal | None:
    """The reason why a route cannot be claimed, apart from the payment."""
    if not isinstance(decision, Claiming) and SPEND not in rules.purse.occasions.get(
        type(decision), ()
    ):
        return Illegal(say("You can claim a route only as the action of your turn."), "R-TURN-1")
    name, seat = route_name(rules, route.id), decision.seat
    why = aim_of(decision).why(routes.part(state), seat, route, name)
    return why or _barred(rules, state, seat, route)


def aim_of(decision: Decision) -> Aim:
    """Which routes this decision lets a seat claim."""
    return decision.aim if isinstance(decision, Claiming) else UNCLAIMED


def _barred(rules: "Ruleset", state: State, seat: Seat, route: Route) -> Refusal | None:
    """The refusal of the first bar that keeps the seat from the route."""
    for bar in rules.bars:
        if not bar.keep(rules, state, seat, [route]):
            return Illegal(bar.why(rules, state, seat, route), bar.rule)
    return None


@routes.decides(ClaimRoute)
def lay_trains(play: "Play", decision: Decision, action: ClaimRoute) -> None:
    claim(play, decision.seat, action.route, action.payment)


def claim(play: "Play", seat: Seat, id: RouteId, payment: Payment) -> None:
    """Record a claim: payment, trains and points in one event (R-CLAIM-7)."""
    rules, settings = play.rules, routes.parameters(play.rules)
    route = rules.board.routes[id]
    points = worth(rules, play.state, seat, route)
    closes = _last_track(play, id) if rules.seats < settings.both_tracks_from else None
    play.record(RouteClaimed(seat, id, payment, route.length, points, closes))


def _last_track(play: "Play", id: RouteId) -> RouteId | None:
    """The track that is closed by claiming this one: the last that is left (R-DBL-2, R-GER-3)."""
    owners = routes.part(play.state).owners
    left = [track for track in play.rules.beside[id] if not owners.get(track)]
    return left[0] if len(left) == 1 else None


def worth(rules: "Ruleset", state: State, seat: Seat, route: Route) -> int:
    """The points for claiming the route now (R-SCORE-1)."""
    points = routes.parameters(rules).points[route.length]
    for run in rules.rewards:
        points += run(rules, state, seat, route)
    return points


@routes.evolves(RouteClaimed)
def claimed(part: Network, event: RouteClaimed) -> Network:
    seat = event.seat
    owners = part.owners.copy()
    owners[event.route] = (*owners.get(event.route, ()), seat)
    trains, points = list(part.trains), list(part.points)
    trains[seat] -= event.trains
    points[seat] += event.points
    if event.closes:
        owners[event.closes] = ()
    return Network(owners, tuple(trains), tuple(points))


@routes.awaits(RouteClaimed)
def claim_made(awaiting: Awaiting, event: RouteClaimed) -> Awaiting:
    return closed(awaiting, event.seat)


@routes.ends
def few_trains(rules: "Ruleset", state: State, seat: Seat) -> bool:
    return routes.part(state).trains[seat] <= LAST_TRAINS


def edges_of(rules: "Ruleset", state: State, seat: Seat) -> list[Edge]:
    """The seat's own network as edges."""
    return [
        edge_of(rules.board.routes[id])
        for id, owners in routes.part(state).owners.items()
        if seat in owners
    ]


def edge_of(route: Route) -> Edge:
    return Edge(route.id, *route.cities, route.length)


@routes.scores
def score_routes(rules: "Ruleset", state: State, tally: Tally) -> None:
    """Route points were scored when claiming (R-SCORE-2); all trails are measured (R-DIG-11)."""
    for seat, gained in enumerate(routes.part(state).points):
        edges = edges_of(rules, state, seat)
        tally.add(seat, "routes", gained, [edge.route for edge in edges])
        tally.trails[seat] = longest_trail(edges).length
    tally.measures["longest_trail"] = tally.trails


@routes.accounts
def count_trains(rules: "Ruleset", state: State) -> None:
    part, each = routes.part(state), routes.parameters(rules).trains
    for seat, left in enumerate(part.trains):
        laid = sum(edge.length for edge in edges_of(rules, state, seat))
        if left < 0 or left + laid != each:
            raise RulesBroken(f"seat {seat} has {left} trains left and {laid} laid of {each}")


@routes.shows
def show(rules: "Ruleset", state: State) -> Shown:
    part = routes.part(state)
    pieces = zip(part.trains, part.points, strict=True)
    return Shown(
        {
            "claimed": {id: list(owners) for id, owners in part.owners.items() if owners},
            "closed": [id for id, owners in part.owners.items() if not owners],
        },
        [{"trains": trains, "route_points": points} for trains, points in pieces],
    )
