"""Names of routes, which tell the tracks between the same two cities apart."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.board import Board
from engine.names import called
from engine.translate import say
from engine.values import CityId, Route, RouteId


class RouteName(NamedTuple):
    """A route's cities, and what tells it from other tracks between them, if there are any."""

    cities: str
    colour: str = ""
    length: int = 0
    track: int = 0

    @property
    def spoken(self) -> str:
        """The name as it reads in a sentence."""
        if self.colour:
            return f"{self.cities} ({called(self.colour)})"
        if self.length:
            return say("{cities} (length {length})", cities=self.cities, length=self.length)
        if self.track:
            return say("{cities} (track {track})", cities=self.cities, track=self.track)
        return self.cities


def route_names(board: Board) -> dict[RouteId, RouteName]:
    """The name of each route."""
    between: dict[frozenset[CityId], list[Route]] = {}
    for route in board.routes.values():
        between.setdefault(frozenset(route.cities), []).append(route)
    return {
        route.id: _route_name(board, route, tracks)
        for tracks in between.values()
        for route in tracks
    }


def _route_name(board: Board, route: Route, tracks: Sequence[Route]) -> RouteName:
    cities = "–".join(board.cities[city].name for city in route.cities)
    if len(tracks) == 1:
        return RouteName(cities)
    if len({track.colour for track in tracks}) == len(tracks):
        return RouteName(cities, colour=route.colour)
    if len({track.length for track in tracks}) == len(tracks):
        return RouteName(cities, length=route.length)
    return RouteName(cities, track=1 + tracks.index(route))
