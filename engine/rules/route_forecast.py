"""What is still needed for the routes that a seat means to claim, one after the other."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.forecast import DONE, EXCESS, LOCKED, LOST, OPEN, Outlook, Prospect
from engine.module import Bar
from engine.notation import route_name
from engine.purse import Bill
from engine.rules.routes import UNCLAIMED, Aim, Claiming, routes, worth
from engine.state import State
from engine.translate import say
from engine.values import Payment, Route, RouteId, Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@routes.foresees
def foresee(rules: "Ruleset", state: State, seat: Seat, planned: Sequence[RouteId]) -> Outlook:
    """Judge each route after those before it, which have taken their trains and cards."""
    part = routes.part(state)
    left, prospects = _Left(part.trains[seat]), []
    owners = part.owners.copy()
    for id in planned:
        route = rules.board.routes[id]
        prospect = _by_itself(rules, state, seat, route)
        if prospect.counts:
            prospect, left = _after(rules, state, seat, prospect, left)
        if prospect.counts:
            owners[id] = (*owners.get(id, ()), seat)
        prospects.append(prospect)
    then = state._replace(parts={**state.parts, "routes": part._replace(owners=owners)})
    others = (route for route in rules.board.routes.values() if route.id not in planned)
    may_be_claimed = (route.id for route in others if _by_itself(rules, state, seat, route).counts)
    return Outlook(tuple(prospects), part.trains[seat], tuple(may_be_claimed), then)


class _Left(NamedTuple):
    """What the routes before have left to a seat."""

    trains: int
    spent: Payment | None = None
    taken: tuple[RouteId, ...] = ()


def _by_itself(rules: "Ruleset", state: State, seat: Seat, route: Route) -> Prospect:
    """Judge a route as if it were the only one, and leave its cost open."""
    name = route_name(rules, route.id)
    prospect = Prospect(route.id, name, OPEN, trains=route.length)
    if seat in routes.part(state).owners.get(route.id, ()):
        return prospect._replace(status=DONE)
    for bar in rules.passing:
        if not bar.keep(rules, state, seat, [route]):
            return prospect._replace(status=LOST, reason=bar.why(rules, state, seat, route))
    taken = UNCLAIMED.why(routes.part(state), seat, route, name)
    if taken:
        may_be_taken = any(
            aim.why(routes.part(state), seat, route, name) is None for aim in _other_aims(rules)
        )
        status = LOCKED if may_be_taken else LOST
        return prospect._replace(status=status, reason=taken.sentence)
    return _unlocked(rules, state, seat, prospect, route)


def _other_aims(rules: "Ruleset") -> Iterator[Aim]:
    """The aims of rights that let seats claim other routes than free ones."""
    for kind in rules.keys("asks"):
        if issubclass(kind, Claiming):
            yield kind.aim


def _unlocked(
    rules: "Ruleset", state: State, seat: Seat, prospect: Prospect, route: Route
) -> Prospect:
    closed: Bar | None = next(
        (bar for bar in rules.standing if not bar.keep(rules, state, seat, [route])), None
    )
    if closed is None:
        return prospect
    return prospect._replace(status=LOCKED, reason=closed.why(rules, state, seat, route))


def _after(
    rules: "Ruleset", state: State, seat: Seat, prospect: Prospect, left: _Left
) -> tuple[Prospect, _Left]:
    """Judge a route after those before it, and return what it leaves in turn."""
    route, name = rules.board.routes[prospect.route], prospect.name
    if route.twin in left.taken:
        reason = say("The other track of {route} comes before it.", route=name)
        return prospect._replace(status=EXCESS, reason=reason), left
    if route.length > left.trains:
        reason = say("The routes before it leave too few trains for {route}.", route=name)
        return prospect._replace(status=EXCESS, reason=reason), left
    cost = rules.costs[route.id]
    shortfall = rules.purse.shortfall(Bill(rules, state, seat, cost, left.spent))
    prospect = prospect._replace(
        points=worth(rules, state, seat, route),
        price=rules.purse.price(cost),
        shortfall=shortfall,
    )
    spent = shortfall.spent
    if left.spent and spent:
        spent = rules.purse.join(left.spent, spent)
    return prospect, _Left(left.trains - route.length, spent, (*left.taken, route.id))
