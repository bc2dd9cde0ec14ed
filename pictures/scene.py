"""What stands on a board for everybody to see."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from engine import Board, Ruleset, State
from engine.display import CLOSED, PIECE, TRAINS, marks
from engine.names import called
from engine.text import listed
from engine.translate import say, says
from engine.values import FERRY, TUNNEL, City, CityId, Route, RouteId, Seat, TicketId
from pictures import seats


class Scene(NamedTuple):
    """What is drawn on a board: all of it is public."""

    claimed: Mapping[RouteId, Sequence[Seat]]
    """By route, whose trains stand there."""
    closed: Sequence[RouteId]
    """Routes that nobody can claim any more, though no train stands there."""
    pieces: Mapping[CityId, Seat]
    """By city, whose piece stands there, such as a station."""
    names: Sequence[str]
    """The players by seat; without names the picture has no list of them."""
    words: Mapping[CityId, str] = MappingProxyType({})
    """What the pieces are and whose, for those who cannot see them."""


EMPTY = Scene({}, (), {}, ())


def scene_of(rules: Ruleset, view: State, names: Sequence[str]) -> Scene:
    """What of a view the rules in play draw."""
    found = marks(rules, view, [_player(names, seat) for seat in range(rules.seats)])
    return Scene(
        {mark.place: mark.seats for mark in found if mark.sign == TRAINS},
        [mark.place for mark in found if mark.sign == CLOSED],
        {mark.place: mark.seats[0] for mark in found if mark.sign == PIECE},
        names,
        {mark.place: mark.words for mark in found if mark.sign == PIECE},
    )


def described(board: Board, scene: Scene) -> str:
    """The same in a sentence, for those who cannot see the picture."""
    if not scene.names:
        return say("Board {board}.", board=board.spoken)
    owners = [owner for some in scene.claimed.values() for owner in some]
    counted = ", ".join(
        f"{name} ({seats.colour_of(seat)}) {owners.count(seat)}"
        for seat, name in enumerate(scene.names)
    )
    return say("Board {board}; routes claimed: {counted}.", board=board.spoken, counted=counted)


def route_described(board: Board, scene: Scene, route: Route) -> str:
    """A route in a few words: its cities, what it costs, and whose it is."""
    cities = "–".join(board.cities[city].name for city in route.cities)
    return f"{cities}, {_kind(route)}, {_state(scene, route)}"


def _kind(route: Route) -> str:
    length, colour = route.length, called(route.colour)
    if route.kind == FERRY:
        return says(
            "{length} {colour} ferry with {n} locomotive",
            "{length} {colour} ferry with {n} locomotives",
            route.locomotives,
            length=length,
            colour=colour,
        )
    if route.kind == TUNNEL:
        return says("{n} {colour} tunnel", "{n} {colour} tunnel", length, colour=colour)
    return says("{n} {colour}", "{n} {colour}", length, colour=colour)


def _state(scene: Scene, route: Route) -> str:
    if owners := scene.claimed.get(route.id):
        players = listed([_player(scene.names, seat) for seat in owners])
        return say("claimed by {players}", players=players)
    return say("closed") if route.id in scene.closed else say("free")


def city_described(city: City, scene: Scene, *, done: bool | None) -> str:
    """A city in a few words: its name, what stands there, and the viewer's tickets to it."""
    said = [city.name]
    if words := scene.words.get(city.id):
        said.append(words)
    if done is not None:
        said.append(say("your ticket, completed") if done else say("your ticket, not completed"))
    return ", ".join(said)


def _player(names: Sequence[str], seat: Seat) -> str:
    colour = seats.colour_of(seat)
    return f"{names[seat]} ({colour})" if names else colour


def goals(board: Board, tickets: Mapping[TicketId, bool]) -> dict[CityId, bool]:
    """The cities in which these tickets end, each with whether all that end there are completed."""
    found: dict[CityId, bool] = {}
    for id, done in tickets.items():
        for city in (city for end in board.tickets[id].cities for city in end):
            found[city] = found.get(city, True) and done
    return found
