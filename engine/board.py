"""Checks a map's data and builds a Board from it; nothing else reads map data."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from engine.checks import Table
from engine.errors import MapError
from engine.text import shown
from engine.translate import say
from engine.values import (
    COLOURS,
    FERRY,
    GRAY,
    PLAIN,
    TUNNEL,
    City,
    CityId,
    Place,
    Route,
    RouteId,
    Ticket,
    TicketId,
)

KINDS = {PLAIN: "routes", FERRY: "ferries", TUNNEL: "tunnels"}
"""The kinds of routes, each with the rule module that it needs."""
WORD = re.compile(r"[a-z0-9_]+(-[a-z0-9_]+)*")


class Variant(NamedTuple):
    """A named edit of a map's module list and parameters."""

    id: str
    name: str
    summary: str
    excludes: tuple[str, ...]


class StandIn(NamedTuple):
    """What a map has in place of facts that are not known; it has an edition of its own."""

    edition: str
    notes: tuple[str, ...]
    """Sentences for people."""

    @property
    def spoken(self) -> list[str]:
        """The notes in the reader's language; the catalogue takes them from the map."""
        return [say(note) for note in self.notes]


class Board(NamedTuple):
    """A map with the chosen variants applied: checked and immutable."""

    id: str
    name: str
    variants: tuple[str, ...]
    catalogue: tuple[Variant, ...]
    seats: tuple[int, int]
    modules: tuple[str, ...]
    parameters: dict[str, dict[str, Any]]
    cities: dict[CityId, City]
    places: dict[str, Place]
    routes: dict[RouteId, Route]
    tickets: dict[TicketId, Ticket]
    technologies: tuple[dict[str, Any], ...]
    digest: str
    pictured: str
    """The id of the board whose picture it has: its own, or that of the map it shares."""
    stand_in: StandIn | None
    summary: str = ""
    """What this board adds to the basic game, in a few plain sentences."""

    @property
    def spoken(self) -> str:
        """The board's name in the reader's language; the catalogue takes it from the map."""
        return say(self.name)


def board_of(raw: Mapping[str, Any], variants: Sequence[str] = ()) -> Board:
    """Make the board that a map file describes, played with these variants."""
    top = Table(raw, "")
    offered = {
        id: Table(body, f"variants.{id}")
        for id, body in top.take("variants", dict[str, Any], {}).items()
    }
    catalogue = tuple(_variant(id, table, offered) for id, table in offered.items())
    chosen = _chosen(tuple(variants), catalogue)
    modules, parameters = _edited(top, [offered[id] for id in chosen])
    cities = {city.id: city for city in _unique(map(_city, top.rows("cities")), "cities")}
    places = {
        place.id: place
        for place in _unique((_place(row, cities) for row in top.rows("places")), "places")
    }
    routes = {
        route.id: route
        for route in _unique((_route(row, cities) for row in top.rows("routes")), "routes")
    }
    _check_twins(routes)
    tickets = {
        ticket.id: ticket
        for ticket in _unique(
            (_ticket(row, cities, places) for row in top.rows("tickets")), "tickets"
        )
    }
    board = Board(
        _id(top.take("id", str), "id"),
        top.take("name", str),
        chosen,
        catalogue,
        _seats(top.take("seats", tuple[int, ...])),
        modules,
        parameters,
        cities,
        places,
        routes,
        tickets,
        top.take("technologies", tuple[dict[str, Any], ...], ()),
        "",
        top.take("same_board_as", str, "") or top.take("id", str),
        _stand_in(top),
        top.take("summary", str, ""),
    )
    top.take("provenance", str, "")
    top.done()
    return board._replace(digest=_digest(board))


def _stand_in(top: Table) -> StandIn | None:
    raw = top.take("stand_in", dict[str, Any], {})
    if not raw:
        return None
    table = Table(raw, "stand_in")
    stand_in = StandIn(table.take("edition", str), table.take("notes", tuple[str, ...]))
    table.done()
    return stand_in


