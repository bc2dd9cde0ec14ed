"""A turn with cards: claim, build, buy, or draw."""

from collections.abc import Sequence
from operator import mul

from bots.board_graph import joined, linked
from bots.danger import danger
from bots.hands import WILD, Want, benefits, missing, without
from bots.mind import Mind
from bots.price import CARD
from engine import Action
from engine.rules.card_purse import cards_of
from engine.rules.cards import DrawBlind, DrawFaceUp, DrawSecondCard, cards
from engine.rules.routes import ClaimRoute
from engine.rules.stations import BuildStation
from engine.rules.technology_draw import DrawThreeBlind
from engine.rules.tunnels import PayTunnel
from engine.values import LOCOMOTIVE, SLOT, Payment

HURRY = 2.0
"""With so few turns left, what counts is what can be done at once."""
THRIFT = 0.3
"""A locomotive that is laid down beyond need counts as so many missing cards."""

Market = Sequence[tuple[float, bool]]
"""For each card of the market what it brings, and whether another may be drawn with it."""


def claim(mind: Mind) -> Action | None:
    """A claim for the plan that does not spoil the rest of it, or is in danger."""
    claims = _by_route(mind)
    if not claims:
        return None
    if mind.time <= HURRY:
        return best_now(mind, claims)
    targets = mind.targets
    wants = mind.wants(targets, mind.needed)
    base = missing(mind.situation.hand, wants, mind.size)
    found: list[tuple[float, int, Action]] = []
    for at in targets:
        if at not in claims:
            continue
        harm, action = _gentlest(mind, at, claims[at], base)
        risk = mind.style.wary * danger(mind.situation, at)
        stake = mind.plan.stakes.get(at, 0.0) + mind.worth(at)
        score = risk * stake - mind.style.turn * CARD * harm
        if score >= 0:
            found.append((score + 0.01 * mind.worth(at), at, action))
    return max(found, key=lambda one: one[:2])[2] if found else None


def _by_route(mind: Mind) -> dict[int, list[ClaimRoute]]:
    found: dict[int, list[ClaimRoute]] = {}
    for action in mind.actions:
        if isinstance(action, ClaimRoute):
            found.setdefault(mind.situation.graph.at[action.route], []).append(action)
    return found


def _gentlest(
    mind: Mind, at: int, ways: Sequence[ClaimRoute], base: float
) -> tuple[float, ClaimRoute]:
    """The payment that leaves least missing for the rest, and how much more that is."""
    rest = mind.wants([route for route in mind.targets if route != at], mind.needed)
    need = mind.situation.graph.routes[at].locomotives
    rated = [
        (_harm(mind, action.payment, rest, need), number) for number, action in enumerate(ways)
    ]
    harm, number = min(rated)
    return harm - base, ways[number]


def _harm(mind: Mind, payment: Payment, rest: Sequence[Want], need: int) -> float:
    paid = cards_of(payment).counts
    left = without(mind.situation.hand, paid)
    return missing(left, rest, mind.size) + THRIFT * max(0, paid[WILD] - need)


def best_now(mind: Mind, claims: dict[int, list[ClaimRoute]]) -> Action | None:
    """What brings most at once, for the last turns: points, and tickets that it completes."""
    situation = mind.situation
    rated = []
    for at in claims:
        pieces = joined(situation.graph, (*situation.own, at))
        done = sum(2 * aim.points for aim in situation.aims if linked(pieces, aim))
        planned = 1.5 if at in mind.plan.stakes and situation.left is None else 0.0
        rated.append((done + mind.worth(at) + planned, at))
    _, at = max(rated)
    return min(claims[at], key=lambda action: cards_of(action.payment).counts[WILD])


def build(mind: Mind) -> Action | None:
    """A station for a route that the plan borrows, once all the rest of it is laid."""
    if not mind.plan.lent or (mind.plan.routes and mind.time > HURRY):
        return None
    graph = mind.situation.graph
    cities = [city for at in mind.plan.lent for city in graph.routes[at].cities]
    builds = [one for one in mind.actions if isinstance(one, BuildStation) and one.city in cities]
    rest = mind.wants(mind.targets)
    return min(builds, key=lambda one: _harm(mind, one.payment, rest, 0), default=None)


def draw(mind: Mind) -> Action | None:
    """The card that helps most, with the one that may come after it in mind."""
    ways = [one for one in mind.actions if isinstance(one, DrawBlind | DrawFaceUp | DrawThreeBlind)]
    if not ways:
        return None
    wants = mind.wants(mind.targets, mind.needed)
    gains = benefits(mind.situation.hand, wants, mind.size, mind.style.nearly)
    part = cards.part(mind.view)
    unseen = part.deck[: len(gains)]
    blind = sum(map(mul, gains, unseen)) / max(1, sum(unseen))
    market = [
        (0.0 if card is None else gains[SLOT[card]], card not in (None, LOCOMOTIVE))
        for card in part.market
    ]
    if isinstance(mind.decision, DrawSecondCard):
        return max(ways, key=lambda one: _first(one, blind, market))
    return max(ways, key=lambda one: _both(one, blind, market))


def _first(action: Action, blind: float, market: Market) -> float:
    """What the card itself brings."""
    return market[action.slot - 1][0] if isinstance(action, DrawFaceUp) else blind


def _both(action: Action, blind: float, market: Market) -> float:
    """The same, with what comes after it."""
    if isinstance(action, DrawThreeBlind):
        return 3 * blind
    gain = _first(action, blind, market)
    taken = action.slot - 1 if isinstance(action, DrawFaceUp) else -1
    if taken >= 0 and not market[taken][1]:
        return gain
    return gain + max(
        [blind, *(value for at, (value, plain) in enumerate(market) if plain and at != taken)]
    )


def anything(mind: Mind) -> Action | None:
    """When there is nothing left to draw: the claim that brings most."""
    claims = _by_route(mind)
    return best_now(mind, claims) if claims else None


def pay(mind: Mind) -> Action | None:
    """The surcharge of a tunnel, if the plan does not suffer more than another attempt costs."""
    ways = [one for one in mind.actions if isinstance(one, PayTunnel)]
    if not ways or mind.situation.dice:
        return ways[0] if ways else None
    return min(ways, key=lambda one: cards_of(one.payment).counts[WILD])
