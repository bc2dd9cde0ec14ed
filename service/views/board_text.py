"""The board in words: who has which routes, and the free routes that the reader's tickets need.

Written for readers of letters who see no pictures. Everything comes from a story, so it shows what
its seat may know.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.board import beside
from engine.names import called
from engine.text import shortened
from engine.translate import say, says
from engine.values import FERRY, TUNNEL, Route, RouteId, Seat
from service.views.story import Story

LONGEST_ROUTE = 36
"""Characters of the names of a route's two cities; longer ones are cut."""
LONGEST_NAME = 40
"""Characters of a player's name in a heading."""
MOST_NEAR = 20
"""Free routes that are listed though no shortest way needs them."""


class RouteRow(NamedTuple):
    """A route: its cities, its length, and what is special about it."""

    cities: str
    length: int
    notes: str


class Section(NamedTuple):
    """A part of the board under a heading."""

    title: str
    rows: tuple[RouteRow, ...] = ()
    sentences: tuple[str, ...] = ()


def board_text(story: Story) -> list[Section]:
    """Return the sections: each player's routes, the pieces, and the reader's free routes."""
    return [
        *(_claimed(story, seat) for seat in range(len(story.scene.names))),
        *_pieces(story),
        *_needed(story),
        *_near(story),
    ]


def _claimed(story: Story, seat: Seat) -> Section:
    """Return the routes of a player."""
    claimed = story.scene.claimed
    routes = [route for id, route in story.board.routes.items() if seat in claimed.get(id, ())]
    name = shortened(story.scene.names[seat], LONGEST_NAME)
    if seat == story.seat:
        name = f"{name} ({say('you')})"
    trains = sum(route.length for route in routes)
    title = say(
        "{name}, {colour}: {routes}, {trains}",
        name=name,
        colour=story.scene.looks[seat].spoken,
        routes=says("{n} route", "{n} routes", len(routes)),
        trains=says("{n} train", "{n} trains", trains),
    )
    return Section(title, _rows(story, routes))


def _pieces(story: Story) -> Iterable[Section]:
    """Yield the stations and other pieces in cities."""
    cities = story.board.cities
    lines = [f"{cities[city].name}: {words}" for city, words in story.scene.words.items()]
    if lines:
        yield Section(say("In the cities"), sentences=tuple(sorted(lines)))


def _needed(story: Story) -> Iterable[Section]:
    """Yield, for each open ticket, the free routes of a shortest way."""
    for ticket in story.tickets:
        if ticket.done:
            continue
        title = say("For {ticket} ({points}), free:", ticket=ticket.name, points=ticket.points)
        if ticket.missing is None:
            lost = say("It cannot be completed any more.")
            yield Section(title, sentences=(lost if ticket.lost else say("No free way is left."),))
        else:
            yield Section(title, _rows(story, _with_twins(story, ticket.missing)))


def _near(story: Story) -> Iterable[Section]:
    """Return other free routes at the ends of open tickets, and at cities on their ways."""
    needed = {
        route.id
        for ticket in story.tickets
        if not ticket.done
        for route in _with_twins(story, ticket.missing or ())
    }
    cities = {city for city, done in story.goals.items() if not done}
    cities |= {city for id in needed for city in story.board.routes[id].cities}
    routes = [
        route
        for id, route in story.board.routes.items()
        if id not in needed and _is_free(story, id) and not cities.isdisjoint(route.cities)
    ]
    if routes:
        more = len(routes) - MOST_NEAR
        rest = (says("… and {n} more route", "… and {n} more routes", more),) if more > 0 else ()
        rows = _rows(story, routes[:MOST_NEAR])
        yield Section(say("Other free routes near your open tickets"), rows, rest)


def _with_twins(story: Story, ids: Sequence[RouteId]) -> list[Route]:
    """Return these routes, and the other track of a double route if it is free."""
    routes = story.board.routes
    twins = {track for id in ids for track in beside(routes, id) if _is_free(story, track)}
    return [route for id, route in routes.items() if id in {*ids, *twins}]


def _is_free(story: Story, id: RouteId) -> bool:
    return not story.scene.claimed.get(id) and id not in story.scene.closed


def _rows(story: Story, routes: Iterable[Route]) -> tuple[RouteRow, ...]:
    """Return a row for each route by the names of its cities; two equal tracks are one row."""
    rows = (RouteRow(_cities(story, route), route.length, _notes(story, route)) for route in routes)
    return tuple(sorted(dict.fromkeys(rows)))


def _cities(story: Story, route: Route) -> str:
    names = (story.board.cities[city].name for city in route.cities)
    return shortened("–".join(names), LONGEST_ROUTE)


def _notes(story: Story, route: Route) -> str:
    """Return the colour of a route, and whether it is a tunnel, a ferry or one of two tracks."""
    notes = [called(route.colour)]
    if route.kind == TUNNEL:
        notes.append(say("tunnel"))
    if route.kind == FERRY:
        notes.append(says("ferry, {n} locomotive", "ferry, {n} locomotives", route.locomotives))
    if route.twin:
        notes.append(say("double"))
    owners = story.scene.claimed.get(route.id, ())
    if len(owners) > 1:
        notes.append(say("shared"))
    return ", ".join(notes)