def _digest(board: Board) -> str:
    """A fingerprint of everything that affects play, so that a silent edit of a map is noticed.

    The names and positions of cities, and variants that are not played, may be corrected without
    harm to running games.
    """
    facts = (
        board.modules,
        board.parameters,
        [(city.id, city.region) for city in board.cities.values()],
        list(board.places.values()),
        list(board.routes.values()),
        [
            (ticket.id, ticket.cities, ticket.points, ticket.decks)
            for ticket in board.tickets.values()
        ],
        board.technologies,
    )
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _id(text: str, place: str) -> str:
    if not WORD.fullmatch(text):
        raise MapError(place, f"“{text}” is not an id: use a-z, 0-9, _ and - between words")
    return text


def _unique(rows: Iterable[Any], place: str) -> list[Any]:
    by_id: dict[str, Any] = {}
    for row in rows:
        if row.id in by_id:
            raise MapError(f"{place}[{row.id}]", "appears twice")
        by_id[row.id] = row
    return list(by_id.values())


def _seats(pair: tuple[int, ...]) -> tuple[int, int]:
    if len(pair) != 2 or not 2 <= pair[0] <= pair[1] <= 8:
        raise MapError("seats", "must be the smallest and the largest number of seats, from 2 to 8")
    return pair[0], pair[1]


def _variant(id: str, table: Table, offered: Mapping[str, Table]) -> Variant:
    _id(id, table.place)
    made = Variant(
        id,
        table.take("name", str),
        table.take("summary", str),
        table.take("excludes", tuple[str, ...], ()),
    )
    for other in made.excludes:
        if other not in offered or other == id:
            raise MapError(f"{table.place}.excludes", f"there is no other variant “{other}”")
        if id not in offered[other].take("excludes", tuple[str, ...], ()):
            raise MapError(f"{table.place}.excludes", f"“{other}” must exclude it in turn")
    table.take("swap", dict[str, str], {})
    table.take("add", tuple[str, ...], ())
    table.take("drop", tuple[str, ...], ())
    table.take("set", dict[str, dict[str, Any]], {})
    table.done()
    return made


def _chosen(variants: tuple[str, ...], catalogue: Sequence[Variant]) -> tuple[str, ...]:
    """The chosen variants in the map's order, so that a combination always has the same name."""
    known = {variant.id: variant for variant in catalogue}
    for id in variants:
        if id not in known:
            names = ", ".join(known) or "none"
            raise MapError(
                "variants", f"there is no variant “{shown(id)}” here; there are: {names}"
            )
        for other in known[id].excludes:
            if other in variants:
                raise MapError("variants", f"“{id}” and “{other}” cannot be played together")
    if len(set(variants)) != len(variants):
        raise MapError("variants", "a variant is named twice")
    return tuple(id for id in known if id in variants)


