"""The easy bot: works on one ticket at a time, draws at random, and plans nothing."""

from collections.abc import Sequence

from bots.board_graph import NOWHERE, cheapest
from bots.luck import luck_of
from bots.situation import Situation, situation_of
from engine import Action, Chance, Ruleset, State, default_for, options
from engine.rules.cards import DrawBlind, DrawFaceUp
from engine.rules.coloured_passengers import TakePassengers
from engine.rules.dice import RerollDice
from engine.rules.passengers import PlacePassenger, RidePassenger
from engine.rules.routes import ClaimRoute
from engine.rules.technology_sale import BuyTechnology
from engine.rules.ticket_mix import DrawMixed
from engine.rules.tickets import DrawTickets, KeepTickets
from engine.values import Seat

RICH = 10
"""With this many cards or more, it claims the longest route it can."""


def easy(rules: Ruleset, view: State, seat: Seat) -> Action:
    """Play like a beginner."""
    actions = options(rules, view, seat).actions
    if len(actions) == 1:
        return actions[0]
    first = actions[0]
    if isinstance(first, KeepTickets):
        return default_for(rules, view, seat)
    situation, luck = situation_of(rules, view, seat), luck_of(view, seat)
    claims = [action for action in actions if isinstance(action, ClaimRoute)]
    return (
        _with_passengers(actions, luck)
        or _for_a_ticket(situation, claims)
        or _longest(situation, claims, luck)
        or _drawn(actions, luck)
        or default_for(rules, view, seat)
    )


def _with_passengers(actions: Sequence[Action], luck: Chance) -> Action | None:
    """Place passengers and choose coloured ones at random; ride now and then."""
    if isinstance(actions[0], PlacePassenger | TakePassengers):
        return actions[luck.below(len(actions))]
    rides = [action for action in actions if isinstance(action, RidePassenger)]
    return rides[-1] if rides and not luck.below(4) else None


def _for_a_ticket(situation: Situation, claims: Sequence[ClaimRoute]) -> Action | None:
    """Return a claim on the shortest path for the first ticket that has one."""
    if not claims:
        return None
    costs = [NOWHERE] * len(situation.graph.routes)
    for route in situation.open:
        costs[route] = situation.graph.routes[route].length
    for route in situation.own:
        costs[route] = 0
    for aim in situation.aims:
        if way := cheapest(situation.graph, costs, aim.a, aim.b):
            ids = {situation.graph.routes[route].id for route in way.routes}
            return next((claim for claim in claims if claim.route in ids), None)
    return None


def _longest(situation: Situation, claims: Sequence[ClaimRoute], luck: Chance) -> Action | None:
    """Return the longest claim, two times out of three; with cards only when the hand is full."""
    if not claims or (not situation.dice and sum(situation.hand) < RICH) or not luck.below(3):
        return None
    routes = situation.rules.board.routes
    return max(claims, key=lambda claim: routes[claim.route].length)


def _drawn(actions: Sequence[Action], luck: Chance) -> Action | None:
    """Draw a random card, sometimes tickets or a technology; with dice, reroll all."""
    buys = [action for action in actions if isinstance(action, BuyTechnology)]
    if buys and not luck.below(3):
        return buys[luck.below(len(buys))]
    tickets = [action for action in actions if isinstance(action, DrawTickets | DrawMixed)]
    if tickets and not luck.below(25):
        return tickets[0]
    cards = [action for action in actions if isinstance(action, DrawBlind | DrawFaceUp)]
    if cards:
        return cards[luck.below(len(cards))]
    rolls = [action for action in actions if isinstance(action, RerollDice)]
    return rolls[-1] if rolls else None
