"""A face-up locomotive counts as one ordinary card: it can be the first or the second card."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.display import Help
from engine.kinds import Action, Decision, event
from engine.module import Module
from engine.rules.card_words import tell_taken
from engine.rules.cards import CardTaken, DrawFaceUp, DrawSecondCard, cards, draw_one, one_more
from engine.state import Awaiting, State
from engine.translate import say
from engine.values import LOCOMOTIVE

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    """None."""


open_locomotives: Module[Parameters, None] = Module(
    "open_locomotives", Parameters, needs=("cards",)
)


@event
class LocomotiveTaken(CardTaken):
    """A seat has taken a face-up locomotive, which counted as one ordinary card."""


@open_locomotives.intercepts(DrawFaceUp)
def take(play: "Play", decision: Decision, action: DrawFaceUp) -> bool:
    """Record a locomotive of the market as an ordinary card (R-NOR-4)."""
    card = cards.part(play.state).market[action.slot - 1]
    if card != LOCOMOTIVE:
        return False
    play.record(LocomotiveTaken(decision.seat, action.slot, card, draw_one(play)))
    return True


@open_locomotives.awaits(LocomotiveTaken)
def one_more_card(awaiting: Awaiting, event: LocomotiveTaken) -> Awaiting:
    return one_more(awaiting, event)


@open_locomotives.offers(DrawSecondCard)
def offer_second(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    """The face-up locomotives, which the cards alone would not offer."""
    market = cards.part(state).market
    return [DrawFaceUp(slot) for slot, card in enumerate(market, 1) if card == LOCOMOTIVE]


@open_locomotives.tells(LocomotiveTaken)
def tell_locomotive(rules: "Ruleset", event: LocomotiveTaken, names: Sequence[str]) -> str:
    return tell_taken(rules, event, names)


@open_locomotives.helps("draw")
def help_draw(rules: "Ruleset", what: str) -> list[Help]:
    """What a locomotive is here; it replaces the help of the cards."""
    sentence = say(
        "A locomotive counts as a card of any colour. On this board you can take one from the "
        "market like any other card, and even two in one turn."
    )
    return [Help("locomotive", say("Locomotive"), sentence)]
