"""Which tickets to keep, and whether to draw more."""

from collections.abc import Iterable, Sequence
from itertools import combinations

from bots.board_graph import Aim, cheapest, linked, open_aims
from bots.mind import Mind
from bots.plan import plan_for
from engine import Action
from engine.rules.globetrotter import globetrotter
from engine.rules.ticket_mix import ChooseMix, DrawMixed, ticket_mix
from engine.rules.tickets import ChooseTickets, DrawTickets, KeepTickets, tickets
from engine.values import TicketId

MANY = 5
"""With more tickets than this, only the smallest selections are considered."""
TRAINS = 14
"""Once a seat has fewer trains than this, a bot without `sampling` draws no more tickets."""

NOWHERE_NEAR = -1000.0
"""The gain from a ticket that cannot be completed."""
FORCED = 0.6
"""How bad the best of several bad tickets is, relative to an average one; one must be kept."""
FAME = 5
"""The bonus for the most tickets is shared out over this many tickets."""


def keep(mind: Mind, decision: ChooseTickets) -> Action:
    """Keep the tickets that bring the most points together with those already held."""
    offered = tickets.part(mind.view).offers[decision.seat]
    few_first = sorted(_choices(offered, decision.least), key=len)
    return KeepTickets(max(few_first, key=lambda choice: _value(mind, choice)))


def _choices(ids: Sequence[TicketId], least: int) -> Iterable[tuple[TicketId, ...]]:
    most = len(ids) if len(ids) <= MANY else min(len(ids), least + 1)
    return [choice for number in range(least, most + 1) for choice in combinations(ids, number)]


def _value(mind: Mind, choice: Sequence[TicketId]) -> float:
    situation, done = mind.situation, 0
    aims: list[Aim] = []
    for id in choice:
        ways = situation.graph.aims[id]
        done += max((way.points for way in ways if linked(situation.pieces, way)), default=0)
        aims += open_aims(situation.pieces, ways)
    plan = plan_for(situation, mind.style, (*situation.aims, *aims))
    reachable = len(choice) - sum(aim in plan.lost for aim in aims)
    return done + plan.value + reachable * _fame(mind)


def _fame(mind: Mind) -> float:
    """Return a completed ticket's share of the bonus for the most tickets."""
    if "globetrotter" not in mind.rules.parameters:
        return 0.0
    return globetrotter.parameters(mind.rules).points / FAME


def want_tickets(mind: Mind) -> bool:
    """Return whether drawing more tickets is worth it."""
    if mind.style.sampling:
        if mind.plan.turns > mind.style.ready or mind.time - mind.plan.turns < mind.style.slack:
            return False
        return max(expected(mind, long) for long in _mixes(mind)) > 0
    situation = mind.situation
    return not mind.plan.routes and min((situation.trains, *situation.rivals)) >= TRAINS


def draw_tickets(mind: Mind) -> Action | None:
    """Draw tickets as the action of a turn with cards, if it is worth it."""
    ways = [action for action in mind.actions if isinstance(action, DrawTickets | DrawMixed)]
    if not ways or not want_tickets(mind):
        return None
    return mix(mind) or ways[0]


def mix(mind: Mind) -> Action | None:
    """Announce long tickets: at the start by style, later as many as should bring most.

    A bot that takes no samples draws short ones, which are the easiest to complete.
    """
    ways = {action.long: action for action in mind.actions if isinstance(action, DrawMixed)}
    if not ways:
        return None
    if isinstance(mind.decision, ChooseMix) and mind.decision.opening:
        aim = mind.style.long_tickets
    elif mind.style.sampling:
        aim = max(_mixes(mind), key=lambda long: expected(mind, long))
    else:
        aim = 0
    return ways[min(ways, key=lambda long: abs(long - aim))]


def _mixes(mind: Mind) -> Sequence[int]:
    """Return numbers of long tickets that may be drawn, to be compared: none, or only such."""
    if "ticket_mix" not in mind.rules.parameters:
        return (0,)
    return 0, ticket_mix.parameters(mind.rules).drawn


def drawn(mind: Mind) -> int:
    """Return how many tickets are drawn at a time."""
    if "ticket_mix" in mind.rules.parameters:
        return ticket_mix.parameters(mind.rules).drawn
    return tickets.parameters(mind.rules).drawn


def expected(mind: Mind, long: int = 0) -> float:
    """Return the expected points from drawing tickets, all of them long or none, minus the turn."""
    values, number = marginal(mind, long=long > 0), drawn(mind)
    if not values:
        return 0.0
    good = sum(value for value in values if value > 0) / len(values)
    bad = [value for value in values if value <= 0]
    forced = sum(bad) / len(bad) * (len(bad) / len(values)) ** number * FORCED if bad else 0.0
    return number * good + forced - mind.style.turn


def marginal(mind: Mind, *, long: bool = False) -> list[float]:
    """Return, for each ticket that may be drawn, the points it would add to the plan."""
    situation, plan = mind.situation, mind.plan
    costs = list(mind.prices.costs)
    for route in plan.stakes:
        costs[route] = 0.0
    time = mind.time - plan.turns
    values = []
    deck = ticket_mix.part(mind.view).unseen if long else tickets.part(mind.view).unseen
    for id in deck:
        ways = situation.graph.aims[id]
        values.append(max(float(-ways[0].loss), *(_gain(mind, aim, costs, time) for aim in ways)))
    return values


def _gain(mind: Mind, aim: Aim, costs: Sequence[float], time: float) -> float:
    """Return the points that a ticket would add if it is completed in this way."""
    graph, plan = mind.situation.graph, mind.plan
    way = cheapest(graph, costs, aim.a, aim.b)
    if way is None:
        return NOWHERE_NEAR
    new = [route for route in way.routes if costs[route]]
    trains = sum(graph.routes[route].length for route in new)
    if trains > plan.trains or sum(mind.prices.turns[route] for route in new) > time:
        return NOWHERE_NEAR
    return aim.points + _fame(mind) - way.cost
