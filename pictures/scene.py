"""What is on a board for everybody to see, as data and in words."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from engine import Board, Ruleset, State
from engine.display import CHIPS, CLOSED, PAWNS, PIECE, TRAINS, Chip, marks
from engine.names import called
from engine.text import listed
from engine.translate import say, says
from engine.values import FERRY, TUNNEL, City, CityId, Route, RouteId, Seat, TicketId
from pictures.seats import SEATS, Look


class Scene(NamedTuple):
    """What is drawn on a board: all of it is public."""

    claimed: Mapping[RouteId, Sequence[Seat]]
    """The owners of claimed routes."""
    closed: Sequence[RouteId]
    """Routes that nobody can claim any more, though no train stands there."""
    pieces: Mapping[CityId, Seat]
    """The owners of pieces such as stations, by city."""
    names: Sequence[str]
    """The players by seat; without names the legend has no players."""
    words: Mapping[CityId, str] = MappingProxyType({})
    """Alternative texts for what is in a city."""
    looks: Sequence[Look] = SEATS
    """The colour and pattern of each seat."""
    rolls: bool = False
    """Whether dice are rolled, so that the colours of routes do not matter."""
    pawns: Mapping[CityId, Sequence[Seat]] = MappingProxyType({})
    """The owners of the passengers in a city, one by one."""
    chips: Mapping[CityId, Sequence[Chip]] = MappingProxyType({})
    """What lies beside a city's name."""


EMPTY = Scene({}, (), {}, ())


def scene_of(
    rules: Ruleset, view: State, names: Sequence[str], looks: Sequence[Look] = SEATS
) -> Scene:
    """Return the scene that the rules in play draw for a view."""
    drawn = marks(rules, view, [_player(names, looks, seat) for seat in range(rules.seats)])
    words: dict[CityId, str] = {}
    for mark in drawn:
        if mark.words:
            words[mark.place] = ", ".join(filter(None, (words.get(mark.place), mark.words)))
    return Scene(
        {mark.place: mark.seats for mark in drawn if mark.sign == TRAINS},
        [mark.place for mark in drawn if mark.sign == CLOSED],
        {mark.place: mark.seats[0] for mark in drawn if mark.sign == PIECE},
        names,
        words,
        looks,
        rules.purse.rolls,
        {mark.place: mark.seats for mark in drawn if mark.sign == PAWNS},
        {mark.place: mark.chips for mark in drawn if mark.sign == CHIPS},
    )


def described(board: Board, scene: Scene) -> str:
    """Return the alternative text of a whole picture."""
    if not scene.names:
        return say("Board {board}.", board=board.spoken)
    owners = [owner for seats_of_route in scene.claimed.values() for owner in seats_of_route]
    counted = ", ".join(
        f"{name} ({scene.looks[seat].spoken}) {owners.count(seat)}"
        for seat, name in enumerate(scene.names)
    )
    return say("Board {board}; routes claimed: {counted}.", board=board.spoken, counted=counted)


def route_described(board: Board, scene: Scene, route: Route) -> str:
    """Return a route in a few words: its cities, kind, colour, length and owners."""
    cities = "–".join(board.cities[city].name for city in route.cities)
    return f"{cities}, {_kind(route)}, {_state(scene, route)}"


def sketch_described(number: int, *, possible: bool) -> str:
    """Return what a viewer's sketch says of a route."""
    if possible:
        return say("number {number} of your sketch", number=number)
    return say("number {number} of your sketch, but impossible now", number=number)


def _kind(route: Route) -> str:
    length, colour = route.length, called(route.colour)
    if route.kind == FERRY:
        return says(
            "{colour} ferry of length {length} with {n} locomotive",
            "{colour} ferry of length {length} with {n} locomotives",
            route.locomotives,
            length=length,
            colour=colour,
        )
    if route.kind == TUNNEL:
        return say("{colour} tunnel of length {length}", colour=colour, length=length)
    return say("{colour} route of length {length}", colour=colour, length=length)


def _state(scene: Scene, route: Route) -> str:
    if owners := scene.claimed.get(route.id):
        players = listed([_player(scene.names, scene.looks, seat) for seat in owners])
        return say("claimed by {players}", players=players)
    return say("closed") if route.id in scene.closed else say("free")


def city_described(city: City, scene: Scene, *, done: bool | None) -> str:
    """Return a city in a few words: its name, the piece there, and the viewer's tickets."""
    parts = [city.name]
    if words := scene.words.get(city.id):
        parts.append(words)
    if done is not None:
        parts.append(say("your ticket, completed") if done else say("your ticket, not completed"))
    return ", ".join(parts)


def _player(names: Sequence[str], looks: Sequence[Look], seat: Seat) -> str:
    colour = looks[seat].spoken
    return f"{names[seat]} ({colour})" if names else colour


def goals(board: Board, tickets: Mapping[TicketId, bool]) -> dict[CityId, bool]:
    """Return the cities where these tickets end, each with whether all of these are completed."""
    cities: dict[CityId, bool] = {}
    for id, done in tickets.items():
        for city in (city for end in board.tickets[id].cities for city in end):
            cities[city] = cities.get(city, True) and done
    return cities
