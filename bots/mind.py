"""Mind: the values that a planning bot needs for one decision, computed lazily."""

from collections.abc import Sequence
from functools import cached_property

from bots.hands import Want, missing, want_of
from bots.plan import Plan, plan_for, turns_left
from bots.price import CARD, DIG, Prices, collected, points_of, prices_of, turns_for
from bots.situation import Situation, situation_of
from bots.style import Style
from bots.technology_value import bonus, worth_saving_for
from engine import Action, Decision, Ruleset, State, options
from engine.options import owed_by
from engine.rules.stations import price as station_price
from engine.rules.stations import stations
from engine.rules.technologies import catalogue
from engine.rules.technology_rows import Technology
from engine.values import Cost, Seat

FILL = 3
"""How many routes are targeted beyond those that tickets need."""
LOOKED_AT = 14
"""How many of the most promising routes are considered as such targets."""


class Mind:
    """One decision of a planning bot; each property is computed once, on first access."""

    def __init__(self, rules: Ruleset, view: State, seat: Seat, style: Style) -> None:
        self.rules = rules
        self.view = view
        self.seat = seat
        self.style = style
        self.decision: Decision = owed_by(view, seat)
        self.actions: Sequence[Action] = options(rules, view, seat).actions

    @cached_property
    def situation(self) -> Situation:
        return situation_of(self.rules, self.view, self.seat)

    @cached_property
    def plan(self) -> Plan:
        return plan_for(self.situation, self.style, self.situation.aims)

    @cached_property
    def prices(self) -> Prices:
        return prices_of(self.situation, self.style, self.plan.technologies)

    @cached_property
    def prices_now(self) -> Prices:
        """The prices with only the technologies that the seat owns now."""
        return prices_of(self.situation, self.style)

    @cached_property
    def time(self) -> float:
        """An estimate of how many turns are left."""
        return turns_left(self.situation)

    @cached_property
    def size(self) -> int:
        """How many cards of any colour count as a locomotive; 0 if none do."""
        return self.rules.terms(self.view, self.seat).substitute

    def worth(self, route: int) -> float:
        """Return the points for claiming a route, and the value of the passengers at its ends."""
        situation = self.situation
        return points_of(situation)[route] + collected(situation, self.style.passenger)[route]

    def cost(self, route: int) -> Cost:
        return self.rules.costs[self.situation.graph.routes[route].id]

    def price(self, technology: str) -> Cost:
        return catalogue(self.rules).technologies[technology].price

    def bonus(self, technology: Technology) -> float:
        """Return what a technology brings by itself, if the style considers that."""
        return bonus(self.situation, self.plan, technology) if self.style.fill else 0.0

    @cached_property
    def needed(self) -> list[Cost]:
        """What the plan has to pay for apart from routes: technologies and stations."""
        costs = [self.price(id) for id in sorted(self.plan.technologies)]
        if self.style.fill:
            costs += [
                self.price(id) for id in worth_saving_for(self.situation, self.style, self.plan)
            ]
        if self.plan.lent:
            first = station_price(stations.part(self.view), self.seat)
            more = range(len(self.plan.lent))
            costs += [first._replace(units=first.units + step) for step in more]
        return costs

    @cached_property
    def targets(self) -> tuple[int, ...]:
        """The routes to claim: those of the plan, and others that are worth it."""
        if self.style.fill or not self.plan.routes:
            return self.plan.routes + self._fill(FILL if self.style.fill else 1)
        return self.plan.routes

    def wants(self, routes: Sequence[int], more: Sequence[Cost] = ()) -> list[Want]:
        """Return the costs of these routes, and more costs."""
        return [*map(want_of, more), *[want_of(self.cost(route)) for route in routes]]

    def _fill(self, number: int) -> tuple[int, ...]:
        """Return routes for the trains and turns that the plan leaves, the best bargain first."""
        situation, chosen = self.situation, list[int]()
        trains, turns = self.plan.trains, self.plan.turns
        candidates = self._bargains()
        while candidates and len(chosen) < number:
            rated = [
                (self._bargain(route, chosen), route)
                for route in candidates
                if situation.graph.routes[route].length <= trains
            ]
            if not rated:
                break
            (gain, taking), route = max(rated)
            if gain <= 0 or turns + taking > self.time + 1:
                break
            chosen.append(route)
            trains -= situation.graph.routes[route].length
            turns += taking
            routes = situation.graph.routes
            gone = {routes[route].id, *self.rules.beside[routes[route].id]}
            candidates = [other for other in candidates if routes[other].id not in gone]
        return tuple(chosen)

    def _bargains(self) -> list[int]:
        """Return the most promising routes by a quick estimate."""
        situation, style = self.situation, self.style._replace(hand=True)
        lacking = self.prices.lacking
        rated = sorted(
            (style.turn * turns_for(situation, style, route) - self.worth(route), route)
            for route in situation.open
            if route not in self.plan.stakes and route not in lacking
        )
        return [route for _, route in rated[:LOOKED_AT]]

    def _bargain(self, route: int, chosen: Sequence[int]) -> tuple[float, float]:
        """Return the points of a route minus the value of its turns, and the number of turns."""
        if self.situation.dice:
            turns = self.prices.turns[route]
        else:
            before = self.wants([*self.plan.routes, *chosen], self.needed)
            after = [*before, want_of(self.cost(route))]
            hand = self.situation.hand
            extra = missing(hand, after, self.size) - missing(hand, before, self.size)
            turns = 1.0 + CARD * extra
            if self.situation.graph.routes[route].kind == "tunnel":
                turns += CARD * DIG
        return self.worth(route) - self.style.turn * turns, turns
