"""Technologies: those the plan asks for, and those that pay for themselves."""

from collections.abc import Sequence

from bots.hands import missing, without
from bots.mind import Mind
from bots.price import CARD
from engine import Action
from engine.rules.card_purse import cards_of
from engine.rules.technologies import catalogue
from engine.rules.technology_sale import BuyTechnology
from engine.rules.technology_rows import Technology
from engine.values import DicePayment

TRAINS_A_ROUTE = 2.3
"""How long a claimed route is on average, where technologies are sold."""
RIGHT = 1.5
"""A technology must bring so many points more than it costs."""


def buy(mind: Mind) -> Action | None:
    """A technology that is needed, or brings more than it costs."""
    ways = [one for one in mind.actions if isinstance(one, BuyTechnology)]
    if not ways:
        return None
    rated = [(_gain(mind, one), -number) for number, one in enumerate(ways)]
    gain, number = max(rated)
    return ways[-number] if gain > 0 else None


def _gain(mind: Mind, action: BuyTechnology) -> float:
    row = catalogue(mind.rules).technologies[action.technology]
    if row.claims:
        return -1.0
    planned = action.technology in mind.plan.technologies
    value = 6.0 * row.price.units if planned else bonus(mind, row) - RIGHT
    if isinstance(action.payment, DicePayment):
        return value - 0.8 * len(action.payment.dice)
    return value - mind.style.turn * CARD * _harm(mind, action)


def _harm(mind: Mind, action: BuyTechnology) -> float:
    """How many more cards are missing for all the rest once it is paid."""
    needed = mind.needed
    if action.technology in mind.plan.technologies:
        price = mind.price(action.technology)
        at = needed.index(price)
        needed = needed[:at] + needed[at + 1 :]
    rest = mind.wants(mind.targets, needed)
    hand = mind.sight.hand
    after = missing(without(hand, cards_of(action.payment).counts), rest, mind.size)
    return after - missing(hand, rest, mind.size) + 0.1 * sum(cards_of(action.payment).counts)


def bonus(mind: Mind, row: Technology) -> float:
    """The points that a technology brings by itself until the end."""
    if not mind.style.fill:
        return 0.0
    grants, sight = row.grants, mind.sight
    routes = min(mind.time / 2.2, sight.trains / TRAINS_A_ROUTE)
    value = float(grants.get("route_points", 0)) * routes
    planned = [sight.terrain.routes[at] for at in mind.plan.routes]
    value += grants.get("ferry_points", 0) * sum(route.kind == "ferry" for route in planned)
    hoped = sight.done + len(sight.aims) - len(mind.plan.lost)
    return value + grants.get("ticket_points", 0) * hoped


def wished(mind: Mind) -> Sequence[str]:
    """Technologies worth saving for, though no route asks for them."""
    if "technologies" not in mind.view.parts or not mind.style.fill:
        return ()
    known = catalogue(mind.rules).technologies
    owned = mind.sight.owned
    return [
        id
        for id, row in known.items()
        if id not in owned and not row.claims
        and bonus(mind, row) > 1.3 * mind.style.turn * row.price.units + RIGHT
    ]
