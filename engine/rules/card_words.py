"""Texts about train cards: prompts, labels, help, notation, sentences and facts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, TypedDict

from engine.display import FIRST, Column, Fact, Help
from engine.errors import RulesBroken, Unreadable
from engine.kinds import Action, Decision
from engine.names import called, one_card, some_cards
from engine.notation import alone, number_in, without
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
    counted,
)
from engine.state import State
from engine.text import listed, shown
from engine.translate import say, says
from engine.values import FERRY, HIDDEN, LOCOMOTIVE, PLUS4_FROM, Card, OpenCard, RouteId, Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


def named(dealt: Sequence[Card]) -> str:
    """Cards by name, or how many if they are hidden."""
    if HIDDEN in dealt:
        return says("{n} card", "{n} cards", len(dealt))
    return listed([called(card) for card in dealt])


@cards.asks(DrawSecondCard)
def ask_second(rules: "Ruleset", state: State, decision: DrawSecondCard) -> str:
    return say("Draw your second card.")


@cards.waits(DrawSecondCard)
def wait_second(rules: "Ruleset", decision: DrawSecondCard) -> str:
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


@cards.titles("draw")
def title_draw(rules: "Ruleset", what: str) -> str:
    return say("Draw cards")


@cards.helps("draw")
def help_draw(rules: "Ruleset", what: str) -> list[Help]:
    """What a locomotive is, and what it costs to take (R-DRAW-3, R-DRAW-5, R-CLAIM-3)."""
    sentence = say(
        "A locomotive counts as a card of any colour. If you take one from the market, it is the "
        "only card you draw this turn; one from the deck counts as an ordinary card."
    )
    return [Help("locomotive", say("Locomotive"), sentence), *_help_rare(rules)]


def _help_rare(rules: "Ruleset") -> list[Help]:
    """What “+4” locomotives and passenger cards are for (R-MAR-11 to R-MAR-13, R-MAR-24)."""
    settings, texts = cards.parameters(rules), []
    if settings.plus4:
        sentence = say(
            "A “+4” locomotive counts as a card of any colour, but only on routes of at least {n} "
            "spaces. You can take one from the market like any card that is not a locomotive.",
            n=PLUS4_FROM,
        )
        texts.append(Help("plus4", say("“+4” locomotive"), sentence))
    if settings.passengers:
        sentence = say(
            "A passenger card pays for no route. Your passengers need one for each route of "
            "another player on which they ride."
        )
        texts.append(Help("passenger_card", say("Passenger card"), sentence))
    return texts


@cards.helps("claim")
def help_claim(rules: "Ruleset", route: RouteId) -> list[Help]:
    """Substitutes are explained where a route requires locomotives."""
    wants = not route or rules.board.routes[route].kind == FERRY
    return help_instead(rules, route) if wants else []


@cards.helps("buy")
def help_instead(rules: "Ruleset", what: str) -> list[Help]:
    """What counts as a locomotive, where the map allows substitutes (R-UK-5)."""
    size = cards.parameters(rules).substitute
    if not size:
        return []
    sentence = says(
        "Any {n} card, of any colour, counts as one locomotive when you pay.",
        "Any {n} cards, of any colours, count as one locomotive when you pay.",
        size,
    )
    return [Help("instead_of_locomotive", say("Instead of a locomotive"), sentence)]


@cards.takes(DrawBlind)
def unknown_card(rules: "Ruleset", state: State, action: DrawBlind) -> str:
    return ""


@cards.takes(DrawFaceUp)
def open_card(rules: "Ruleset", state: State, action: DrawFaceUp) -> str:
    return cards.part(state).market[action.slot - 1] or ""


@cards.writes(DrawBlind)
def write_blind(rules: "Ruleset", action: DrawBlind) -> str:
    return "draw"


@cards.writes(DrawFaceUp)
def write_face_up(rules: "Ruleset", action: DrawFaceUp) -> str:
    return f"take {action.slot}"


@cards.reads("take")
def read_face_up(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Read a slot, or the card in it: `take 3`, `take the blue card`."""
    words = without(words, "a", "the", "card", "slot", "from", "market")
    if (slot := number_in(words)) is not None:
        return [DrawFaceUp(slot)]
    market = cards.part(state).market
    if words not in NAMES or NAMES[words] not in market:
        raise Unreadable(
            say("“{word}” is neither a slot nor a card in the market.", word=shown(words))
        )
    return [DrawFaceUp(market.index(NAMES[words]) + 1)]


@cards.reads("draw")
def read_blind(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    alone("draw", without(words, "a", "the", "card", "from", "deck", "blind"))
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


class TableShown(TypedDict, total=False):
    market: Annotated[list[OpenCard | None], "Face-up cards, slot 1 first."]
    deck: Annotated[int, "Cards left in the deck."]
    discards: Annotated[dict[str, int], "The discarded cards, by colour."]
    aside: Annotated[dict[str, int], "Cards revealed for a tunnel and not yet discarded."]


class SeatShown(TypedDict, total=False):
    cards: Annotated[dict[str, int], "The hand by colour; “?” counts cards that you may not see."]


cards.shapes(table=TableShown, seat=SeatShown)


@cards.holds
def hand_of(rules: "Ruleset", state: State, seat: Seat) -> list[Fact]:
    hand = counted(cards.part(state).hands[seat])
    named_cards = listed([some_cards(*pair) for pair in hand.items()]) or say("none")
    total = says("{n} card", "{n} cards", sum(hand.values()))
    value = f"{named_cards} ({total})"
    return [Fact("hand", say("Hand"), value, tuple(hand.items()), FIRST)]


@cards.lays_out
def market_and_deck(rules: "Ruleset", state: State) -> list[Fact]:
    part = cards.part(state)
    market = [
        f"{n} {called(card) if card else say('nothing')}" for n, card in enumerate(part.market, 1)
    ]
    open_cards = tuple((card, 1) for card in part.market)
    left = says("{n} card", "{n} cards", sum(part.deck))
    thrown = says("{n} card discarded", "{n} cards discarded", sum(part.discards))
    deck = say("{cards}, and {discarded}", cards=left, discarded=thrown)
    return [
        Fact("market", say("Market"), ", ".join(market), open_cards, FIRST),
        Fact("deck", say("Deck"), deck, place=FIRST),
    ]


@cards.columns
def columns(rules: "Ruleset", state: State) -> list[Column]:
    hands = cards.part(state).hands
    return [Column(say("Cards"), tuple(str(sum(counted(hand).values())) for hand in hands))]
