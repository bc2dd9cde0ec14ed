"""Stations: building them, and borrowing routes with them at the end of the game."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypedDict

from engine.checks import NotNegative
from engine.display import PIECE, Column, Fact, Help, Mark
from engine.errors import Illegal, Refusal, RulesBroken
from engine.kinds import Action, Decision, Paid, action, event
from engine.menu import Entry, paid_ways
from engine.module import SPEND, Module, Shown
from engine.notation import (
    city_in,
    city_name,
    halves,
    no_city,
    payments_in,
    why_not_paid,
    without,
)
from engine.options import actions_for
from engine.purse import Bill
from engine.rules.routes import routes
from engine.state import Awaiting, State, closed
from engine.tally import Tally
from engine.text import listed, points
from engine.translate import say
from engine.values import CityId, Cost, Paying, Route, Seat

if TYPE_CHECKING:
    from engine.play import Play
    from engine.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Parameters:
    each: NotNegative
    unused_points: NotNegative
    """Points for each station that was never built (R-STA-10)."""


class Stations(NamedTuple):
    built: tuple[tuple[CityId, ...], ...]
    """The cities where each seat has built, in order."""


stations: Module[Parameters, Stations] = Module(
    "stations", Parameters, needs=("routes", "tickets"), measures=("fewest_stations",)
)


@action("build_station")
class BuildStation(Action):
    """Build a station in a city."""

    city: CityId
    payment: Paying


@event
class StationBuilt(Paid):
    """A seat has built a station."""

    seat: Seat
    city: CityId
    payment: Paying


@stations.starts
def none_built(rules: "Ruleset") -> Stations:
    return Stations(((),) * rules.seats)


def price(part: Stations, seat: Seat) -> Cost:
    """The cost of a seat's next station: one more unit than for the one before (R-STA-2)."""
    return Cost(1 + len(part.built[seat]), purpose="station")


def bill(rules: "Ruleset", state: State, seat: Seat) -> Bill:
    """What a seat has to pay for its next station."""
    return Bill(rules, state, seat, price(stations.part(state), seat))


def occupied(part: Stations) -> set[CityId]:
    """The cities that have a station of any seat."""
    return {city for cities in part.built for city in cities}


@stations.offers(SPEND)
def offer_stations(rules: "Ruleset", state: State, decision: Decision) -> list[Action]:
    """A station in every city without one, with every payment (R-STA-3)."""
    part = stations.part(state)
    if len(part.built[decision.seat]) == stations.parameters(rules).each:
        return []
    ways = rules.purse.payments(rules, state, decision.seat, (price(part, decision.seat),)).get(
        0, ()
    )
    if not ways:
        return []
    taken = occupied(part)
    return [
        BuildStation(city, payment)
        for city in rules.board.cities
        if city not in taken
        for payment in ways
    ]


@stations.admits(BuildStation)
def other_payments(
    rules: "Ruleset", state: State, decision: Decision, action: BuildStation
) -> bool:
    """A station on the list may be built with any payment that covers its cost."""
    offered = any(
        isinstance(other, BuildStation) and other.city == action.city
        for other in actions_for(rules, state, decision)
    )
    return offered and rules.purse.accepts(
        rules, state, decision.seat, price(stations.part(state), decision.seat), action.payment
    )


@stations.explains(BuildStation)
def why_not_build(
    rules: "Ruleset", state: State, decision: Decision, action: BuildStation
) -> Refusal:
    part = stations.part(state)
    if action.city not in rules.board.cities:
        return Illegal(no_city(action.city), "R-STA-3")
    if SPEND not in rules.purse.occasions.get(type(decision), ()):
        return Illegal(say("You can build a station only as the action of your turn."), "R-STA-1")
    if len(part.built[decision.seat]) == stations.parameters(rules).each:
        return Illegal(say("You have no stations left."), "R-STA-1")
    if action.city in occupied(part):
        where = city_name(rules, action.city)
        return Illegal(say("There is already a station in {city}.", city=where), "R-STA-3")
    due = bill(rules, state, decision.seat)
    return Illegal(why_not_paid(due, action.payment, say("your next station")), "R-STA-2")


@stations.decides(BuildStation)
def build(play: "Play", decision: Decision, action: BuildStation) -> None:
    play.record(StationBuilt(decision.seat, action.city, action.payment))


@stations.evolves(StationBuilt)
def built(part: Stations, event: StationBuilt) -> Stations:
    cities = list(part.built)
    cities[event.seat] += (event.city,)
    return Stations(tuple(cities))


@stations.awaits(StationBuilt)
def station_stands(awaiting: Awaiting, event: StationBuilt) -> Awaiting:
    return closed(awaiting, event.seat)


@stations.lends
def borrow(rules: "Ruleset", state: State, seat: Seat) -> list[list[Route]]:
    """For each station, the routes of other seats that end in its city (R-STA-5)."""
    owned = [
        rules.board.routes[id]
        for id, owners in routes.part(state).owners.items()
        if owners and seat not in owners
    ]
    return [
        [route for route in owned if city in route.cities]
        for city in stations.part(state).built[seat]
    ]


@stations.scores
def score_stations(rules: "Ruleset", state: State, tally: Tally) -> None:
    """Points for unbuilt stations; the fewest built stations break ties (R-STA-10)."""
    settings, all_built = stations.parameters(rules), stations.part(state).built
    for seat, cities in enumerate(all_built):
        unused = settings.each - len(cities)
        tally.add(seat, "stations", unused * settings.unused_points, cities)
    tally.measures["fewest_stations"] = [-len(cities) for cities in all_built]


