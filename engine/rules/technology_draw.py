"""Drawing several cards blind, for seats whose technology allows it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from engine.errors import Illegal, Refusal, Unreadable
from engine.kinds import Action, Decision, Event, Secret, action, event
from engine.module import DRAW
from engine.notation import not_understood
from engine.rules.card_words import named
from engine.rules.cards import cards, dealt, draw_some
from engine.rules.market import reshuffle
from engine.rules.technologies import granted, technologies
from engine.state import Awaiting, State, closed
from engine.text import shown
from engine.translate import say
from engine.values import Card, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@action("draw_three_blind")
class DrawThreeBlind(Action):
    reveals: ClassVar[bool] = True


@event
class CardsDrawn(Event):
    """The whole draw, all from the deck (R-ADV-2)."""

    seat: Seat
    cards: Secret[tuple[Card, ...]]


cards.evolves(CardsDrawn)(dealt)


@cards.awaits(CardsDrawn)
def whole_draw(awaiting: Awaiting, event: CardsDrawn) -> Awaiting:
    return closed(awaiting, event.seat)


def blind_cards(rules: "Ruleset", state: State, seat: Seat) -> int:
    """How many the seat may draw at once; none without the technology."""
    return max(granted(rules, state, seat, "blind_cards"), default=0)


@technologies.offers(DRAW)
def offer_three(rules: "Ruleset", state: State, asked: Decision) -> list[Action]:
    if not blind_cards(rules, state, asked.seat) or not sum(cards.part(state).deck):
        return []
    return [DrawThreeBlind()]


@technologies.decides(DrawThreeBlind)
def draw_three(play: "Play", asked: Decision, action: DrawThreeBlind) -> None:
    """As many as there are, over a reshuffle if need be (R-ADV-2, R-DECK-2)."""
    left = blind_cards(play.rules, play.state, asked.seat)
    while left and (new := draw_some(play, left)):
        play.record(CardsDrawn(asked.seat, tuple(new)))
        left -= len(new)
        reshuffle(play)


@technologies.explains(DrawThreeBlind)
def no_three(rules: "Ruleset", state: State, asked: Decision, action: DrawThreeBlind) -> Refusal:
    if not blind_cards(rules, state, asked.seat):
        return Illegal(say("You have no technology that lets you draw three cards."), "R-ADV-2")
    if DRAW not in rules.purse.occasions.get(type(asked), ()):
        return Illegal(say("Three cards are drawn as the action of a turn."), "R-ADV-2")
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
def read_three(rules: "Ruleset", state: State, asked: Decision, said: str) -> list[Action]:
    if said not in ("three", "3"):
        raise Unreadable(not_understood(f"draw {shown(said)}", "draw three"))
    return [DrawThreeBlind()]


@cards.tells(CardsDrawn)
def tell_three(rules: "Ruleset", event: CardsDrawn, names: Sequence[str]) -> str:
    who, some = names[event.seat], named(event.cards)
    return say("{who} draws {cards} from the deck.", who=who, cards=some)
