"""What a route costs a seat, in points: turns, trains and technologies, minus what it scores."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bots.board_graph import NOWHERE, graph_of
from bots.situation import Situation
from bots.style import Style
from engine import Ruleset
from engine.rules.coloured_passengers import coloured, home_of
from engine.rules.routes import worth
from engine.rules.stations import occupied, stations
from engine.rules.technologies import catalogue
from engine.values import GRAY, LOCOMOTIVE, PLUS4, PLUS4_FROM, SLOT, Cost

WILD, LONG = SLOT[LOCOMOTIVE], SLOT[PLUS4]
FLOOR = 0.25
"""The least cost per train, so that paths do not make detours to collect points."""
CARD = 0.5
"""Turns to get a card."""
RARE = 0.25
"""Extra turns to get a card that must be a locomotive."""
DIG = 0.63
"""The average surcharge of a tunnel, in cards."""
LOCOMOTIVE_TURNS = 1.1
"""Turns to get a locomotive for a technology."""
ROLLS = (0.0, 1.0, 1.0, 1.05, 1.3, 1.7, 2.2, 2.8, 3.5)
"""Turns to claim a route with dice, by its length."""
JOKERS = 0.45
"""Extra turns for each joker that a ferry requires."""


class Prices(NamedTuple):
    """The cost of each route, and the turns it takes; an unavailable route costs NOWHERE."""

    costs: list[float]
    turns: list[float]
    lacking: dict[int, frozenset[str]]
    """The technologies that must be bought for a route."""
    lent: frozenset[int]
    """Routes of others that could be borrowed with a station."""


def prices_of(situation: Situation, style: Style, bought: frozenset[str] = frozenset()) -> Prices:
    """Return the cost of every route once these technologies are bought, too.

    Cached for the latest situation, so callers must copy a list before they change it.
    """
    last = situation.rules.memory.get("prices")
    if last is None or last[0] is not situation or last[1] is not style:
        last = situation.rules.memory["prices"] = (situation, style, {})
    cache: dict[frozenset[str], Prices] = last[2]
    if bought not in cache:
        cache[bought] = _prices(situation, style, bought)
    return cache[bought]


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
    """Return the points for each route; cached until the seat buys a technology."""
    key = ("points", situation.owned)
    points: list[int] | None = situation.rules.memory.get(key)
    if points is None:
        rules, state, seat = situation.rules, situation.state, situation.seat
        points = [worth(rules, state, seat, route) for route in situation.graph.routes]
        rules.memory[key] = points
    return points


def collected(situation: Situation, each: float) -> list[float]:
    """Return the value of the coloured passengers at the ends of each route; 0 without them."""
    rules, routes = situation.rules, situation.graph.routes
    if not each or "coloured_passengers" not in situation.state.parts:
        return [0.0] * len(routes)
    last = rules.memory.get("collected")
    if last is None or last[0] is not situation or last[1] != each:
        waiting = coloured.part(situation.state).waiting
        number = [
            sum(bool(waiting.get(home_of(rules, city))) for city in route.cities)
            for route in routes
        ]
        last = rules.memory["collected"] = (situation, each, [each * n for n in number])
    values: list[float] = last[2]
    return values


def _technologies(
    rules: Ruleset, has: frozenset[str]
) -> tuple[dict[int, frozenset[str]], dict[int, float]]:
    """Return the technologies that each route still requires, and the turns to buy them."""
    if "technologies" not in rules.parameters:
        return {}, {}
    cached: tuple[dict[int, frozenset[str]], dict[int, float]] | None
    cached = rules.memory.get(("lacking", has))
    if cached is None:
        sale, graph = catalogue(rules), graph_of(rules)
        lacking = {
            graph.at[id]: technologies
            for id, needs in sale.needs.items()
            if (technologies := _lacking(needs, has))
        }
        turns = {
            at: LOCOMOTIVE_TURNS * sum(sale.technologies[id].price.units for id in technologies)
            for at, technologies in lacking.items()
        }
        cached = rules.memory["lacking", has] = lacking, turns
    return cached


def _lent(situation: Situation) -> frozenset[int]:
    """Return routes of others that end in a city where a station can be built."""
    taken = occupied(stations.part(situation.state))
    return frozenset(
        number
        for number in situation.foreign
        if any(city not in taken for city in situation.graph.routes[number].cities)
    )


def _lacking(needs: Iterable[frozenset[str]], has: frozenset[str]) -> frozenset[str]:
    """Return one technology of each set that is not met yet, the first by id."""
    return frozenset(min(group) for group in needs if group.isdisjoint(has))


def turns_for(situation: Situation, style: Style, at: int) -> float:
    """Return the turns it takes to claim this route if the seat does nothing else."""
    route = situation.graph.routes[at]
    if situation.dice:
        return ROLLS[route.length] + JOKERS * route.locomotives
    hand = situation.hand if style.hand else None
    dug = CARD * DIG if route.kind == "tunnel" else 0.0
    return 1.0 + dug + _card_turns(style, situation.rules.costs[route.id], hand)


@lru_cache(maxsize=1 << 14)
def _card_turns(style: Style, cost: Cost, hand: tuple[int, ...] | None) -> float:
    length, colour, locomotives, means = cost.units, cost.colour, cost.locomotives, cost.means
    each = CARD if colour == GRAY else style.card
    if hand is None:
        return each * length + RARE * locomotives
    held = max(hand[:WILD]) if colour == GRAY else hand[SLOT[colour]]
    jokers = hand[WILD] + (hand[LONG] if length >= PLUS4_FROM else 0)
    wild = max(0, locomotives - jokers)
    need = length - locomotives
    used = min(need, held)
    short = need - style.held * used
    if means.symbol_set:
        wild = max(0, wild - (sum(hand[:WILD]) - used) // means.symbol_set)
    if means.card_set:
        short = max(0.0, short - style.held * ((sum(hand) - used) // means.card_set))
    spare = max(0, jokers - locomotives) if means.jokers else 0
    return each * max(0.0, short + wild - 0.7 * style.held * spare) + RARE * wild
