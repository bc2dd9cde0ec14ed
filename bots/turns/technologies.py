"""Which technology to buy: one that the plan requires, or one that pays for itself."""

from bots.hands import missing, without
from bots.mind import Mind
from bots.price import CARD
from bots.technology_value import MARGIN
from engine import Action
from engine.rules.card_payments import cards_of
from engine.rules.technologies import catalogue
from engine.rules.technology_sale import BuyTechnology
from engine.values import DicePayment

NEEDED = 6.0
"""Points per unit of the price for a technology that the plan requires."""


def buy(mind: Mind) -> Action | None:
    """Return the purchase with the greatest gain, if any has one."""
    purchases = [action for action in mind.actions if isinstance(action, BuyTechnology)]
    if not purchases:
        return None
    rated = [(_gain(mind, action), -number) for number, action in enumerate(purchases)]
    gain, number = max(rated)
    return purchases[-number] if gain > 0 else None


def _gain(mind: Mind, action: BuyTechnology) -> float:
    row = catalogue(mind.rules).technologies[action.technology]
    if row.claims:
        return -1.0
    planned = action.technology in mind.plan.technologies
    value = NEEDED * row.price.units if planned else mind.bonus(row) - MARGIN
    if isinstance(action.payment, DicePayment):
        return value - 0.8 * len(action.payment.dice)
    return value - mind.style.turn * CARD * _harm(mind, action)


def _harm(mind: Mind, action: BuyTechnology) -> float:
    """Return how many more cards are missing for everything else after the purchase."""
    needed = mind.needed
    price = mind.price(action.technology)
    if price in needed:
        at = needed.index(price)
        needed = needed[:at] + needed[at + 1 :]
    rest = mind.wants(mind.targets, needed)
    hand = mind.situation.hand
    after = missing(without(hand, cards_of(action.payment).counts), rest, mind.size)
    return after - missing(hand, rest, mind.size) + 0.1 * sum(cards_of(action.payment).counts)
