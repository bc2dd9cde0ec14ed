"""What stands on a board for everybody to see."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from engine import Board, Event
from engine.rules.routes import RouteClaimed
from engine.rules.stations import StationBuilt
from engine.values import City, CityId, Route, RouteId, Seat, TicketId
from engine.words import count, listed
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
        return f"Board {board.name}."
    owners = [owner for some in scene.claimed.values() for owner in some]
    counted = ", ".join(
        f"{name} ({seats.of_seat(seat).name}) {owners.count(seat)}"
        for seat, name in enumerate(scene.names)
    )
    return f"Board {board.name}; routes claimed: {counted}."


def route_described(board: Board, scene: Scene, route: Route) -> str:
    """A route in a few words: its cities, what it costs, and whose it is."""
    cities = "–".join(board.cities[city].name for city in route.cities)
    kind = "" if route.kind == "plain" else f" {route.kind}"
    engines = f" with {count(route.locomotives, 'locomotive')}" if route.locomotives else ""
    return f"{cities}, {route.length} {route.colour}{kind}{engines}, {_state(scene, route)}"


def _state(scene: Scene, route: Route) -> str:
    if owners := scene.claimed.get(route.id):
        return "claimed by " + listed([_player(scene, seat) for seat in owners])
    return "closed" if route.id in scene.closed else "free"


def city_described(city: City, scene: Scene, *, done: bool | None) -> str:
    """A city in a few words: its name, its station, and whether the viewer's tickets end here."""
    said = [city.name]
    if (owner := scene.stations.get(city.id)) is not None:
        said.append(f"station of {_player(scene, owner)}")
    if done is not None:
        said.append("your ticket, completed" if done else "your ticket, not completed")
    return ", ".join(said)


def _player(scene: Scene, seat: Seat) -> str:
    colour = seats.of_seat(seat).name
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
