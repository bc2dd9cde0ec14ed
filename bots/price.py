"""What a route costs a seat: turns to get it, trains, technologies, less the points it brings."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bots.board_graph import NOWHERE, graph_of
from bots.situation import Situation
from bots.style import Style
from engine import Ruleset
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


def prices_of(situation: Situation, style: Style, bought: frozenset[str] = frozenset()) -> Prices:
    """What every route costs, once these technologies are bought as well.

    Remembered while the same situation is thought about; whoever changes a list copies it first.
    """
    last = situation.rules.memory.get("prices")
    if last is None or last[0] is not situation or last[1] is not style:
        last = situation.rules.memory["prices"] = (situation, style, {})
    known: dict[frozenset[str], Prices] = last[2]
    if bought not in known:
        known[bought] = _prices(situation, style, bought)
    return known[bought]


def _prices(situation: Situation, style: Style, bought: frozenset[str]) -> Prices:
    number = len(situation.graph.routes)
    costs, turns = [NOWHERE] * number, [0.0] * number
    lacking, extra = _technologies(situation.rules, bought.union(situation.owned))
    points, routes = points_of(situation), situation.graph.routes
    for at in situation.own:
        costs[at] = 0.0
    for at in situation.open:
        length = routes[at].length
        turns[at] = turns_for(situation, style, at)
        cost = style.turn * (turns[at] + extra.get(at, 0.0)) + style.train * length
        costs[at] = max(FLOOR * length, cost - style.points * points[at])
    lent = _lent(situation) if situation.stations else frozenset()
    for at in lent:
        turns[at] = 1.0 + CARD * situation.station_price
        costs[at] = style.turn * turns[at] + situation.station_points
    return Prices(costs, turns, lacking, lent)


def points_of(situation: Situation) -> list[int]:
    """What each route brings; the same as long as the seat buys nothing."""
    key = ("points", situation.owned)
    found: list[int] | None = situation.rules.memory.get(key)
    if found is None:
        rules, state, seat = situation.rules, situation.state, situation.seat
        found = [worth(rules, state, seat, route) for route in situation.graph.routes]
        rules.memory[key] = found
    return found


def _technologies(
    rules: Ruleset, has: frozenset[str]
) -> tuple[dict[int, frozenset[str]], dict[int, float]]:
    """What each route still asks for beyond these technologies, and the turns for that."""
    if "technologies" not in rules.parameters:
        return {}, {}
    found: tuple[dict[int, frozenset[str]], dict[int, float]] | None
    found = rules.memory.get(("lacking", has))
    if found is None:
        known, graph = catalogue(rules), graph_of(rules)
        lacking = {
            graph.at[id]: some
            for id, needs in known.needs.items()
            if (some := _lacking(needs, has))
        }
        turns = {
            at: LOCOMOTIVE_TURNS * sum(known.technologies[id].price.units for id in some)
            for at, some in lacking.items()
        }
        found = rules.memory["lacking", has] = lacking, turns
    return found


def _lent(situation: Situation) -> frozenset[int]:
    """Routes that only others have, and that end in a city where a station could be built."""
    taken = occupied(stations.part(situation.state))
    return frozenset(
        number
        for number in situation.foreign
        if any(city not in taken for city in situation.graph.routes[number].cities)
    )


def _lacking(needs: Iterable[frozenset[str]], has: frozenset[str]) -> frozenset[str]:
    """The cheapest to remember of each set that is not met yet."""
    return frozenset(min(one_of) for one_of in needs if one_of.isdisjoint(has))


def turns_for(situation: Situation, style: Style, at: int) -> float:
    """The turns until this route is claimed, if nothing else is done."""
    route = situation.graph.routes[at]
    if situation.dice:
        return ROLLS[route.length] + JOKERS * route.locomotives
    hand = situation.hand if style.hand else None
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
