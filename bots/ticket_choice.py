"""Which tickets to keep, and whether to draw more."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from bots.board_graph import Aim, cheapest, linked
from bots.mind import Mind
from bots.plan import plan_for
from engine import Action
from engine.rules.globetrotter import globetrotter
from engine.rules.tickets import ChooseTickets, DrawTickets, KeepTickets, tickets

MANY = 5
"""With more tickets than this, only the smallest selections are considered."""
TRAINS = 14
"""Once a seat has fewer trains than this, a bot without `sampling` draws no more tickets."""

FORCED = 0.6
"""How bad the best of several bad tickets is, relative to an average one; one must be kept."""
FAME = 5
"""The bonus for the most tickets is shared out over this many tickets."""


def keep(mind: Mind, decision: ChooseTickets) -> Action:
    """Keep the tickets that bring the most points together with those already held."""
    offered = tickets.part(mind.view).offers[decision.seat]
    aims = [mind.situation.graph.aims[id] for id in offered]
    worst_first = sorted(_choices(aims, decision.least), key=len)
    best = max(worst_first, key=lambda choice: _value(mind, choice))
    ids = {aim.ticket for aim in best}
    return KeepTickets(tuple(id for id in offered if id in ids))


def _choices(aims: Sequence[Aim], least: int) -> Iterable[tuple[Aim, ...]]:
    most = len(aims) if len(aims) <= MANY else min(len(aims), least + 1)
    return [choice for number in range(least, most + 1) for choice in combinations(aims, number)]


def _value(mind: Mind, choice: Sequence[Aim]) -> float:
    situation = mind.situation
    done = sum(aim.points for aim in choice if linked(situation.pieces, aim))
    aims = [aim for aim in choice if not linked(situation.pieces, aim)]
    plan = plan_for(situation, mind.style, (*situation.aims, *aims))
    reachable = len(choice) - sum(aim in plan.lost for aim in aims)
    return done + plan.value + reachable * _fame(mind)


def _fame(mind: Mind) -> float:
    """A completed ticket's share of the bonus for the most tickets."""
    if "globetrotter" not in mind.rules.parameters:
        return 0.0
    return globetrotter.parameters(mind.rules).points / FAME


def want_tickets(mind: Mind) -> bool:
    """Whether drawing more tickets is worth it."""
    if mind.style.sampling:
        if mind.plan.turns > mind.style.ready or mind.time - mind.plan.turns < mind.style.slack:
            return False
        return expected(mind, tickets.parameters(mind.rules).drawn) > 0
    situation = mind.situation
    return not mind.plan.routes and min((situation.trains, *situation.rivals)) >= TRAINS


def draw_tickets(mind: Mind) -> Action | None:
    """Draw tickets as the action of a turn with cards, if it is worth it."""
    ways = [action for action in mind.actions if isinstance(action, DrawTickets)]
    return ways[0] if ways and want_tickets(mind) else None


def expected(mind: Mind, number: int) -> float:
    """The expected points from drawing this many tickets, minus the turn it takes."""
    values = marginal(mind)
    if not values:
        return 0.0
    good = sum(value for value in values if value > 0) / len(values)
    bad = [value for value in values if value <= 0]
    forced = sum(bad) / len(bad) * (len(bad) / len(values)) ** number * FORCED if bad else 0.0
    return number * good + forced - mind.style.turn


def marginal(mind: Mind) -> list[float]:
    """For each ticket that may be drawn, the points it would add to the plan."""
    situation, plan = mind.situation, mind.plan
    costs = list(mind.prices.costs)
    for route in plan.stakes:
        costs[route] = 0.0
    time = mind.time - plan.turns
    values = []
    for id in tickets.part(mind.view).unseen:
        aim = situation.graph.aims[id]
        way = cheapest(situation.graph, costs, aim.a, aim.b)
        values.append(float(-aim.points))
        if way is None:
            continue
        new = [route for route in way.routes if costs[route]]
        trains = sum(situation.graph.routes[route].length for route in new)
        if trains <= plan.trains and sum(mind.prices.turns[route] for route in new) <= time:
            values[-1] = max(values[-1], aim.points + _fame(mind) - way.cost)
    return values
