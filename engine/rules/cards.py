"""Train cards: hands, market, the deck as a bag, and drawing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from engine.checks import NotNegative, Positive
from engine.errors import Illegal, MapError, Refusal, RulesBroken
from engine.kinds import Action, Decision, Event, Paid, Secret, TakenBack, action, decision, event
from engine.module import DRAW, Module, Shown
from engine.rules.card_payments import cards_of
from engine.rules.card_purse import CardPurse
from engine.state import Awaiting, State, closed, decision_of, opened
from engine.translate import say
from engine.values import (
    COLOURS,
    LOCOMOTIVE,
    NO_CARDS,
    SLOT,
    Card,
    CardPayment,
    Cards,
    Cost,
    Counts,
    OpenCard,
    Route,
    Seat,
    Terms,
)

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

MARKET = 5
WILD = SLOT[LOCOMOTIVE]
Slot = Annotated[int, "The slot of the face-up card, from 1."]


@dataclass(frozen=True, slots=True)
class Parameters:
    each_colour: Positive = 12
    locomotives: NotNegative = 14
    hand: NotNegative = 4
    opening_locomotives: NotNegative = 0
    """Locomotives dealt to each seat on top of the hand, before the shuffle (R-UK-3)."""
    sweep_at: NotNegative = 3
    """How many locomotives in the market sweep it; 0 means never (R-MKT-5)."""
    substitute: NotNegative = 0
    """How many cards of any colour count as one locomotive; 0 if none do (R-UK-5)."""
    plus4: NotNegative = 0
    """“+4” locomotives, which only count on long routes (R-MAR-11)."""
    passengers: NotNegative = 0
    """Passenger cards, which pay for rides on routes of others (R-MAR-24)."""

    @property
    def deck(self) -> Counts:
        """The whole deck."""
        rare = (self.locomotives, self.plus4, self.passengers)
        return (*(self.each_colour for _ in COLOURS), *rare, 0)


class Hands(NamedTuple):
    hands: tuple[Counts, ...]
    market: tuple[Card | None, ...]
    deck: Counts
    """The deck as counts. In a seat's view: all cards that it has not seen; the hidden slot then
    holds, as a negative number, how many of those are in hands."""
    discards: Counts
    aside: Counts
    """Cards revealed for a tunnel, to be discarded when the attempt is over (R-TUN-9)."""


cards: Module[Parameters, Hands] = Module(
    "cards", Parameters, needs=("turns", "routes"), purse=CardPurse()
)


@decision
class DrawSecondCard(Decision):
    """Draw the second card of the turn."""

    seat: Seat


@action("draw_blind")
class DrawBlind(Action):
    """Draw a card from the deck."""

    reveals: ClassVar[bool] = True


@action("draw_face_up")
class DrawFaceUp(Action):
    """Take a face-up card."""

    reveals: ClassVar[bool] = True
    slot: Slot


@event
class HandDealt(Event):
    """A seat has been dealt its first cards."""

    seat: Seat
    cards: Secret[Cards]


@event
class CardDrawn(Event):
    """A seat has drawn a card from the deck."""

    seat: Seat
    card: Secret[Card]


@event
class CardTaken(Event):
    """A seat has taken a face-up card."""

    seat: Seat
    slot: Slot
    card: Card
    replacement: Annotated[
        OpenCard | None, "The card that has taken its place; null if there was none."
    ]


@event
class NoSecondCard(Event):
    """There is no second card for a seat to draw."""

    seat: Seat


@cards.starts
def full_deck(rules: "Ruleset") -> Hands:
    settings = cards.parameters(rules)
    deck = settings.deck
    if sum(deck) < (settings.hand + settings.opening_locomotives) * rules.seats + MARKET:
        raise MapError("parameters.cards", "too few cards to deal")
    if settings.locomotives < settings.opening_locomotives * rules.seats:
        raise MapError("parameters.cards", "too few locomotives to deal")
    return Hands((NO_CARDS,) * rules.seats, (None,) * MARKET, deck, NO_CARDS, NO_CARDS)


@cards.prices
def no_doubles(rules: "Ruleset", route: Route, cost: Cost) -> Cost:
    """With cards a twin does not change the cost; without the flag, more routes share a tier."""
    return cost._replace(double=False)


@cards.terms
def substitutes(rules: "Ruleset", state: State, seat: Seat, terms: Terms) -> Terms:
    size = cards.parameters(rules).substitute
    if not size or 0 < terms.substitute <= size:
        return terms
    return Terms(size, terms.spare)


def draw_one(play: "Play") -> Card | None:
    """Draw a card from the deck, if it has one; the caller records it."""
    deck = cards.part(play.state).deck
    left = sum(deck)
    return _CARD[_pick(deck, play.chance.below(left))] if left else None


def draw_some(play: "Play", number: int) -> list[Card]:
    """Draw up to `number` cards from the deck; the caller records them."""
    deck = list(cards.part(play.state).deck)
    drawn = []
    for left in range(sum(deck), max(0, sum(deck) - number), -1):
        slot = _pick(deck, play.chance.below(left))
        deck[slot] -= 1
        drawn.append(_CARD[slot])
    return drawn


def _pick(deck: Sequence[int], at: int) -> int:
    """The slot of the card at this index of the sorted deck."""
    slot = 0
    while at >= deck[slot]:
        at -= deck[slot]
        slot += 1
    return slot


_CARD = tuple(SLOT)


@cards.sets_up
def deal(play: "Play") -> None:
    """Deal opening locomotives to all seats, then a hand to each (R-SETUP-4, R-UK-3)."""
    settings = cards.parameters(play.rules)
    if settings.opening_locomotives:
        for seat in range(play.rules.seats):
            play.record(HandDealt(seat, (LOCOMOTIVE,) * settings.opening_locomotives))
    for seat in range(play.rules.seats):
        play.record(HandDealt(seat, tuple(draw_some(play, settings.hand))))


@cards.evolves(HandDealt)
def dealt(part: Hands, event: HandDealt) -> Hands:
    hand, deck = list(part.hands[event.seat]), list(part.deck)
    for card in event.cards:
        hand[SLOT[card]] += 1
        deck[SLOT[card]] -= 1
    return part._replace(hands=_put(part.hands, event.seat, tuple(hand)), deck=tuple(deck))


def _put(hands: tuple[Counts, ...], seat: Seat, hand: Counts) -> tuple[Counts, ...]:
    return (*hands[:seat], hand, *hands[seat + 1 :])


@cards.evolves(CardDrawn)
def drawn(part: Hands, event: CardDrawn) -> Hands:
    hands, market, deck, discards, aside = part
    seat, slot = event.seat, SLOT[event.card]
    hand, bag = list(hands[seat]), list(deck)
    hand[slot] += 1
    bag[slot] -= 1
    return Hands(_put(hands, seat, tuple(hand)), market, tuple(bag), discards, aside)


@cards.evolves(CardTaken)
def taken(part: Hands, event: CardTaken) -> Hands:
    hands, market, deck, discards, aside = part
    seat, at, new = event.seat, event.slot - 1, event.replacement
    hand = list(hands[seat])
    hand[SLOT[event.card]] += 1
    if new is not None:
        bag = list(deck)
        bag[SLOT[new]] -= 1
        deck = tuple(bag)
    market = (*market[:at], new, *market[at + 1 :])
    return Hands(_put(hands, seat, tuple(hand)), market, deck, discards, aside)


@cards.awaits(CardDrawn)
def one_more(awaiting: Awaiting, event: CardDrawn | CardTaken) -> Awaiting:
    """A card drawn blind counts as one ordinary card (R-DRAW-5)."""
    return _second(awaiting, event.seat)


@cards.awaits(CardTaken)
def one_more_unless_wild(awaiting: Awaiting, event: CardTaken) -> Awaiting:
    """A face-up locomotive is the whole draw (R-DRAW-3)."""
    if event.card == LOCOMOTIVE:
        return closed(awaiting, event.seat)
    return _second(awaiting, event.seat)


def _second(awaiting: Awaiting, seat: Seat) -> Awaiting:
    if isinstance(decision_of(awaiting, seat), DrawSecondCard):
        return closed(awaiting, seat)
    return opened(awaiting, DrawSecondCard(seat))


@cards.evolves(NoSecondCard)
def nothing_left(part: Hands, event: NoSecondCard) -> Hands:
    return part


@cards.awaits(NoSecondCard)
def no_second(awaiting: Awaiting, event: NoSecondCard) -> Awaiting:
    return closed(awaiting, event.seat)


@cards.offers(DRAW)
def offer_first(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    part = cards.part(state)
    actions: list[Action] = [_BLIND] if sum(part.deck) else []
    actions += [_TAKE[at] for at, card in enumerate(part.market) if card is not None]
    return actions


@cards.offers(DrawSecondCard)
def offer_second(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    """Everything but face-up locomotives (R-DRAW-4)."""
    part = cards.part(state)
    actions: list[Action] = [_BLIND] if sum(part.deck) else []
    actions += [_TAKE[at] for at, card in enumerate(part.market) if card not in (None, LOCOMOTIVE)]
    return actions


_BLIND = DrawBlind()
_TAKE = tuple(DrawFaceUp(at + 1) for at in range(MARKET))


@cards.decides(DrawBlind)
def draw_blind(play: "Play", decision: Decision, action: DrawBlind) -> None:
    card = draw_one(play)
    if card is None:
        raise RulesBroken("an empty deck was offered")
    play.record(CardDrawn(decision.seat, card))


@cards.decides(DrawFaceUp)
def draw_face_up(play: "Play", decision: Decision, action: DrawFaceUp) -> None:
    card = cards.part(play.state).market[action.slot - 1]
    if card is None:
        raise RulesBroken("an empty slot was offered")
    play.record(CardTaken(decision.seat, action.slot, card, draw_one(play)))


@cards.explains(DrawBlind)
def no_blind(rules: "Ruleset", state: State, decision: Decision, action: DrawBlind) -> Refusal:
    if sum(cards.part(state).deck):
        return Illegal(say("You cannot draw cards now."), "R-TURN-1")
    return Illegal(say("The deck is empty and nothing has been discarded."), "R-DECK-3")


@cards.explains(DrawFaceUp)
def no_face_up(rules: "Ruleset", state: State, decision: Decision, action: DrawFaceUp) -> Refusal:
    if not 1 <= action.slot <= MARKET:
        return Illegal(say("The market has slots 1 to {last}.", last=MARKET), "R-MKT-1")
    card = cards.part(state).market[action.slot - 1]
    if card is None:
        return Illegal(say("Slot {slot} of the market is empty.", slot=action.slot), "R-DRAW-8")
    if card == LOCOMOTIVE and isinstance(decision, DrawSecondCard):
        return Illegal(say("A face-up locomotive cannot be the second card."), "R-DRAW-4")
    return Illegal(say("You cannot draw cards now."), "R-TURN-1")


@cards.defaults(DrawSecondCard)
def any_second(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[Action]
) -> Action:
    """From the deck if it has cards, otherwise the first card of the market."""
    return actions[0]


def spend(part: Hands, seat: Seat, payment: CardPayment) -> Hands:
    """Move a payment from the hand to the discards.

    In a seat's view, other hands have hidden cards: what is paid beyond the known cards comes out
    of the hidden ones, which are then known.
    """
    hand = [held - paid for held, paid in zip(part.hands[seat], payment.counts, strict=True)]
    discards = tuple(map(int.__add__, part.discards, payment.counts))
    deck = part.deck
    if min(hand[:-1]) < 0:
        bag = list(deck)
        for slot, left in enumerate(hand[:-1]):
            if left < 0:
                hand[slot] = 0
                hand[-1] += left
                bag[slot] += left
                bag[-1] -= left
        deck = tuple(bag)
    return Hands(_put(part.hands, seat, tuple(hand)), part.market, deck, discards, part.aside)


@cards.evolves(Paid)
def paid(part: Hands, event: Paid) -> Hands:
    """The payment and the cards revealed for a tunnel are discarded (R-CLAIM-7, R-TUN-9)."""
    return _drop_aside(spend(part, event.seat, cards_of(event.payment)))


@cards.evolves(TakenBack)
def taken_back(part: Hands, event: TakenBack) -> Hands:
    """The payment never left the hand; the revealed cards are discarded (R-TUN-8, R-TUN-9)."""
    return _drop_aside(part)


def _drop_aside(part: Hands) -> Hands:
    if part.aside == NO_CARDS:
        return part
    return part._replace(
        discards=tuple(map(int.__add__, part.discards, part.aside)), aside=NO_CARDS
    )


def counted(counts: Counts) -> dict[str, int]:
    """Counts by the key of the card; hidden cards are counted under “?”."""
    return {card: counts[slot] for card, slot in SLOT.items() if counts[slot]}


@cards.shows
def show(rules: "Ruleset", state: State) -> Shown:
    part = cards.part(state)
    table = {
        "market": list(part.market),
        "deck": sum(part.deck),
        "discards": counted(part.discards),
        "aside": counted(part.aside),
    }
    return Shown(table, [{"cards": counted(hand)} for hand in part.hands])
