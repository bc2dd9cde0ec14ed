"""Small immutable values that all rules share: cities, routes, tickets, costs, payments, scores."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, NamedTuple

from engine.meanings import OneOf
from engine.names import some_cards
from engine.text import listed
from engine.translate import cached_by_language, say, says

COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
LOCOMOTIVE = "locomotive"
PLUS4 = "plus4"
"""A locomotive that only counts on long routes (R-MAR-11)."""
PASSENGER = "passenger"
"""A card with which a passenger rides a route of another seat (R-MAR-24); it pays for no route."""
CARDS = (*COLOURS, LOCOMOTIVE, PLUS4, PASSENGER)
PLUS4_FROM = 4
"""How many spaces a route has at least on which a “+4” locomotive counts."""
GRAY = "gray"
PLAIN, FERRY, TUNNEL = "plain", "ferry", "tunnel"
"""The kinds of routes."""

HIDDEN = "?"
"""Stands for a card or a ticket that the reader may not see."""

Seat = Annotated[int, "The seat's number, from 0."]
CityId = Annotated[str, "The city's id."]
RouteId = Annotated[str, "The route's id."]
TicketId = Annotated[str, "The ticket's id."]
Card = Annotated[str, "The card.", OneOf((*CARDS, HIDDEN))]
Cards = Annotated[tuple[Card, ...], "The cards."]
OpenCard = Annotated[str, OneOf(CARDS)]
"""A face-up card, which is never hidden."""

SLOT = {card: slot for slot, card in enumerate((*CARDS, HIDDEN))}
"""The index of a card in `Counts`; hidden cards have one of their own."""

Counts = tuple[int, ...]
"""How many of each card, in the order of `SLOT`."""

NO_CARDS: Counts = (0,) * len(SLOT)


class City(NamedTuple):
    id: CityId
    name: str
    lat: float
    lon: float
    region: str


class Place(NamedTuple):
    """A ticket's destination that consists of several cities; any of them counts (R-UK-12)."""

    id: str
    name: str
    cities: tuple[CityId, ...]


class Route(NamedTuple):
    id: RouteId
    cities: tuple[CityId, CityId]
    length: int
    colour: str
    kind: str
    locomotives: int
    twin: RouteId | None
    open_to_all: bool


class Ticket(NamedTuple):
    id: TicketId
    ends: tuple[str, str]
    cities: tuple[tuple[CityId, ...], tuple[CityId, ...]]
    points: int
    decks: tuple[str, ...]
    provenance: str


class Completion(NamedTuple):
    """One way to complete a ticket: any city of one end is connected with any of the other."""

    a: tuple[CityId, ...]
    b: tuple[CityId, ...]
    points: int
    to: str = ""
    """The city or place that is reached, if the ticket can be completed in several ways."""


class Means(NamedTuple):
    """What counts towards the cost of a route, apart from cards of its colour."""

    jokers: bool = True
    """Whether locomotives count as cards of the colour."""
    symbol_set: int = 0
    """How many coloured cards count as the locomotive of a symbol; 0 if none do."""
    card_set: int = 0
    """How many cards of any kind count as one card of the colour; 0 if none do."""


USUAL_MEANS = Means()


class Cost(NamedTuple):
    """What has to be paid: a number of units of one colour, some of which must be locomotives."""

    units: Annotated[int, "How many cards or dice."]
    colour: Annotated[
        str,
        "The colour of the cards to pay with; `gray` means any one colour.",
        OneOf((*COLOURS, GRAY)),
    ] = GRAY
    locomotives: Annotated[int, "How many of the units must be locomotives."] = 0
    double: Annotated[bool, "Whether it is for a double route, which takes other dice."] = False
    purpose: Annotated[
        str,
        "What it is for: `route`, `surcharge`, `station` or `technology`.",
        OneOf(("route", "surcharge", "station", "technology")),
    ] = "route"
    means: Means = USUAL_MEANS
    """What else counts; only routes have other means than the usual ones, and no document does."""

    def __repr__(self) -> str:
        """Leaves out the usual means, as documents do."""
        names = self._fields if self.means != USUAL_MEANS else self._fields[:-1]
        return f"Cost({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


class PriceList(tuple[Cost, ...]):
    """Costs in ascending order, for lookups that are repeated often.

    Compared and hashed by identity, not by content, so that it is a fast cache key.
    """

    __slots__ = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Terms(NamedTuple):
    """The terms on which a seat pays."""

    substitute: int = 0
    """How many cards of any colour count as one locomotive; 0 if none do (R-UK-5)."""
    spare: int = 0
    """How many units of a claim may be left unpaid (R-ADV-5)."""


