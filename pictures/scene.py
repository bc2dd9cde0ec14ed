"""What stands on a board for everybody to see."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine import Board, Event
from engine.names import called
from engine.rules.routes import RouteClaimed
from engine.rules.stations import StationBuilt
from engine.tongue import say, says
from engine.values import City, CityId, Route, RouteId, Seat, TicketId
from engine.words import listed
from pictures import seats


class Scene(NamedTuple):
    """What is drawn on a board: all of it is public."""

    claimed: Mapping[RouteId, Sequence[Seat]]
    """By route, whose trains stand there."""
    closed: Sequence[RouteId]
    """Routes that nobody can claim any more, though no train stands there."""
    stations: Mapping[CityId, Seat]
    """By city, whose station stands there."""
    names: Sequence[str]
    """The players by seat; without names the picture has no list of them."""


EMPTY = Scene({}, (), {}, ())


def scene_of(shown: Mapping[str, Any], names: Sequence[str]) -> Scene:
    """What of a view, as plain data, can be drawn."""
    stations = {city: row["seat"] for row in shown["seats"] for city in row.get("stations", ())}
    return Scene(shown["claimed"], shown["closed"], stations, names)


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
    if route.kind == "ferry":
        return says(
            "{length} {colour} ferry with {n} locomotive",
            "{length} {colour} ferry with {n} locomotives",
            route.locomotives,
            length=length,
            colour=colour,
        )
    if route.kind == "tunnel":
        return says("{n} {colour} tunnel", "{n} {colour} tunnel", length, colour=colour)
    return says("{n} {colour}", "{n} {colour}", length, colour=colour)


def _state(scene: Scene, route: Route) -> str:
    if owners := scene.claimed.get(route.id):
        players = listed([_player(scene, seat) for seat in owners])
        return say("claimed by {players}", players=players)
    return say("closed") if route.id in scene.closed else say("free")


def city_described(city: City, scene: Scene, *, done: bool | None) -> str:
    """A city in a few words: its name, its station, and whether the viewer's tickets end here."""
    said = [city.name]
    if (owner := scene.stations.get(city.id)) is not None:
        said.append(say("station of {player}", player=_player(scene, owner)))
    if done is not None:
        said.append(say("your ticket, completed") if done else say("your ticket, not completed"))
    return ", ".join(said)


def _player(scene: Scene, seat: Seat) -> str:
    colour = seats.colour_of(seat)
    return f"{scene.names[seat]} ({colour})" if scene.names else colour


def built(events: Iterable[Event]) -> tuple[str, ...]:
    """The routes and cities on which these events have put something."""
    return tuple(
        event.route if isinstance(event, RouteClaimed) else event.city
        for event in events
        if isinstance(event, RouteClaimed | StationBuilt)
    )


def goals(board: Board, tickets: Mapping[TicketId, bool]) -> dict[CityId, bool]:
    """The cities in which these tickets end, each with whether all that end there are completed."""
    found: dict[CityId, bool] = {}
    for id, done in tickets.items():
        for city in (city for end in board.tickets[id].cities for city in end):
            found[city] = found.get(city, True) and done
    return found
