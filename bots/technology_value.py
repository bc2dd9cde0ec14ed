"""What a technology is worth by itself, apart from the routes that it opens."""

from bots.plan import Plan, turns_left
from bots.situation import Situation
from bots.style import Style
from engine.rules.technologies import catalogue
from engine.rules.technology_rows import Technology

TRAINS = 2.3
"""The average length of a claimed route on boards with technologies."""
TURNS = 2.2
"""The average number of turns per claim."""
MARGIN = 1.5
"""How many points more than its price a technology must bring."""
PRICE = 1.3
"""Turns to save up a locomotive."""


def bonus(situation: Situation, plan: Plan, row: Technology) -> float:
    """Return the points that a technology brings until the end of the game."""
    grants = row.grants
    routes = min(turns_left(situation) / TURNS, situation.trains / TRAINS)
    value = float(grants.get("route_points", 0)) * routes
    ferries = sum(situation.graph.routes[at].kind == "ferry" for at in plan.routes)
    value += float(grants.get("ferry_points", 0)) * ferries
    hoped = situation.done + len({aim.ticket for aim in situation.aims}) - len(plan.lost)
    return value + float(grants.get("ticket_points", 0)) * hoped


def worth_saving_for(situation: Situation, style: Style, plan: Plan) -> list[str]:
    """Return technologies worth saving for, though the plan does not require them."""
    if "technologies" not in situation.state.parts or situation.dice:
        return []
    return [
        id
        for id, row in catalogue(situation.rules).technologies.items()
        if id not in situation.owned
        and not row.claims
        and id not in plan.technologies
        and bonus(situation, plan, row) > PRICE * style.turn * row.price.units + MARGIN
    ]
