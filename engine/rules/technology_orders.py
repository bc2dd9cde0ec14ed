"""Buying technologies by order."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.kinds import Action
from engine.purse import Bill
from engine.rules.technologies import catalogue, technologies
from engine.rules.technology_rows import TechnologyId
from engine.rules.technology_sale import BuyTechnology, copies_left
from engine.rules.technology_words import bare, name_of, technology_in
from engine.state import State
from engine.translate import say
from engine.values import Cost, Payment, Seat
from engine.wishes import Offer, PaidWish, Wish

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


class TechnologyWish(PaidWish):
    """A technology."""

    __slots__ = ("_id",)
    free = True

    def __init__(self, id: TechnologyId) -> None:
        super().__init__(f"buy {bare(id)}")
        self._id = id

    def picks(self, rules: "Ruleset", state: State, actions: Sequence[Action]) -> list[Action]:
        return [*self._bought(actions)]

    def _bought(self, actions: Sequence[Action]) -> list[BuyTechnology]:
        return [
            each
            for each in actions
            if isinstance(each, BuyTechnology) and each.technology == self._id
        ]

    def prices(self, rules: "Ruleset") -> list[Cost]:
        return [catalogue(rules).technologies[self._id].price]

    def bills(self, rules: "Ruleset", state: State, seat: Seat) -> list[Bill]:
        return [Bill(rules, state, seat, price) for price in self.prices(rules)]

    def offers(
        self, rules: "Ruleset", state: State, seat: Seat, actions: Sequence[Action]
    ) -> list[Offer]:
        options: dict[Payment, Action] = {each.payment: each for each in self._bought(actions)}
        return [Offer(self.bills(rules, state, seat)[0], options)] if options else []

    def is_done(self, rules: "Ruleset", state: State, seat: Seat) -> bool:
        return self._id in technologies.part(state).owned[seat]

    def why_lost(self, rules: "Ruleset", state: State, seat: Seat) -> str:
        if copies_left(rules, state, self._id):
            return ""
        return say("{technology} is sold out.", technology=name_of(rules, self._id))


@technologies.orders("buy")
def order_buy(rules: "Ruleset", words: str) -> list[Wish]:
    return [TechnologyWish(technology_in(rules, words))]
