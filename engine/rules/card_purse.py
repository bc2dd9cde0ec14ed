"""Paying with train cards: every legal payment, and no other."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.errors import RulesBroken, Unreadable
from engine.kinds import Decision
from engine.module import DRAW, SPEND
from engine.notation import shown
from engine.rules.turns import TakeTurn
from engine.state import State
from engine.values import (
    CARDS,
    COLOURS,
    GRAY,
    LOCOMOTIVE,
    NO_CARDS,
    SLOT,
    Card,
    CardPayment,
    Cost,
    Counts,
    Payment,
    Seat,
    Terms,
    card_payment,
)

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

WILD = SLOT[LOCOMOTIVE]
ALL_COLOURS = range(len(COLOURS))
NAMES = {
    **{card: card for card in CARDS},
    "locomotives": LOCOMOTIVE,
    "loco": LOCOMOTIVE,
    "locos": LOCOMOTIVE,
    "pink": "purple",
}


class CardPurse:
    """The card purse: one colour, locomotives as jokers, substitutes where the board has them."""

    @property
    def occasions(self) -> dict[type[Decision], tuple[str, ...]]:
        return {TakeTurn: (DRAW, SPEND)}

    def payments(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        costs: Sequence[Cost],
        committed: Payment | None = None,
    ) -> dict[int, tuple[Payment, ...]]:
        hand, terms = _free_hand(state, seat, committed), rules.terms(state, seat)
        found: dict[int, tuple[Payment, ...]] = {}
        if terms.substitute or terms.spare:
            for at, cost in enumerate(costs):
                if ways := tuple(dict.fromkeys(_on_terms(hand, cost, terms))):
                    found[at] = ways
            return found
        wild = hand[WILD]
        most = max(hand[:WILD]) + wild
        for at, (units, colour, need, _, _) in enumerate(costs):
            if units > most:
                break
            if colour == GRAY:
                found[at] = _any_colour(hand, units, need)
            elif (held := hand[slot := SLOT[colour]]) + wild >= units:
                found[at] = _one_colour(slot, units, need, held, wild)
        return found

    def accepts(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        cost: Cost,
        payment: Payment,
        committed: Payment | None = None,
    ) -> bool:
        if not isinstance(payment, CardPayment):
            return False
        hand = _free_hand(state, seat, committed)
        held = all(paid <= has for paid, has in zip(payment.counts, hand, strict=True))
        return held and pays(payment.counts, cost, rules.terms(state, seat))

    def probe(
        self, play: "Play", cost: Cost, payment: Payment
    ) -> tuple[tuple[Card, ...], Cost | None]:
        """Three cards; each locomotive and each of the colour that was paid costs one more."""
        from engine.rules.market import reveal  # noqa: PLC0415  # the market is built on this purse

        revealed = reveal(play, 3)
        colour = colour_of(cards_of(payment), cost)
        extra = sum(card in (colour, LOCOMOTIVE) for card in revealed)
        if not extra:
            return revealed, None
        return revealed, Cost(extra, GRAY, extra) if colour == LOCOMOTIVE else Cost(extra, colour)

    def join(self, first: Payment, second: Payment) -> Payment:
        return cards_of(first) + cards_of(second)

    def read(self, said: str) -> Payment:
        counts, number = list(NO_CARDS), 1
        for word in said.split():
            if word.isascii() and word.isdigit():
                number = int(word[:4])
            elif word in NAMES:
                counts[SLOT[NAMES[word]]] += number
                number = 1
            elif word != "and":
                raise Unreadable(f"“{shown(word)}” is no train card.")
        return card_payment(tuple(counts))


def cards_of(payment: Payment) -> CardPayment:
    """The payment, which in this game is of cards."""
    if not isinstance(payment, CardPayment):
        raise RulesBroken("cards are paid with cards")
    return payment


def _free_hand(state: State, seat: Seat, committed: Payment | None) -> Counts:
    hand: Counts = state.parts["cards"].hands[seat]
    if committed is None:
        return hand
    return tuple(map(int.__sub__, hand, cards_of(committed).counts))


@lru_cache(maxsize=1 << 14)
def _one_colour(slot: int, units: int, need: int, held: int, wild: int) -> tuple[Payment, ...]:
    """Payments with this colour, the fewest locomotives first, and with locomotives alone."""
    jokers = _jokers(units) if wild >= units else ()
    return _coloured(slot, units, need, held, wild) + jokers


@lru_cache(maxsize=1 << 14)
def _any_colour(hand: Counts, units: int, need: int) -> tuple[Payment, ...]:
    """The same for every colour that is held; locomotives alone come last, once."""
    wild = hand[WILD]
    found: tuple[Payment, ...] = ()
    for slot in ALL_COLOURS:
        held = hand[slot]
        if held and held + wild >= units:
            found += _coloured(slot, units, need, held, wild)
    return found + _jokers(units) if wild >= units else found


@lru_cache(maxsize=1 << 14)
def _coloured(slot: int, units: int, need: int, held: int, wild: int) -> tuple[Payment, ...]:
    most, least = min(held, units - need), max(1, units - wild)
    return tuple(_laid({slot: own, WILD: units - own}) for own in range(most, least - 1, -1))


@lru_cache(maxsize=64)
def _jokers(units: int) -> tuple[Payment, ...]:
    return (_laid({WILD: units}),)


def _laid(by_slot: dict[int, int]) -> CardPayment:
    return card_payment(tuple(by_slot.get(slot, 0) for slot in range(len(NO_CARDS))))


def _on_terms(hand: Counts, cost: Cost, terms: Terms) -> Iterator[CardPayment]:
    """One payment for every split of the units into a colour, locomotives and substitute sets.

    Which odd cards fill the sets is the player's to vary; the list proposes the smallest stacks.
    """
    size, total = terms.substitute, sum(hand[:WILD])
    for units in _units(cost, terms):
        for slot, own in _openings(hand, cost, units):
            rest = units - own
            for wild in range(min(hand[WILD], rest), -1, -1):
                sets = rest - wild
                if sets and (not size or sets * size > total - own):
                    break
                yield _with_odd_cards(hand, slot, own, wild, sets * size)


def _units(cost: Cost, terms: Terms) -> range:
    """How many units may be paid, the full number first (R-ADV-5)."""
    spare = terms.spare if cost.purpose == "route" else 0
    return range(cost.units, max(1, cost.locomotives, cost.units - spare) - 1, -1)


def _openings(hand: Counts, cost: Cost, units: int) -> Iterator[tuple[int, int]]:
    """A colour and how many of it; none of any colour comes last, once."""
    slots = ALL_COLOURS if cost.colour == GRAY else (SLOT[cost.colour],)
    for slot in slots:
        for own in range(min(hand[slot], units - cost.locomotives), 0, -1):
            yield slot, own
    yield WILD, 0


def _with_odd_cards(hand: Counts, slot: int, own: int, wild: int, odd: int) -> CardPayment:
    counts = list(NO_CARDS)
    counts[slot] += own
    counts[WILD] += wild
    if odd:
        for other in sorted(ALL_COLOURS, key=lambda other: (other == slot, hand[other])):
            more = min(odd, hand[other] - counts[other])
            counts[other] += more
            odd -= more
    return card_payment(tuple(counts))


def pays(counts: Counts, cost: Cost, terms: Terms) -> bool:
    """Whether these cards split into one colour, locomotives and whole substitute sets.

    The units come out exactly, and the locomotives suffice (R-CLAIM-3 to 6, R-FERRY-1, R-UK-7).
    """
    wild, total = counts[WILD], sum(counts[:WILD])
    slots = ALL_COLOURS if cost.colour == GRAY else (SLOT[cost.colour],)
    for slot in slots:
        for own in range(counts[slot] + 1):
            sets, over = divmod(total - own, terms.substitute or total - own or 1)
            if over or (sets and not terms.substitute):
                continue
            if own + wild + sets in _units(cost, terms) and wild + sets >= cost.locomotives:
                return True
    return False


def colour_of(payment: CardPayment, cost: Cost) -> Card:
    """The colour a payment is in: the route's, or on a gray route the one most laid (R-TUN-11)."""
    if not any(payment.counts[:WILD]):
        return LOCOMOTIVE
    if cost.colour != GRAY:
        return cost.colour
    return max(COLOURS, key=lambda colour: payment.counts[SLOT[colour]])
