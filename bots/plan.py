"""Plans the network that a seat wants to build: paths for its tickets that share routes."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bots.board_graph import NOWHERE, Aim, Path, cheapest
from bots.price import LOCOMOTIVE_TURNS, Prices, points_of, prices_of
from bots.situation import Situation
from bots.style import Style
from engine.rules.technologies import catalogue

PACE = 1.35
"""Trains that a seat places per turn, on average, with cards."""
DICE_PACE = 3.2
"""Trains that a seat places per turn, on average, with dice."""
PRIZE = 8.0
"""A route whose gain is at least this many points is planned before any ticket."""


class Plan(NamedTuple):
    routes: tuple[int, ...]
    """The routes to claim."""
    stakes: dict[int, float]
    """The points of the tickets that depend on each of them."""
    value: float
    """Ticket points minus costs and minus the points of tickets that are given up."""
    trains: int
    """Trains left when everything is claimed."""
    turns: float
    """Turns until everything is claimed."""
    technologies: frozenset[str]
    """The technologies to buy."""
    lost: tuple[Aim, ...]
    """Tickets that are given up."""
    lent: tuple[int, ...]
    """Routes of others to borrow."""


def turns_left(situation: Situation) -> float:
    """Return an estimate of how many turns this seat still has."""
    if situation.left is not None:
        return 1.0
    pace = DICE_PACE if situation.dice else PACE
    return 1.5 + max(0, min((situation.trains, *situation.rivals)) - 2) / pace


def plan_for(situation: Situation, style: Style, aims: Sequence[Aim]) -> Plan:
    """Return the best plan found for these tickets."""
    best = _grown(situation, style, aims, by_value=True)
    if style.rounds > 1 and len(aims) > 1:
        best = max(best, _grown(situation, style, aims, by_value=False), key=_value)
    if style.fill and (prize := _prize(situation, style)) is not None and prize not in best.stakes:
        best = max(best, _grown(situation, style, aims, by_value=True, first=prize), key=_value)
    return best


def _value(plan: Plan) -> float:
    return plan.value


def _prize(situation: Situation, style: Style) -> int | None:
    """Return a route that is worth more than most tickets by itself, if there is one."""
    prices = prices_of(situation, style)
    gain, route = max(
        (
            (_gain(situation, style, prices, at), at)
            for at in situation.open
            if at not in prices.lacking
        ),
        default=(0.0, -1),
    )
    return route if gain >= PRIZE else None


def _gain(situation: Situation, style: Style, prices: Prices, at: int) -> float:
    route = situation.graph.routes[at]
    return points_of(situation)[at] - style.turn * prices.turns[at] - style.train * route.length


class _Draft:
    """A plan while it is being made."""

    def __init__(self, situation: Situation, style: Style) -> None:
        self.situation = situation
        self.style = style
        self.prices: Prices = prices_of(situation, style)
        self.costs = list(self.prices.costs)
        self.stakes: dict[int, float] = {}
        self.lent: list[int] = []
        self.value = 0.0
        self.trains = situation.trains
        self.turns = 0.0
        self.technologies: frozenset[str] = frozenset()
        self.budget = turns_left(situation)

    def way(self, aim: Aim) -> Path | None:
        """Return the cheapest path for a ticket, if there are enough trains and turns for it."""
        way = cheapest(self.situation.graph, self.costs, aim.a, aim.b)
        if way is None or way.cost == NOWHERE:
            return None
        new = [route for route in way.routes if self.costs[route]]
        graph = self.situation.graph
        if sum(route in self.prices.lent for route in new) > self.situation.stations - len(
            self.lent
        ):
            return None
        mine = [route for route in new if route not in self.prices.lent]
        if sum(graph.routes[route].length for route in mine) > self.trains:
            return None
        if self.turns + sum(self.prices.turns[route] for route in new) > self.budget:
            return None
        return way

    def add(self, aim: Aim, way: Path) -> None:
        """Add this path to the plan; its routes are then free for other tickets."""
        self.value += aim.points - way.cost
        for route in way.routes:
            if route in self.stakes:
                self.stakes[route] += aim.points
            elif self.costs[route]:
                self.claim(route)
                self.stakes[route] = aim.points

    def claim(self, route: int) -> None:
        if route in self.prices.lent:
            self.lent.append(route)
            self.turns += self.prices.turns[route]
            self.costs[route] = 0.0
            return
        self.trains -= self.situation.graph.routes[route].length
        self.turns += self.prices.turns[route]
        new = self.prices.lacking.get(route, frozenset()) - self.technologies
        self.costs[route] = 0.0
        if new:
            self.technologies |= new
            technologies = catalogue(self.situation.rules).technologies
            self.turns += LOCOMOTIVE_TURNS * sum(technologies[id].price.units for id in new)
            self._reprice()

    def _reprice(self) -> None:
        self.prices = prices_of(self.situation, self.style, self.technologies)
        costs = list(self.prices.costs)
        for route, old in enumerate(self.costs):
            if not old:
                costs[route] = 0.0
        self.costs = costs


def _grown(
    situation: Situation,
    style: Style,
    aims: Iterable[Aim],
    *,
    by_value: bool,
    first: int | None = None,
) -> Plan:
    """Build a plan greedily, by the most valuable ticket or by the cheapest one."""
    draft, pending = _Draft(situation, style), list(aims)
    if first is not None:
        draft.value += _gain(situation, style, draft.prices, first)
        draft.claim(first)
        draft.stakes[first] = 0.0
    while pending:
        ways = [(aim, draft.way(aim)) for aim in pending]
        good = [(aim, way) for aim, way in ways if way and aim.stake > way.cost]
        if not good:
            break
        aim, way = max(good, key=lambda pair: (pair[0].stake if by_value else 0) - pair[1].cost)
        draft.add(aim, way)
        pending = [other for other in pending if other.ticket != aim.ticket]
    lost = {aim.ticket: aim for aim in pending if aim.loss}.values()
    return Plan(
        tuple(route for route in draft.stakes if route not in draft.lent),
        draft.stakes,
        draft.value - sum(aim.loss for aim in lost),
        draft.trains,
        draft.turns,
        draft.technologies,
        tuple(lost),
        tuple(draft.lent),
    )
