"""Technologies: those the plan asks for, and those that pay for themselves."""

from bots.hands import missing, without
from bots.mind import Mind
from bots.price import CARD
from bots.technology_value import MARGIN
from engine import Action
from engine.rules.card_purse import cards_of
from engine.rules.technologies import catalogue
from engine.rules.technology_sale import BuyTechnology
from engine.values import DicePayment

NEEDED = 6.0
"""What a unit of a technology is worth that the plan asks for."""


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
    value = NEEDED * row.price.units if planned else mind.bonus(row) - MARGIN
    if isinstance(action.payment, DicePayment):
        return value - 0.8 * len(action.payment.dice)
    return value - mind.style.turn * CARD * _harm(mind, action)


def _harm(mind: Mind, action: BuyTechnology) -> float:
    """How many more cards are missing for all the rest once it is paid."""
    needed = mind.needed
    price = mind.price(action.technology)
    if price in needed:
        at = needed.index(price)
        needed = needed[:at] + needed[at + 1 :]
    rest = mind.wants(mind.targets, needed)
    hand = mind.situation.hand
    after = missing(without(hand, cards_of(action.payment).counts), rest, mind.size)
    return after - missing(hand, rest, mind.size) + 0.1 * sum(cards_of(action.payment).counts)
