"""Paying with train cards."""

from collections.abc import Iterable, Sequence
from operator import sub
from typing import TYPE_CHECKING

from engine.errors import Illegal, Refusal
from engine.kinds import Decision
from engine.module import DRAW, SPEND
from engine.notation import amounts
from engine.purse import Bill, PaidWay, Shortfall, thriftiest
from engine.rules.card_payments import (
    RIDER,
    Ways,
    cards_of,
    colour_of,
    fewest_units,
    jokers_in,
    listed_payments,
    pays,
)
from engine.rules.card_ways import (
    in_words,
    paid_ways,
    shortfall,
    what_is_wrong,
    wrong_colour,
)
from engine.rules.turns import TakeTurn
from engine.state import State
from engine.translate import say
from engine.values import (
    CARDS,
    GRAY,
    LOCOMOTIVE,
    NO_CARDS,
    PASSENGER,
    PLUS4,
    SLOT,
    Card,
    CardPayment,
    Cost,
    Counts,
    Payment,
    Seat,
    card_payment,
)

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset

NAMES = {
    **{card: card for card in CARDS},
    "locomotives": LOCOMOTIVE,
    "loco": LOCOMOTIVE,
    "locos": LOCOMOTIVE,
    "pink": "purple",
    "+4": PLUS4,
    "plus4s": PLUS4,
    "passengers": PASSENGER,
}


class CardPurse:
    """The card purse: cards of one colour, locomotives, and substitutes if the map allows them."""

    rolls = False

    @property
    def occasions(self) -> dict[type[Decision], tuple[str, ...]]:
        return {TakeTurn: (DRAW, SPEND)}

    def payments(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        costs: tuple[Cost, ...],
        committed: Payment | None = None,
    ) -> Ways:
        return listed_payments(_free_hand(state, seat, committed), costs, rules.terms(state, seat))

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
        held = all(0 <= paid <= has for paid, has in zip(payment.counts, hand, strict=True))
        return held and pays(payment.counts, cost, rules.terms(state, seat))

    def fares(self, state: State, seat: Seat) -> tuple[Payment, ...]:
        """A passenger card for each route of another seat (R-MAR-24)."""
        held: int = state.parts["cards"].hands[seat][RIDER]
        return tuple(
            card_payment((*NO_CARDS[:RIDER], number, *NO_CARDS[RIDER + 1 :]))
            for number in range(held + 1)
        )

    def why_not(self, bill: Bill, payment: Payment) -> str:
        if not isinstance(payment, CardPayment):
            return say("In this game you pay with cards.")
        hand = _free_hand(bill.state, bill.seat, bill.committed)
        terms = bill.rules.terms(bill.state, bill.seat)
        return what_is_wrong(hand, bill.cost, terms, payment.counts)

    def ways(self, bill: Bill, payments: Iterable[Payment]) -> tuple[PaidWay, ...]:
        counts = tuple(cards_of(payment).counts for payment in payments)
        hand = _free_hand(bill.state, bill.seat, bill.committed)
        return paid_ways(hand, bill.cost, bill.rules.terms(bill.state, bill.seat), counts)

    def unasked(self, ways: Sequence[PaidWay]) -> list[PaidWay]:
        """All but substitutes: whoever orders a claim does not expect to pay four cards for one."""
        return [way for way in ways if way.name]

    def never_pays(self, rules: "Ruleset", cost: Cost, words: str) -> Refusal | None:
        laid = list(NO_CARDS)
        for card, number in amounts(words, NAMES, _no_card).items():
            laid[SLOT[card]] = number
        means = cost.means
        if rules.terms(rules.initial, 0).substitute or means.symbol_set or means.card_set:
            return None
        wrong = wrong_colour(cost, tuple(laid))
        return Illegal(wrong, "R-CLAIM-6") if wrong else None

    def price(self, cost: Cost) -> str:
        return in_words(cost)

    def shortfall(self, bill: Bill) -> Shortfall:
        hand = _free_hand(bill.state, bill.seat, bill.committed)
        terms = bill.rules.terms(bill.state, bill.seat)
        if payments := listed_payments(hand, (bill.cost,), terms).get(0, ()):
            return Shortfall(spent=self.ways(bill, payments)[0].payments[0])
        return shortfall(hand, bill.cost._replace(units=fewest_units(bill.cost, terms)))

    def probe(
        self, play: "Play", cost: Cost, payment: Payment
    ) -> tuple[tuple[Card, ...], Cost | None]:
        """Reveal three cards; each locomotive and each card of the colour paid costs one more."""
        from engine.rules.market import reveal  # noqa: PLC0415  # the market is built on this purse

        revealed = reveal(play, 3)
        colour = colour_of(cards_of(payment), cost)
        extra = sum(card in (colour, LOCOMOTIVE) for card in revealed)
        if not extra:
            return revealed, None
        due = Cost(extra, colour, purpose="surcharge")
        if colour == LOCOMOTIVE:
            due = due._replace(colour=GRAY, locomotives=extra)
        return revealed, due

    def join(self, first: Payment, second: Payment) -> Payment:
        return cards_of(first) + cards_of(second)

    def read(self, words: str, ways: Sequence[PaidWay]) -> list[Payment]:
        """Read cards such as `2 red and 1 locomotive`, or a colour for the way that it names."""
        if not words and ways:
            return thriftiest(ways)
        card = NAMES.get(words)
        if card == LOCOMOTIVE:
            named = [way.payments[-1] for way in ways if _only_locomotives(way.payments[-1])][:1]
        else:
            named = [way.payments[0] for way in ways if card and way.name == card]
        return named or [_exactly(words)]


def _only_locomotives(payment: Payment) -> bool:
    counts = cards_of(payment).counts
    return jokers_in(counts) == sum(counts)


def _exactly(words: str) -> Payment:
    counts = list(NO_CARDS)
    for card, number in amounts(words, NAMES, _no_card).items():
        counts[SLOT[card]] = number
    return card_payment(tuple(counts))


def _no_card(word: str) -> str:
    return say("“{word}” is not a train card.", word=word)


def _free_hand(state: State, seat: Seat, committed: Payment | None) -> Counts:
    hand: Counts = state.parts["cards"].hands[seat]
    if committed is None:
        return hand
    return tuple(map(sub, hand, cards_of(committed).counts))
