"""Building stations by order."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.kinds import Action
from engine.notation import city_in, city_name, without
from engine.purse import Bill
from engine.rules.stations import BuildStation, bill, occupied, price, stations
from engine.state import State
from engine.translate import say
from engine.values import CityId, Cost, Payment, Seat
from engine.wishes import Offer, PaidWish, Wish

if TYPE_CHECKING:
    from engine.ruleset import Ruleset


class StationWish(PaidWish):
    """A station in a city."""

    __slots__ = ("_city",)

    def __init__(self, city: CityId) -> None:
        super().__init__(f"station {city}")
        self._city = city

    def picks(self, rules: "Ruleset", state: State, actions: Sequence[Action]) -> list[Action]:
        return [*self._bought(actions)]

    def _bought(self, actions: Sequence[Action]) -> list[BuildStation]:
        return [
            each for each in actions if isinstance(each, BuildStation) and each.city == self._city
        ]

    def prices(self, rules: "Ruleset") -> list[Cost]:
        return [price(stations.part(rules.initial), 0)]

    def bills(self, rules: "Ruleset", state: State, seat: Seat) -> list[Bill]:
        return [bill(rules, state, seat)]

    def offers(
        self, rules: "Ruleset", state: State, seat: Seat, actions: Sequence[Action]
    ) -> list[Offer]:
        options: dict[Payment, Action] = {each.payment: each for each in self._bought(actions)}
        return [Offer(self.bills(rules, state, seat)[0], options)] if options else []

    def is_done(self, rules: "Ruleset", state: State, seat: Seat) -> bool:
        return self._city in stations.part(state).built[seat]

    def why_lost(self, rules: "Ruleset", state: State, seat: Seat) -> str:
        part = stations.part(state)
        if self._city in occupied(part):
            where = city_name(rules, self._city)
            return say("There is already a station in {city}.", city=where)
        if len(part.built[seat]) == stations.parameters(rules).each:
            return say("You have no stations left.")
        return ""


@stations.orders("station")
def order_station(rules: "Ruleset", words: str) -> list[Wish]:
    return [StationWish(city_in(rules, words))]


@stations.orders("build")
def order_build(rules: "Ruleset", words: str) -> list[Wish]:
    return order_station(rules, without(words, "a", "station", "in"))