NOTHING = "nothing"
"""An empty payment in notation."""


class Payment:
    """What is paid for a cost: cards or dice. `str` gives it in notation."""

    __slots__ = ()

    @property
    def spoken(self) -> str:
        """The payment as it reads in a sentence."""
        return str(self)


Paying = Annotated[Payment, "What is paid."]
"""A payment as a field of an action or event."""


@dataclass(frozen=True, slots=True)
class CardPayment(Payment):
    """Train cards laid down, counted by slot."""

    counts: Counts

    def __str__(self) -> str:
        return _written(self.counts)

    @property
    def spoken(self) -> str:
        return _spoken(self.counts)

    def __add__(self, other: "CardPayment") -> "CardPayment":
        return card_payment(tuple(map(int.__add__, self.counts, other.counts)))


@lru_cache(maxsize=1 << 12)
def _written(counts: Counts) -> str:
    parts = [f"{n} {card}" for card, n in zip(CARDS, counts, strict=False) if n]
    return " ".join(parts) or NOTHING


@cached_by_language(1 << 12)
def _spoken(counts: Counts) -> str:
    parts = [some_cards(card, n) for card, n in zip(CARDS, counts, strict=False) if n]
    return listed(parts) or say("nothing")


@lru_cache(maxsize=1 << 14)
def card_payment(counts: Counts) -> CardPayment:
    """The payment for these counts; equal payments are one object, so they compare fast."""
    return CardPayment(counts)


@dataclass(frozen=True, slots=True)
class DicePayment(Payment):
    """Dice by their numbers, from 1, and a number of tokens of the route's kind."""

    dice: tuple[int, ...]
    tokens: int = 0

    def __str__(self) -> str:
        parts = []
        if self.dice:
            parts.append(f"{'dice' if self.dice[1:] else 'die'} {' '.join(map(str, self.dice))}")
        if self.tokens:
            parts.append(f"{self.tokens} {'token' if self.tokens == 1 else 'tokens'}")
        return " ".join(parts) or NOTHING

    @property
    def spoken(self) -> str:
        parts = []
        if self.dice:
            numbers = listed([*map(str, self.dice)])
            parts.append(says("die {dice}", "dice {dice}", len(self.dice), dice=numbers))
        if self.tokens:
            parts.append(says("{n} token", "{n} tokens", self.tokens))
        return listed(parts) or say("nothing")


@lru_cache(maxsize=1 << 10)
def dice_payment(dice: tuple[int, ...], tokens: int = 0) -> DicePayment:
    """The payment of these dice and tokens; equal payments are one object."""
    return DicePayment(dice, tokens)


class Tokens(NamedTuple):
    """Route tokens of both kinds (R-DICE-5)."""

    single: Annotated[int, "How many single tokens."] = 0
    double: Annotated[int, "How many double tokens."] = 0

    def __str__(self) -> str:
        parts = [f"{number} {kind}" for kind, number in self._asdict().items() if number]
        return " ".join(parts) or "none"

    @property
    def spoken(self) -> str:
        """The tokens as they read in a sentence."""
        if self.single and self.double:
            return say(
                "{single} single and {double} double tokens",
                single=self.single,
                double=self.double,
            )
        if self.single:
            return says("{n} single token", "{n} single tokens", self.single)
        if self.double:
            return says("{n} double token", "{n} double tokens", self.double)
        return say("no token")


class ScoreLine(NamedTuple):
    """Points of one kind, and the routes, tickets or cities they are for."""

    kind: Annotated[str, "What the points are for: a word of the rules, such as `routes`."]
    points: Annotated[int, "The points."]
    of: Annotated[
        tuple[str, ...], "The ids of the routes, tickets or cities that the points are for."
    ] = ()


class Result(NamedTuple):
    """The final result of one seat (R-DIG-11)."""

    seat: Seat
    lines: Annotated[tuple[ScoreLine, ...], "The points, by kind."]
    total: Annotated[int, "The sum of all points."]
    completed: Annotated[tuple[TicketId, ...], "The ids of the tickets that were completed."]
    failed: Annotated[tuple[TicketId, ...], "The ids of the tickets that were not completed."]
    trail: Annotated[int, "The length of the seat's longest trail."]
    rank: Annotated[int, "The seat's place, from 1; seats that tie share one."]