@stations.accounts
def count_stations(rules: "Ruleset", state: State) -> None:
    """No seat has built too many stations, and no city has two (R-STA-1, R-STA-3)."""
    all_built = stations.part(state).built
    if max(map(len, all_built)) > stations.parameters(rules).each:
        raise RulesBroken("a seat has built more stations than it had")
    if sum(map(len, all_built)) != len(occupied(stations.part(state))):
        raise RulesBroken("a city has two stations")


@stations.labels(BuildStation)
def label_build(rules: "Ruleset", state: State, action: BuildStation) -> str:
    where, paid = city_name(rules, action.city), action.payment.spoken
    return say("Build a station in {city} with {payment}", city=where, payment=paid)


@stations.groups(BuildStation)
def group_build(rules: "Ruleset", action: BuildStation) -> str:
    return f"station {action.city}"


@stations.enters(BuildStation)
def enter_stations(
    rules: "Ruleset", state: State, decision: Decision, actions: Sequence[BuildStation]
) -> list[Entry]:
    """An entry for each city; a station costs the same in all of them."""
    due = bill(rules, state, decision.seat)
    return [
        Entry(
            "station",
            city,
            title_build(rules, city),
            f"station {city}",
            f"station {city} with",
            "payment",
            paid_ways(due, [action.payment for action in same], partial(BuildStation, city)),
            costs=rules.purse.price(due.cost),
        )
        for city, same in groupby(actions, attrgetter("city"))
    ]


@stations.titles("station")
def title_build(rules: "Ruleset", city: CityId) -> str:
    if not city:
        return say("Build a station")
    return say("Build a station in {city}", city=city_name(rules, city))


@stations.helps("station")
def help_build(rules: "Ruleset", city: CityId) -> list[Help]:
    """What a station is for, what it costs and what it is worth (R-STA-2, R-STA-5, R-STA-10)."""
    if rules.purse.rolls:
        price = say(
            "Your first station costs 1 die that shows a station or a joker; each further one "
            "costs 1 die more than the last."
        )
    else:
        price = say(
            "Your first station costs 1 card; each further one costs 1 card more than the last, "
            "all of one colour."
        )
    use = say(
        "At the end of the game, a station lets you use one route of another player into its city, "
        "for your tickets only. {price} Each station that you do not build is worth {points}.",
        price=price,
        points=points(stations.parameters(rules).unused_points),
    )
    return [Help("station", say("Station"), use)]


@stations.writes(BuildStation)
def write_build(rules: "Ruleset", action: BuildStation) -> str:
    return f"station {action.city} with {action.payment}"


@stations.reads("station")
def read_build(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Without a payment, every way to pay is meant, with its fewest locomotives."""
    where, given = halves(words, "with")
    city = city_in(rules, where)
    listed = [
        action.payment
        for action in actions_for(rules, state, decision)
        if isinstance(action, BuildStation) and action.city == city
    ]
    payments = payments_in(bill(rules, state, decision.seat), listed, given)
    return [BuildStation(city, payment) for payment in payments]


@stations.reads("build")
def read_title(rules: "Ruleset", state: State, decision: Decision, words: str) -> list[Action]:
    """Read `build a station in wien`, as in the menu."""
    return read_build(rules, state, decision, without(words, "a", "station", "in"))


@stations.tells(StationBuilt)
def tell_built(rules: "Ruleset", event: StationBuilt, names: Sequence[str]) -> str:
    return say(
        "{who} builds a station in {city} with {payment}.",
        who=names[event.seat],
        city=city_name(rules, event.city),
        payment=event.payment.spoken,
    )


@stations.shows
def show(rules: "Ruleset", state: State) -> Shown:
    each = stations.parameters(rules).each
    built = stations.part(state).built
    rows = [{"stations": [*ids], "stations_left": each - len(ids)} for ids in built]
    return Shown({}, rows)


class SeatShown(TypedDict, total=False):
    stations: Annotated[list[str], "Cities with a station."]
    stations_left: Annotated[int, "Stations that the seat can still build."]


stations.shapes(seat=SeatShown)


def left(rules: "Ruleset", state: State, seat: Seat) -> int:
    return stations.parameters(rules).each - len(stations.part(state).built[seat])


@stations.holds
def stations_of(rules: "Ruleset", state: State, seat: Seat) -> list[Fact]:
    unused = left(rules, state, seat)
    cities = [city_name(rules, id) for id in stations.part(state).built[seat]]
    value = say("{left} left", left=unused)
    if cities:
        value = say("{left} left; built in {cities}", left=unused, cities=listed(cities))
    return [Fact("stations", say("Stations"), value)]


@stations.columns
def columns(rules: "Ruleset", state: State) -> list[Column]:
    unused = (str(left(rules, state, seat)) for seat in range(rules.seats))
    return [Column(say("Stations"), tuple(unused))]


@stations.names_points("stations")
def name_points(rules: "Ruleset") -> str:
    return say("Stations")


@stations.marks
def marks(rules: "Ruleset", state: State, players: Sequence[str]) -> list[Mark]:
    return [
        Mark(city, PIECE, (seat,), say("station of {player}", player=players[seat]))
        for seat, cities in enumerate(stations.part(state).built)
        for city in cities
    ]


@stations.builds(StationBuilt)
def where_it_stands(event: StationBuilt) -> str:
    return event.city