def _edited(top: Table, edits: Sequence[Table]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Apply each variant's edits (swap, drop, add, set) to the module list and parameters."""
    modules = list(top.take("modules", tuple[str, ...]))
    parameters = deepcopy(top.take("parameters", dict[str, dict[str, Any]], {}))
    for edit in edits:
        for old, new in edit.take("swap", dict[str, str], {}).items():
            _find(modules, old, f"{edit.place}.swap")
            modules[modules.index(old)] = new
            parameters.pop(old, None)
        for old in edit.take("drop", tuple[str, ...], ()):
            _find(modules, old, f"{edit.place}.drop")
            modules.remove(old)
            parameters.pop(old, None)
        modules.extend(edit.take("add", tuple[str, ...], ()))
    for edit in edits:
        for module, values in edit.take("set", dict[str, dict[str, Any]], {}).items():
            if module in modules:
                parameters.setdefault(module, {}).update(values)
    return tuple(modules), parameters


def _find(modules: Sequence[str], name: str, place: str) -> None:
    if name not in modules:
        raise MapError(place, f"there is no module “{name}” to change")


def _city(row: Table) -> City:
    city = City(
        _id(row.take("id", str), row.at("id")),
        row.take("name", str),
        row.take("lat", float),
        row.take("lon", float),
        row.take("region", str, ""),
    )
    row.done()
    return city


def _place(row: Table, cities: Mapping[CityId, City]) -> Place:
    place = Place(
        _id(row.take("id", str), row.at("id")),
        row.take("name", str),
        row.take("cities", tuple[str, ...]),
    )
    row.done()
    if place.id in cities:
        raise MapError(row.place, "is also the id of a city")
    if not place.cities:
        raise MapError(row.at("cities"), "must name at least one city")
    _known(place.cities, cities, row.at("cities"))
    return place


def _known(ids: Sequence[str], known: Mapping[str, object], place: str) -> None:
    for id in ids:
        if id not in known:
            raise MapError(place, f"there is no city “{id}”")


def _route(row: Table, cities: Mapping[CityId, City]) -> Route:
    ends = row.take("cities", tuple[str, ...])
    _known(ends, cities, row.at("cities"))
    if len(set(ends)) != 2 or len(ends) != 2:
        raise MapError(row.at("cities"), "must name two cities")
    route = Route(
        _id(row.take("id", str), row.at("id")),
        (ends[0], ends[1]),
        row.take("length", int),
        row.take("colour", str),
        row.take("kind", str, "plain"),
        row.take("locomotives", int, 0),
        row.take("twin", str, None),
        row.take("open_to_all", bool, default=False),
    )
    row.done()
    if route.length < 1:
        raise MapError(row.at("length"), "must be at least 1")
    if route.colour not in (*COLOURS, GRAY):
        raise MapError(row.at("colour"), f"“{route.colour}” is not a route colour")
    if route.kind not in KINDS:
        raise MapError(row.at("kind"), f"“{route.kind}” is not one of {', '.join(KINDS)}")
    if not 0 <= route.locomotives <= route.length:
        raise MapError(row.at("locomotives"), "must be between 0 and the length")
    if (route.locomotives > 0) != (route.kind == FERRY):
        raise MapError(
            row.at("locomotives"),
            "only ferries have locomotive symbols, and they have at least one",
        )
    return route


def _check_twins(routes: Mapping[RouteId, Route]) -> None:
    """Twins name each other and join the same cities (R-DBL-0).

    Of three tracks or more, each names the next and the last the first.
    """
    for route in routes.values():
        if route.twin is None:
            continue
        place = f"routes[{route.id}].twin"
        if not beside(routes, route.id):
            raise MapError(place, f"“{route.twin}” does not name this route as its twin")
        if set(routes[route.twin].cities) != set(route.cities):
            raise MapError(place, "twins join the same cities")


def beside(routes: Mapping[RouteId, Route], id: RouteId) -> tuple[RouteId, ...]:
    """The other tracks of a double or triple route: along the twins, until they lead back."""
    tracks = [id]
    while (twin := routes[tracks[-1]].twin) is not None and twin in routes and twin not in tracks:
        tracks.append(twin)
    return tuple(tracks[1:]) if twin == id else ()


def _ticket(row: Table, cities: Mapping[CityId, City], places: Mapping[str, Place]) -> Ticket:
    ends = row.take("cities", tuple[str, ...])
    _known(ends, {**cities, **places}, row.at("cities"))
    if len(ends) != 2 or ends[0] == ends[1]:
        raise MapError(row.at("cities"), "must name two destinations")
    reach = [places[end].cities if end in places else (end,) for end in ends]
    ticket = Ticket(
        _id(row.take("id", str), row.at("id")),
        (ends[0], ends[1]),
        (reach[0], reach[1]),
        row.take("points", int),
        row.take("decks", tuple[str, ...]),
        row.take("provenance", str, ""),
    )
    row.done()
    if ticket.points < 1:
        raise MapError(row.at("points"), "must be at least 1")
    if not ticket.decks:
        raise MapError(row.at("decks"), "must name at least one deck")
    return ticket
