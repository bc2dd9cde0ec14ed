"""The purse: how costs are paid, in which ways, and what is wrong with other payments."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from engine.errors import Refusal
from engine.kinds import Decision
from engine.state import State
from engine.values import Card, Cost, Payment, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


class Bill(NamedTuple):
    """A cost that a seat has to pay in a position."""

    rules: "Ruleset"
    state: State
    seat: Seat
    cost: Cost
    committed: Payment | None = None
    """What the seat has paid already and cannot spend again."""


class Shortfall(NamedTuple):
    """What a seat lacks to pay a bill."""

    words: str = ""
    """In words; empty if nothing is missing, or if that cannot be named."""
    cards: tuple[tuple[Card | None, int], ...] = ()
    """The missing cards with their numbers; None stands for any one colour."""
    spent: Payment | None = None
    """What the seat already has for it; what is left pays for other things."""


class PaidWay(NamedTuple):
    """Payments that differ only in their number of locomotives or jokers."""

    payments: tuple[Payment, ...]
    """The fewest locomotives first; each further payment has one more."""
    locomotives: int
    """How many locomotives the first payment has."""
    name: str
    """Ways with the same name differ only in locomotives or jokers; with cards it is the colour.
    Empty for a way that is like no other."""


def thriftiest(ways: Iterable[PaidWay]) -> list[Payment]:
    """The payments that are meant where none is named: the first of the ways with each name."""
    first: dict[object, Payment] = {}
    for way in ways:
        first.setdefault(way.name or way, way.payments[0])
    return list(first.values())


class Purse(Protocol):
    """How costs are paid: with cards or with dice. Exactly one module in play has a purse."""

    @property
    def occasions(self) -> dict[type[Decision], tuple[str, ...]]:
        """Decisions with the occasions that they serve."""
        ...

    @property
    def rolls(self) -> bool:
        """Whether costs are paid with dice instead of cards; help texts differ."""
        ...

    def payments(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        costs: tuple[Cost, ...],
        committed: Payment | None = None,
    ) -> Mapping[int, tuple[Payment, ...]]:
        """The ways to pay each of these costs, by its index; unaffordable costs are left out.

        Costs come cheapest first. What is committed already cannot be spent again.
        The result may be cached, so callers must not change it.
        """

    def accepts(
        self,
        rules: "Ruleset",
        state: State,
        seat: Seat,
        cost: Cost,
        payment: Payment,
        committed: Payment | None = None,
    ) -> bool:
        """Whether the seat holds this payment and it pays the cost, listed or not."""

    def fares(self, state: State, seat: Seat) -> tuple[Payment, ...]:
        """The payments for riding no, one, two … routes of other seats, as many as it can pay."""

    def why_not(self, bill: Bill, payment: Payment) -> str:
        """A sentence that says what is wrong with a payment that is not accepted."""

    def ways(self, bill: Bill, payments: Iterable[Payment]) -> tuple[PaidWay, ...]:
        """The listed payments of a bill as ways to pay it, the thriftiest first."""

    def unasked(self, ways: Sequence[PaidWay]) -> list[PaidWay]:
        """The ways in which an order may pay if it does not say with what, the thriftiest first."""
        ...

    def never_pays(self, rules: "Ruleset", cost: Cost, words: str) -> Refusal | None:
        """Why what these words name can never pay for a cost; None if some day it may."""
        ...

    def price(self, cost: Cost) -> str:
        """A cost in words."""

    def shortfall(self, bill: Bill) -> Shortfall:
        """What the seat still needs to pay a bill in the thriftiest way."""
        ...

    def probe(
        self, play: "Play", cost: Cost, payment: Payment
    ) -> tuple[tuple[str, ...], Cost | None]:
        """Reveal the tunnel cards or dice: what they show, and the surcharge, if any."""

    def join(self, first: Payment, second: Payment) -> Payment:
        """Both payments as one."""

    def read(self, words: str, ways: Sequence[PaidWay]) -> list[Payment]:
        """Read payments from notation: an exact one, or those that name one of these ways.

        Without words every way is meant, with its thriftiest payment. Raises Unreadable.
        """
        ...
