"""What a route costs a seat: turns to get it, trains, technologies, less the points it brings."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bots.sight import Sight
from bots.style import Style
from bots.terrain import NOWHERE
from engine.rules.routes import worth
from engine.rules.stations import occupied, stations
from engine.rules.technologies import catalogue
from engine.values import GRAY, LOCOMOTIVE, SLOT

WILD = SLOT[LOCOMOTIVE]
FLOOR = 0.25
"""Even a route that pays for itself costs a little, or ways would wander about for points."""
CARD = 0.5
"""Turns for a card."""
RARE = 0.25
"""Further turns for a card that must be a locomotive."""
DIG = 0.63
"""Cards that a tunnel asks for on average."""
LOCOMOTIVE_TURNS = 1.1
"""Turns for a locomotive that a technology costs."""
ROLLS = (0.0, 1.0, 1.0, 1.05, 1.3, 1.7, 2.2, 2.8, 3.5)
"""Turns for a route by its length, with dice."""
JOKERS = 0.45
"""Further turns for each joker that a ferry asks for."""


class Prices(NamedTuple):
    """By route, what it costs and the turns in it; what cannot be had costs NOWHERE."""

    costs: list[float]
    turns: list[float]
    lacking: dict[int, frozenset[str]]
    """Technologies that must be bought for a route."""
    lent: frozenset[int]
    """Routes of others that a station could borrow."""


def prices_of(sight: Sight, style: Style, bought: frozenset[str] = frozenset()) -> Prices:
    """What every route costs, once these technologies are bought as well."""
    number = len(sight.terrain.routes)
    costs, turns = [NOWHERE] * number, [0.0] * number
    lacking: dict[int, frozenset[str]] = {}
    known = catalogue(sight.rules) if "technologies" in sight.state.parts else None
    has = bought.union(sight.owned)
    for at in sight.own:
        costs[at] = 0.0
    for at in sight.open:
        route = sight.terrain.routes[at]
        turns[at] = turns_for(sight, style, at)
        extra = 0.0
        if known is not None and (needed := _lacking(known.needs[route.id], has)):
            lacking[at] = needed
            extra = sum(known.technologies[id].price.units for id in needed) * LOCOMOTIVE_TURNS
        gain = style.points * worth(sight.rules, sight.state, sight.seat, route)
        cost = style.turn * (turns[at] + extra) + style.train * route.length - gain
        costs[at] = max(FLOOR * route.length, cost)
    lent = _lent(sight) if sight.stations else frozenset()
    for at in lent:
        turns[at] = 1.0 + CARD * sight.station_price
        costs[at] = style.turn * turns[at] + sight.station_points
    return Prices(costs, turns, lacking, lent)


def _lent(sight: Sight) -> frozenset[int]:
    """Routes that only others have, and that end in a city where a station could be built."""
    taken = occupied(stations.part(sight.state))
    return frozenset(
        number
        for number in sight.foreign
        if any(city not in taken for city in sight.terrain.routes[number].cities)
    )


def _lacking(needs: Iterable[frozenset[str]], has: frozenset[str]) -> frozenset[str]:
    """The cheapest to remember of each set that is not met yet."""
    return frozenset(min(one_of) for one_of in needs if one_of.isdisjoint(has))


def turns_for(sight: Sight, style: Style, at: int) -> float:
    """The turns until this route is claimed, if nothing else is done."""
    route = sight.terrain.routes[at]
    if sight.dice:
        return ROLLS[route.length] + JOKERS * route.locomotives
    hand = sight.hand if style.hand else None
    dug = CARD * DIG if route.kind == "tunnel" else 0.0
    return 1.0 + dug + _card_turns(style, route.length, route.colour, route.locomotives, hand)


@lru_cache(maxsize=1 << 14)
def _card_turns(
    style: Style, length: int, colour: str, locomotives: int, hand: tuple[int, ...] | None
) -> float:
    each = CARD if colour == GRAY else style.card
    if hand is None:
        return each * length + RARE * locomotives
    held = max(hand[:WILD]) if colour == GRAY else hand[SLOT[colour]]
    wild = max(0, locomotives - hand[WILD])
    need = length - locomotives
    short = need - style.held * min(need, held)
    spare = max(0, hand[WILD] - locomotives)
    return each * max(0.0, short + wild - 0.7 * style.held * spare) + RARE * wild
