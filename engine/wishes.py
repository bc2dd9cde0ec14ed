"""Wishes: moves that are meant for later, as the rules understand them before they are legal.

A rule says with the joint `orders` what a text is after, in whatever position it will be played.
Nothing here decides whether a move is legal: a wish only picks from the list of options.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.kinds import Action, Decision
from engine.purse import Bill
from engine.state import State
from engine.values import Cost, Payment, Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


class Wish:
    """A move for later."""

    __slots__ = ("text",)
    free = False
    """Whether it comes on top of the turn's action, and may change what is possible after it."""

    def __init__(self, text: str) -> None:
        self.text = text
        """The move in notation, without what is paid."""

    def picks(self, rules: "Ruleset", state: State, actions: Sequence[Action]) -> list[Action]:
        """The options that make this move; none if it is not legal now."""
        raise NotImplementedError


class PlainWish(Wish):
    """A move that costs nothing, such as drawing a card."""

    __slots__ = ("_fits",)

    def __init__(self, text: str, fits: Callable[["Ruleset", State, Action], bool]) -> None:
        super().__init__(text)
        self._fits = fits

    def picks(self, rules: "Ruleset", state: State, actions: Sequence[Action]) -> list[Action]:
        return [action for action in actions if self._fits(rules, state, action)]


class PaidWish(Wish):
    """A move that has to be paid for, so that one can collect for it: a route, a station."""

    __slots__ = ()

    def prices(self, rules: "Ruleset") -> list[Cost]:
        """What it costs at the start; several where any will do, such as the tracks of a route."""
        raise NotImplementedError

    def bills(self, rules: "Ruleset", state: State, seat: Seat) -> list[Bill]:
        """What it costs this seat now; empty where it is barred."""
        raise NotImplementedError

    def offers(
        self, rules: "Ruleset", state: State, seat: Seat, actions: Sequence[Action]
    ) -> list["Offer"]:
        """The options that buy it, one offer for each bill."""
        raise NotImplementedError

    def is_done(self, rules: "Ruleset", state: State, seat: Seat) -> bool:
        """Whether the seat has it already."""
        raise NotImplementedError

    def why_lost(self, rules: "Ruleset", state: State, seat: Seat) -> str:
        """Why nobody can bring it back: it is taken, or sold out; "" if it can still be had."""
        raise NotImplementedError

    def why_barred(self, rules: "Ruleset", state: State, seat: Seat) -> str:
        """Why collecting cannot help: it is lost, or something else is missing; "" if it can."""
        return self.why_lost(rules, state, seat)


class Offer(NamedTuple):
    """Options that pay the same bill in different ways."""

    bill: Bill
    options: dict[Payment, Action]


class Bound(NamedTuple):
    """A moment until which an order holds, such as the last round."""

    text: str
    is_reached: Callable[["Ruleset", State], bool]


class Need(NamedTuple):
    """What is collected: the bills of which one is to be paid, and with what."""

    bills: tuple[Bill, ...]
    paying: str = ""
    """What to pay with, in notation; empty for anything."""


Collect = Callable[["Ruleset", State, Decision, Sequence[Action], Need], Action | None]
"""The option with which a seat comes nearer to paying; None if there is none."""
