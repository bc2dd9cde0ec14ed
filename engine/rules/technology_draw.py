"""Drawing three cards from the deck, for seats whose technology allows it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.errors import Illegal, Refusal, Unreadable
from engine.kinds import Action, Decision, Event, Secret, action, event
from engine.module import DRAW
from engine.notation import not_understood, without
from engine.rules.card_words import named
from engine.rules.cards import cards, dealt, draw_some
from engine.rules.market import reshuffle
from engine.rules.technologies import granted, technologies
from engine.state import Awaiting, State, closed
from engine.text import shown
from engine.translate import say
from engine.values import Cards, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@action("draw_three_blind")
class DrawThreeBlind(Action):
    """Draw three cards from the deck at once."""

    reveals: ClassVar[bool] = True


@event
class CardsDrawn(Event):
    """A seat has drawn cards from the deck at once (R-ADV-2)."""

    seat: Seat
    cards: Secret[Cards]


cards.evolves(CardsDrawn)(dealt)


@cards.awaits(CardsDrawn)
def whole_draw(awaiting: Awaiting, event: CardsDrawn) -> Awaiting:
    return closed(awaiting, event.seat)


def blind_cards(rules: "Ruleset", state: State, seat: Seat) -> int:
    """How many cards the seat may draw at once; 0 without the technology."""
    return max(granted(rules, state, seat, "blind_cards"), default=0)


@technologies.offers(DRAW)
def offer_three(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    if not blind_cards(rules, state, decision.seat) or not sum(cards.part(state).deck):
        return []
    return [DrawThreeBlind()]


@technologies.decides(DrawThreeBlind)
def draw_three(play: "Play", decision: Decision, action: DrawThreeBlind) -> None:
    """Draw as many cards as there are, reshuffling if necessary (R-ADV-2, R-DECK-2)."""
    left = blind_cards(play.rules, play.state, decision.seat)
    while left and (new := draw_some(play, left)):
        play.record(CardsDrawn(decision.seat, tuple(new)))
        left -= len(new)
        reshuffle(play)


@technologies.explains(DrawThreeBlind)
def no_three(rules: "Ruleset", state: State, decision: Decision, action: DrawThreeBlind) -> Refusal:
    if not blind_cards(rules, state, decision.seat):
        return Illegal(say("You have no technology that lets you draw three cards."), "R-ADV-2")
    if DRAW not in rules.purse.occasions.get(type(decision), ()):
        return Illegal(say("You can draw three cards only as the action of your turn."), "R-ADV-2")
    return Illegal(say("The deck is empty and nothing has been discarded."), "R-DECK-3")


@technologies.labels(DrawThreeBlind)
def label_three(rules: "Ruleset", state: State, action: DrawThreeBlind) -> str:
    return say("Draw three cards from the deck")


@technologies.groups(DrawThreeBlind)
def group_three(rules: "Ruleset", action: DrawThreeBlind) -> str:
    return "draw"


@technologies.writes(DrawThreeBlind)
def write_three(rules: "Ruleset", action: DrawThreeBlind) -> str:
    return "draw three"


@technologies.reads("draw")
def read_three(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    if without(words, "cards", "from", "the", "deck") not in ("three", "3"):
        raise Unreadable(not_understood(f"draw {shown(words)}", "draw three"))
    return [DrawThreeBlind()]


@cards.tells(CardsDrawn)
def tell_three(rules: "Ruleset", event: CardsDrawn, names: Sequence[str]) -> str:
    who, drawn = names[event.seat], named(event.cards)
    return say("{who} draws {cards} from the deck.", who=who, cards=drawn)
