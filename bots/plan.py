"""The network a seat means to build: ways for its tickets that share what they can."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bots.price import LOCOMOTIVE_TURNS, Prices, points_of, prices_of
from bots.sight import Sight
from bots.style import Style
from bots.terrain import NOWHERE, Aim, Way, cheapest
from engine.rules.technologies import catalogue

PACE = 1.35
"""Trains that a seat lays in a turn, on average, with cards."""
DICE_PACE = 3.2
"""The same with dice."""
PRIZE = 8.0
"""A route that brings so much beyond its cost is planned for before any ticket."""


class Plan(NamedTuple):
    routes: tuple[int, ...]
    """To be claimed."""
    stakes: dict[int, float]
    """For each of them the points of the tickets that hang on it."""
    value: float
    """Ticket points less costs; tickets that are given up count against it."""
    trains: int
    """Left when all is claimed."""
    turns: float
    """Until all is claimed."""
    technologies: frozenset[str]
    """To be bought."""
    lost: tuple[Aim, ...]
    """Tickets that are given up."""
    lent: tuple[int, ...]
    """Routes of others that are to be borrowed."""


def turns_left(sight: Sight) -> float:
    """A guess how many turns this seat will still have."""
    if sight.left is not None:
        return 1.0
    pace = DICE_PACE if sight.dice else PACE
    return 1.5 + max(0, min((sight.trains, *sight.rivals)) - 2) / pace


def plan_for(sight: Sight, style: Style, aims: Sequence[Aim]) -> Plan:
    """The best plan found for these tickets."""
    found = _grown(sight, style, aims, by_value=True)
    if style.rounds > 1 and len(aims) > 1:
        found = max(found, _grown(sight, style, aims, by_value=False), key=_value)
    if style.fill and (prize := _prize(sight, style)) is not None and prize not in found.stakes:
        found = max(found, _grown(sight, style, aims, by_value=True, first=prize), key=_value)
    return found


def _value(plan: Plan) -> float:
    return plan.value


def _prize(sight: Sight, style: Style) -> int | None:
    """A route that is worth more by itself than most tickets, if there is one."""
    prices = prices_of(sight, style)
    gain, route = max(
        ((_gain(sight, style, prices, at), at) for at in sight.open if at not in prices.lacking),
        default=(0.0, -1),
    )
    return route if gain >= PRIZE else None


def _gain(sight: Sight, style: Style, prices: Prices, at: int) -> float:
    route = sight.terrain.routes[at]
    return points_of(sight)[at] - style.turn * prices.turns[at] - style.train * route.length


class _Draft:
    """A plan while it is being made."""

    def __init__(self, sight: Sight, style: Style) -> None:
        self.sight = sight
        self.style = style
        self.prices: Prices = prices_of(sight, style)
        self.costs = list(self.prices.costs)
        self.stakes: dict[int, float] = {}
        self.lent: list[int] = []
        self.value = 0.0
        self.trains = sight.trains
        self.turns = 0.0
        self.technologies: frozenset[str] = frozenset()
        self.budget = turns_left(sight)

    def way(self, aim: Aim) -> Way | None:
        """The cheapest way for a ticket that trains and time allow."""
        way = cheapest(self.sight.terrain, self.costs, aim.a, aim.b)
        if way is None or way.cost == NOWHERE:
            return None
        new = [route for route in way.routes if self.costs[route]]
        terrain = self.sight.terrain
        if sum(route in self.prices.lent for route in new) > self.sight.stations - len(self.lent):
            return None
        mine = [route for route in new if route not in self.prices.lent]
        if sum(terrain.routes[route].length for route in mine) > self.trains:
            return None
        if self.turns + sum(self.prices.turns[route] for route in new) > self.budget:
            return None
        return way

    def add(self, aim: Aim, way: Way) -> None:
        """Build this way as well; what it has paid for is free for the others."""
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
        self.trains -= self.sight.terrain.routes[route].length
        self.turns += self.prices.turns[route]
        new = self.prices.lacking.get(route, frozenset()) - self.technologies
        self.costs[route] = 0.0
        if new:
            self.technologies |= new
            known = catalogue(self.sight.rules).technologies
            self.turns += LOCOMOTIVE_TURNS * sum(known[id].price.units for id in new)
            self._reprice()

    def _reprice(self) -> None:
        self.prices = prices_of(self.sight, self.style, self.technologies)
        costs = list(self.prices.costs)
        for route, old in enumerate(self.costs):
            if not old:
                costs[route] = 0.0
        self.costs = costs


def _grown(
    sight: Sight, style: Style, aims: Iterable[Aim], *, by_value: bool, first: int | None = None
) -> Plan:
    """Ticket after ticket: the one that brings most, or the one that costs least."""
    draft, pending = _Draft(sight, style), list(aims)
    if first is not None:
        draft.value += _gain(sight, style, draft.prices, first)
        draft.claim(first)
        draft.stakes[first] = 0.0
    while pending:
        ways = [(aim, draft.way(aim)) for aim in pending]
        good = [(aim, way) for aim, way in ways if way and 2 * aim.points > way.cost]
        if not good:
            break
        aim, way = max(good, key=lambda one: (2 * one[0].points if by_value else 0) - one[1].cost)
        draft.add(aim, way)
        pending.remove(aim)
    return Plan(
        tuple(route for route in draft.stakes if route not in draft.lent),
        draft.stakes,
        draft.value - sum(aim.points for aim in pending),
        draft.trains,
        draft.turns,
        draft.technologies,
        tuple(pending),
        tuple(draft.lent),
    )
