"""How likely it is that a rival takes a route soon."""

from bots.situation import Situation
from engine.rules.routes import routes as routes_module

NEAR = (0.03, 0.1, 0.25)
"""The risk from one rival, by how many ends of the route touch its network."""


def danger(situation: Situation, at: int) -> float:
    """Return the risk that a rival takes the route, from 0 to 1; greater for short routes."""
    route = situation.graph.routes[at]
    owners = routes_module.part(situation.state).owners
    rivals = [set[str]() for _ in range(situation.rules.seats)]
    for id, has in owners.items():
        for seat in has:
            if seat != situation.seat:
                rivals[seat].update(situation.rules.board.routes[id].cities)
    safe = 1.0
    for seat, cities in enumerate(rivals):
        if seat != situation.seat:
            ends = sum(city in cities for city in route.cities)
            safe *= 1 - NEAR[ends] * (1.5 if route.length <= 2 else 1.0)
    return 1 - safe
