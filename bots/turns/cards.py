"""A turn with cards: whether to claim, build, draw, or pay for a tunnel."""

from collections.abc import Sequence
from operator import mul

from bots.board_graph import joined, linked, stakes_of
from bots.danger import danger
from bots.hands import WILD, Want, benefits, missing, without
from bots.mind import Mind
from bots.price import CARD
from engine import Action
from engine.rules.card_payments import cards_of
from engine.rules.cards import DrawBlind, DrawFaceUp, DrawSecondCard, cards
from engine.rules.routes import ClaimRoute
from engine.rules.stations import BuildStation
from engine.rules.technology_draw import DrawThreeBlind
from engine.rules.tunnels import PayTunnel
from engine.values import LOCOMOTIVE, PLUS4_FROM, SLOT, Payment

HURRY = 2.0
"""With this many turns left or fewer, only what can be done at once counts."""
THRIFT = 0.3
"""The loss, in missing cards, for each locomotive spent without need."""

LONG_ONLY = 0.8
"""The benefit of a “+4” locomotive, as a part of an ordinary one's."""
RIDE = 0.3
"""The benefit of a passenger card."""

Market = Sequence[tuple[float, bool]]
"""For each card of the market its benefit, and whether another may be drawn after it."""


def claim(mind: Mind) -> Action | None:
    """Return a claim for the plan that does not harm the rest of it, or that rivals may take."""
    claims = _by_route(mind)
    if not claims:
        return None
    if mind.time <= HURRY:
        return best_now(mind, claims)
    targets = mind.targets
    wants = mind.wants(targets, mind.needed)
    base = missing(mind.situation.hand, wants, mind.size)
    rated: list[tuple[float, int, Action]] = []
    for at in targets:
        if at not in claims:
            continue
        harm, action = _gentlest(mind, at, claims[at], base)
        risk = mind.style.wary * danger(mind.situation, at)
        stake = mind.plan.stakes.get(at, 0.0) + mind.worth(at)
        score = risk * stake - mind.style.turn * CARD * harm
        if score >= 0:
            rated.append((score + 0.01 * mind.worth(at), at, action))
    return max(rated, key=lambda entry: entry[:2])[2] if rated else None


def _by_route(mind: Mind) -> dict[int, list[ClaimRoute]]:
    claims: dict[int, list[ClaimRoute]] = {}
    for action in mind.actions:
        if isinstance(action, ClaimRoute):
            claims.setdefault(mind.situation.graph.at[action.route], []).append(action)
    return claims


def _gentlest(
    mind: Mind, at: int, ways: Sequence[ClaimRoute], base: float
) -> tuple[float, ClaimRoute]:
    """Return the claim whose payment does the least harm to the rest of the plan, and that harm."""
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
    """Return the claim with the most points at once, tickets included; for the last turns."""
    situation = mind.situation
    rated = []
    for at in claims:
        pieces = joined(situation.graph, (*situation.own, at))
        done = stakes_of(aim for aim in situation.aims if linked(pieces, aim))
        planned = 1.5 if at in mind.plan.stakes and situation.left is None else 0.0
        rated.append((done + mind.worth(at) + planned, at))
    _, at = max(rated)
    return min(claims[at], key=lambda action: cards_of(action.payment).counts[WILD])


def build(mind: Mind) -> Action | None:
    """Return a station for a route that the plan borrows, once all its own routes are claimed."""
    if not mind.plan.lent or (mind.plan.routes and mind.time > HURRY):
        return None
    graph = mind.situation.graph
    cities = [city for at in mind.plan.lent for city in graph.routes[at].cities]
    builds = [
        action
        for action in mind.actions
        if isinstance(action, BuildStation) and action.city in cities
    ]
    rest = mind.wants(mind.targets)
    return min(builds, key=lambda action: _harm(mind, action.payment, rest, 0), default=None)


def draw(mind: Mind) -> Action | None:
    """Return the card that helps most, together with the one drawn after it."""
    ways = [
        action
        for action in mind.actions
        if isinstance(action, DrawBlind | DrawFaceUp | DrawThreeBlind)
    ]
    if not ways:
        return None
    wants = mind.wants(mind.targets, mind.needed)
    gains = benefits(mind.situation.hand, wants, mind.size, mind.style.nearly)
    part = cards.part(mind.view)
    gains += rare(mind, wants, gains)
    unseen = part.deck[: len(gains)]
    blind = sum(map(mul, gains, unseen)) / max(1, sum(unseen))
    alone = () if "open_locomotives" in mind.rules.parameters else (LOCOMOTIVE,)
    market = [
        (0.0 if card is None else gains[SLOT[card]], card not in (None, *alone))
        for card in part.market
    ]
    if isinstance(mind.decision, DrawSecondCard):
        return max(ways, key=lambda action: _first(action, blind, market))
    return max(ways, key=lambda action: _both(action, blind, market))


def rare(mind: Mind, wants: Sequence[Want], gains: Sequence[float]) -> list[float]:
    """Return the benefit of a “+4” locomotive for a long route, or of a passenger card."""
    long = any(want.units >= PLUS4_FROM for want in wants)
    part = mind.view.parts.get("passengers")
    rides = part is not None and (part.standing[mind.seat] or part.reserve[mind.seat])
    return [LONG_ONLY * gains[WILD] if long else 0.0, RIDE if rides else 0.0]


def _first(action: Action, blind: float, market: Market) -> float:
    """Return the benefit of the card itself."""
    return market[action.slot - 1][0] if isinstance(action, DrawFaceUp) else blind


def _both(action: Action, blind: float, market: Market) -> float:
    """Return the benefit of the card and of the best one after it."""
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
    """Return the best claim, for when there is nothing left to draw."""
    claims = _by_route(mind)
    return best_now(mind, claims) if claims else None


def pay(mind: Mind) -> Action | None:
    """Pay the surcharge of a tunnel, with as few locomotives as possible."""
    ways = [action for action in mind.actions if isinstance(action, PayTunnel)]
    if not ways or mind.situation.dice:
        return ways[0] if ways else None
    return min(ways, key=lambda action: cards_of(action.payment).counts[WILD])
