"""Drawing cards by order, and collecting for what is to be paid with cards."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import Unreadable
from engine.kinds import Action, Decision
from engine.notation import alone, amounts, number_in, without
from engine.rules.card_purse import NAMES
from engine.rules.cards import WILD, DrawBlind, DrawFaceUp, cards
from engine.state import State
from engine.text import shown
from engine.translate import say
from engine.values import COLOURS, GRAY, LOCOMOTIVE, SLOT, Card, Cost
from engine.wishes import Need, PlainWish, Wish

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


@cards.orders("draw")
def order_blind(rules: "Ruleset", words: str) -> list[Wish]:
    alone("draw", without(words, "a", "the", "card", "from", "deck", "blind"))
    return [PlainWish("draw", lambda rules, state, action: isinstance(action, DrawBlind))]


@cards.orders("take")
def order_face_up(rules: "Ruleset", words: str) -> list[Wish]:
    """Only by its card: another card will lie in the slot by then."""
    bare = without(words, "a", "the", "card", "from", "market")
    if number_in(without(bare, "slot")) is not None:
        raise Unreadable(
            say(
                "“take {slot}” cannot be ordered for later, because another card may lie there by "
                "then. Name the card, as in “take green”.",
                slot=shown(bare),
            )
        )
    if bare not in NAMES:
        raise Unreadable(say("“{word}” is not a train card.", word=shown(bare)))
    card = NAMES[bare]
    return [PlainWish(f"take {card}", lambda rules, state, action: taken(state, action) == card)]


def taken(state: State, action: Action) -> Card | None:
    """The face-up card that an action takes; None if it takes none."""
    if not isinstance(action, DrawFaceUp):
        return None
    return cards.part(state).market[action.slot - 1]


@cards.collects
def collect(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[Action], need: Need
) -> Action | None:
    """Take a face-up card that helps, else one from the deck.

    A face-up locomotive is taken only where the cost requires more of them than the seat holds.
    """
    hand = cards.part(state).hands[decision.seat]
    costs = [cost for bill in need.bills if (cost := _named(bill.cost, need.paying))]
    for card in _useful(hand, costs):
        for action in actions:
            if taken(state, action) == card:
                return action
    return next((action for action in actions if isinstance(action, DrawBlind)), None)


def _named(cost: Cost, paying: str) -> Cost | None:
    """The cost in what the player wants to pay with; None if that can never pay it."""
    if not paying:
        return cost
    laid = amounts(paying, NAMES, shown)
    colour = next((card for card in laid if card != LOCOMOTIVE), None)
    if colour is None:
        return cost._replace(locomotives=cost.units)
    if cost.colour not in (GRAY, colour):
        return None
    wild = max(cost.locomotives, laid.get(LOCOMOTIVE, 0))
    return cost._replace(colour=colour, locomotives=wild)


def _useful(hand: Sequence[int], costs: Sequence[Cost]) -> list[Card]:
    """The cards of which the seat needs more, those that it has most of first."""
    useful: list[Card] = []
    for cost in costs:
        spare = max(0, hand[WILD] - cost.locomotives) if cost.means.jokers else 0
        coloured = cost.units - cost.locomotives - spare
        slots = [SLOT[card] for card in _colours(cost)]
        most = max(hand[slot] for slot in slots)
        useful += [COLOURS[slot] for slot in slots if most == hand[slot] < coloured]
        useful += [LOCOMOTIVE] if hand[WILD] < cost.locomotives else []
    return sorted(dict.fromkeys(useful), key=lambda card: -hand[SLOT[card]])


def _colours(cost: Cost) -> Sequence[Card]:
    return COLOURS if cost.colour == GRAY else (cost.colour,)
