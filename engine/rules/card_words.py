"""The words of train cards: prompts, labels, notation and sentences."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.errors import Unreadable
from engine.kinds import Action, Decision
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
from engine.values import HIDDEN, LOCOMOTIVE, Card
from engine.words import count, listed, shown

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def one(card: Card) -> str:
    """A red card, an orange card, a locomotive."""
    if card == LOCOMOTIVE:
        return "a locomotive"
    return f"{'an' if card[:1] in 'aeiou' else 'a'} {card} card"


@cards.asks(DrawSecondCard)
def ask_second(rules: "Ruleset", state: State, asked: DrawSecondCard) -> str:
    return "Draw your second card."


@cards.waits(DrawSecondCard)
def wait_second(rules: "Ruleset", asked: DrawSecondCard) -> str:
    return "draw a second card"


@cards.labels(DrawBlind)
def label_blind(rules: "Ruleset", state: State, action: DrawBlind) -> str:
    return "Draw a card from the deck"


@cards.labels(DrawFaceUp)
def label_face_up(rules: "Ruleset", state: State, action: DrawFaceUp) -> str:
    card = cards.part(state).market[action.slot - 1]
    return f"Take the {card}{'' if card == LOCOMOTIVE else ' card'} from the market"


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
        raise Unreadable(f"“{shown(said)}” is neither a slot nor a card in the market.")
    return [DrawFaceUp(market.index(NAMES[said]) + 1)]


@cards.reads("draw")
def read_blind(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    alone("draw", said)
    return [DrawBlind()]


@cards.tells(HandDealt)
def tell_dealt(rules: "Ruleset", event: HandDealt, names: Sequence[str]) -> str:
    hidden = HIDDEN in event.cards
    what = count(len(event.cards), "card") if hidden else listed(event.cards)
    return f"{names[event.seat]} is dealt {what}."


@cards.tells(CardDrawn)
def tell_drawn(rules: "Ruleset", event: CardDrawn, names: Sequence[str]) -> str:
    what = "a card" if event.card == HIDDEN else one(event.card)
    return f"{names[event.seat]} draws {what} from the deck."


@cards.tells(CardTaken)
def tell_taken(rules: "Ruleset", event: CardTaken, names: Sequence[str]) -> str:
    new = f"; {one(event.replacement)} takes its place" if event.replacement else ""
    return f"{names[event.seat]} takes {one(event.card)} from the market{new}."


@cards.tells(NoSecondCard)
def tell_no_second(rules: "Ruleset", event: NoSecondCard, names: Sequence[str]) -> str:
    return f"There is no second card for {names[event.seat]} to draw."
