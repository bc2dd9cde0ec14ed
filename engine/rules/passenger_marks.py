"""What people see of passengers: help, facts, columns, names of points, marks on the board."""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, TypedDict

from engine.display import CHIPS, PAWNS, Chip, Column, Fact, Help, Mark
from engine.module import Shown
from engine.notation import city_name
from engine.rules.passengers import PassengerPlaced, PassengerRode, passengers, tops
from engine.state import State
from engine.text import listed
from engine.translate import say, says
from engine.values import CityId, Seat

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

MOST_NAMED = 6
"""How many cities with merchandise are named."""


class TableShown(TypedDict, total=False):
    merchandise: Annotated[
        dict[str, list[int]], "The tokens in each city, by its id; the top one first."
    ]


class SeatShown(TypedDict, total=False):
    passengers: Annotated[list[str], "Cities where the seat's passengers stand."]
    passengers_left: Annotated[int, "Passengers that the seat can still put on the board."]
    merchandise_points: Annotated[int, "Points for merchandise so far."]


passengers.shapes(table=TableShown, seat=SeatShown)


@passengers.shows
def show(rules: "Ruleset", state: State) -> Shown:
    part = passengers.part(state)
    rows = zip(part.standing, part.reserve, part.points, strict=True)
    return Shown(
        {"merchandise": {city: [*stack] for city, stack in part.stacks.items() if stack}},
        [
            {"passengers": [*cities], "passengers_left": left, "merchandise_points": gained}
            for cities, left, gained in rows
        ],
    )


@passengers.holds
def passengers_of(rules: "Ruleset", state: State, seat: Seat) -> list[Fact]:
    part = passengers.part(state)
    cities = [city_name(rules, city) for city in part.standing[seat]]
    value = say("{left} left", left=part.reserve[seat])
    if cities:
        value = say("{left} left; standing in {cities}", left=part.reserve[seat],
                    cities=listed(cities))  # fmt: skip
    return [Fact("passengers", say("Passengers"), value)]


@passengers.lays_out
def tokens_left(rules: "Ruleset", state: State) -> list[Fact]:
    """The top tokens, the most valuable first."""
    values = tops(passengers.part(state))
    by_value = sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
    best = [
        say("{value} in {city}", value=value, city=city_name(rules, city))
        for city, value in by_value[:MOST_NAMED]
    ]
    if not best:
        return [Fact("merchandise", say("Merchandise"), say("none left"))]
    value = listed(best)
    if more := len(values) - len(best):
        value = says("{best}; and {n} more city", "{best}; and {n} more cities", more, best=value)
    return [Fact("merchandise", say("Merchandise"), value)]


@passengers.columns
def columns(rules: "Ruleset", state: State) -> list[Column]:
    part = passengers.part(state)
    return [Column(say("Merchandise"), tuple(map(str, part.points)))]


@passengers.names_points("merchandise")
def name_points(rules: "Ruleset") -> str:
    return say("Merchandise")


@passengers.marks
def marks(rules: "Ruleset", state: State, players: Sequence[str]) -> list[Mark]:
    """The top token of each city as a chip in the colour of its stack, and the passengers."""
    part, colours = passengers.part(state), passengers.parameters(rules).cities
    tokens = [
        Mark(
            city,
            CHIPS,
            words=_stack_in_words(stack),
            chips=(Chip(colours[city], str(stack[0])),),
        )
        for city, stack in part.stacks.items()
        if stack
    ]
    standing: dict[CityId, list[Seat]] = {}
    for seat, cities in enumerate(part.standing):
        for city in cities:
            standing.setdefault(city, []).append(seat)
    return tokens + [
        Mark(city, PAWNS, tuple(seats), _standing([players[seat] for seat in seats]))
        for city, seats in standing.items()
    ]


def _stack_in_words(stack: Sequence[int]) -> str:
    return say("merchandise {values}", values=", ".join(map(str, stack)))


def _standing(players: Sequence[str]) -> str:
    return says(
        "passenger of {players}", "passengers of {players}", len(players), players=listed(players)
    )


@passengers.helps("ride", "place")
def help_ride(rules: "Ruleset", city: CityId) -> list[Help]:
    """What a passenger is for, what it takes, and what riding on other routes costs."""
    if rules.purse.rolls:
        fare = say("Each route of another player on the way costs a die that shows a joker.")
    else:
        fare = say("Each route of another player on the way costs a passenger card.")
    sentence = say(
        "A passenger rides once, as the action of a turn, and then leaves the game. It uses no "
        "route twice, and takes the top token of every city on its way, the first and the last "
        "included; you get their points at once. {fare} The rides that take most are proposed; "
        "you can name any other by its cities, as in “{example}”.",
        fare=fare,
        example=_example(rules),
    )
    return [Help("passenger", say("Passenger"), sentence)]


def _example(rules: "Ruleset") -> str:
    """A ride over two routes of the board that meet in a city."""
    ends = (frozenset(route.cities) for route in rules.board.routes.values())
    for first, second in combinations(ends, 2):
        if len(first & second) == 1:
            return " ".join(("ride", *(first - second), *(first & second), *(second - first)))
    return "ride"


@passengers.builds(PassengerPlaced)
def where_it_stands(event: PassengerPlaced) -> str:
    return event.city or ""


@passengers.builds(PassengerRode)
def where_it_went(event: PassengerRode) -> str:
    return event.cities[-1]
