"""The words of train cards: prompts, labels, notation and sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import RulesBroken, Unreadable
from engine.kinds import Action, Decision
from engine.names import called, one_card
from engine.notation import alone, number_in
from engine.rules.card_purse import NAMES
from engine.rules.cards import (
    CardDrawn,
    CardTaken,
    DrawBlind,
    DrawFaceUp,
    DrawSecondCard,
    HandDealt,
    NoSecondCard,
    cards,
)
from engine.state import State
from engine.tongue import say, says
from engine.values import HIDDEN, LOCOMOTIVE, Card
from engine.words import listed, shown

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def named(dealt: Sequence[Card]) -> str:
    """Cards by name, or how many if they are hidden."""
    if HIDDEN in dealt:
        return says("{n} card", "{n} cards", len(dealt))
    return listed([called(card) for card in dealt])


@cards.asks(DrawSecondCard)
def ask_second(rules: "Ruleset", state: State, asked: DrawSecondCard) -> str:
    return say("Draw your second card.")


@cards.waits(DrawSecondCard)
def wait_second(rules: "Ruleset", asked: DrawSecondCard) -> str:
    return say("draw a second card")


@cards.labels(DrawBlind)
def label_blind(rules: "Ruleset", state: State, action: DrawBlind) -> str:
    return say("Draw a card from the deck")


@cards.labels(DrawFaceUp)
def label_face_up(rules: "Ruleset", state: State, action: DrawFaceUp) -> str:
    card = cards.part(state).market[action.slot - 1]
    if card is None:
        raise RulesBroken("an empty slot was offered")
    if card == LOCOMOTIVE:
        return say("Take the locomotive from the market")
    return say("Take the {colour} card from the market", colour=called(card))


@cards.groups(DrawBlind)
@cards.groups(DrawFaceUp)
def group_draw(rules: "Ruleset", action: Action) -> str:
    return "draw"


@cards.writes(DrawBlind)
def write_blind(rules: "Ruleset", action: DrawBlind) -> str:
    return "draw"


@cards.writes(DrawFaceUp)
def write_face_up(rules: "Ruleset", action: DrawFaceUp) -> str:
    return f"take {action.slot}"


@cards.reads("take")
def read_face_up(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    """By slot, or by the card that lies there."""
    if (slot := number_in(said)) is not None:
        return [DrawFaceUp(slot)]
    market = cards.part(state).market
    if said not in NAMES or NAMES[said] not in market:
        raise Unreadable(
            say("“{said}” is neither a slot nor a card in the market.", said=shown(said))
        )
    return [DrawFaceUp(market.index(NAMES[said]) + 1)]


@cards.reads("draw")
def read_blind(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    alone("draw", said)
    return [DrawBlind()]


@cards.tells(HandDealt)
def tell_dealt(rules: "Ruleset", event: HandDealt, names: Sequence[str]) -> str:
    return say("{who} is dealt {cards}.", who=names[event.seat], cards=named(event.cards))


@cards.tells(CardDrawn)
def tell_drawn(rules: "Ruleset", event: CardDrawn, names: Sequence[str]) -> str:
    what = say("a card") if event.card == HIDDEN else one_card(event.card)
    return say("{who} draws {cards} from the deck.", who=names[event.seat], cards=what)


@cards.tells(CardTaken)
def tell_taken(rules: "Ruleset", event: CardTaken, names: Sequence[str]) -> str:
    who, card = names[event.seat], one_card(event.card)
    if event.replacement is None:
        return say("{who} takes {card} from the market.", who=who, card=card)
    return say(
        "{who} takes {card} from the market; {new} takes its place.",
        who=who,
        card=card,
        new=one_card(event.replacement),
    )


@cards.tells(NoSecondCard)
def tell_no_second(rules: "Ruleset", event: NoSecondCard, names: Sequence[str]) -> str:
    return say("There is no second card for {who} to draw.", who=names[event.seat])
