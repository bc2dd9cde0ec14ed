"""Draws a board as SVG: the land, the routes with trains, the cities with pieces, and names.

Colours are attributes and never styles, so that a page can show the picture inline under a strict
content security policy.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from types import MappingProxyType
from typing import NamedTuple

from engine import Board
from engine.values import City, CityId, Route, RouteId, Seat
from pictures import font_metrics, labels, legend, scene, svg_parts
from pictures.labels import Box
from pictures.layout import Layout, lay_out
from pictures.palette import PALETTES, Palette, Theme
from pictures.scene import Scene
from pictures.seats import Look
from pictures.shapes import number, polygon
from pictures.tracks import Point

FAMILY = f"{font_metrics.FAMILY}, Verdana, sans-serif"
"""The bundled font, and Verdana, which has the same widths, for machines that do not have it."""

REACH = 20.0
"""How far anything drawn on a route or a city extends from its middle."""


class Sheet(NamedTuple):
    """The parts that all pictures of a board share, drawn once."""

    layout: Layout
    palette: Palette
    ground: str
    routes: dict[RouteId, str]
    """Every route, unclaimed."""
    cities: dict[CityId, str]
    """Every city with nothing on it."""
    trains: dict[tuple[RouteId, tuple[str, ...]], str]
    """Cache: claimed routes, by the colours of their owners."""
    names: str
    """The names of the cities."""
    routes_drawn: tuple[Route, ...]
    """The routes themselves, for the legend."""
    keys: dict[tuple[str, ...], str]
    """Cache: the legend's key, by its words."""


class Overlay(NamedTuple):
    """What is drawn on a sheet for one viewer."""

    table: Scene
    last: Collection[str] = ()
    """The routes and cities of the last move."""
    tickets: Mapping[CityId, bool] = MappingProxyType({})
    """The cities where the viewer's tickets end, and whether all of these are completed."""
    letters: Mapping[CityId, str] = MappingProxyType({})
    """The letters of the tickets that end in a city."""
    can: Collection[str] = ()
    """Routes and cities where the viewer can do something; they have the class `can`."""
    sketch: Mapping[RouteId, tuple[int, bool]] = MappingProxyType({})
    """The routes that the viewer means to claim: their number, and whether they still can be."""


def svg(
    board: Board,
    table: Scene,
    *,
    theme: Theme = "light",
    last: Collection[str] = (),
    tickets: Mapping[CityId, bool] | None = None,
    interactive: bool = False,
) -> str:
    """Draw the board as SVG.

    `last` holds the routes and cities of the last move. `tickets` holds the cities where the
    viewer's own tickets end, each with whether all of these are completed. On an interactive
    picture every route and city is a group with a title that can be pointed at.
    """
    overlay = Overlay(table, frozenset(last), tickets or {})
    return _drawn(board, sheet_of(board, theme), overlay, interactive=interactive)


def page_svg(board: Board, overlay: Overlay) -> str:
    """Draw the board for use inside a page: interactive, in the colours of the page's theme."""
    return _drawn(board, sheet_of(board, "page"), overlay, interactive=True)


def _drawn(board: Board, sheet: Sheet, overlay: Overlay, *, interactive: bool) -> str:
    table = overlay.table
    routes = sheet.routes | dict(_changed_routes(board, sheet, overlay))
    cities = sheet.cities | dict(_changed_cities(board, sheet, overlay))
    description = escape(scene.described(board, table))
    if interactive:
        body = [
            *_route_groups(board, sheet, overlay, routes),
            *_city_groups(board, overlay, cities),
        ]
        head = f'role="group" aria-label="{description}"'
    else:
        body = [f"<title>{description}</title>", *routes.values(), *cities.values()]
        head = 'role="img"'
    players = legend.players(table, sheet.palette, sheet.layout)
    return framed(
        sheet, table, [sheet.ground, *body, above(sheet, rolls=table.rolls), *players], head
    )


def moving(board: Board, sheet: Sheet, overlay: Overlay) -> Iterator[tuple[str, Box]]:
    """Yield the parts that differ from the empty board, each with its bounding box."""
    layout = sheet.layout
    for route, drawn in _changed_routes(board, sheet, overlay):
        yield drawn, _around(layout.tracks[route].line, layout)
    for city, drawn in _changed_cities(board, sheet, overlay):
        chips = len(overlay.table.chips.get(city, ()))
        yield drawn, _around([layout.spots[city], *_chip_spots(layout, city, chips)], layout)
    for player, drawn in enumerate(legend.players(overlay.table, sheet.palette, layout)):
        yield drawn, legend.box(player, overlay.table, layout)


def _chip_spots(layout: Layout, city: CityId, number: int) -> Sequence[Point]:
    """Return where a city's chips are drawn: on the city itself if there is no room around it."""
    return layout.labels[city].chip_spots(number) or [layout.spots[city]] * number


def _around(points: Sequence[Point], layout: Layout) -> Box:
    xs, ys = zip(*points, strict=True)
    return (
        max(min(xs) - REACH, 0),
        max(min(ys) - REACH, 0),
        min(max(xs) + REACH, layout.width),
        min(max(ys) + REACH, layout.height),
    )


def framed(sheet: Sheet, table: Scene, drawn: Iterable[str], head: str = "") -> str:
    """Return a complete SVG of these parts."""
    width, height = _size(sheet, table)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{FAMILY}" {head}>{"".join(drawn)}</svg>'
    )


def size_of(board: Board, table: Scene) -> tuple[int, int]:
    """Return the width and height of a picture, in the units of its SVG."""
    return _size(sheet_of(board, "light"), table)


def _size(sheet: Sheet, table: Scene) -> tuple[int, int]:
    return sheet.layout.width, sheet.layout.height + legend.height(table)


def sheet_of(board: Board, theme: Theme) -> Sheet:
    """Return the sheet of a board; cached."""
    return sheet(board.pictured, tuple(board.cities.values()), tuple(board.routes.values()), theme)


@lru_cache(maxsize=32)
def sheet(id: str, cities: tuple[City, ...], routes: tuple[Route, ...], theme: Theme) -> Sheet:
    layout, palette = lay_out(id, cities, routes), PALETTES[theme]
    return Sheet(
        layout,
        palette,
        "".join(_ground(layout, palette)),
        {route.id: svg_parts.free(route, layout.tracks[route.id], palette) for route in routes},
        {city: svg_parts.city(spot, palette) for city, spot in layout.spots.items()},
        {},
        "".join(_names(layout, palette)),
        routes,
        {},
    )


def above(sheet: Sheet, *, rolls: bool) -> str:
    """Draw city names and the key, on top of everything, in the reader's language."""
    signs = legend.signs(sheet.routes_drawn, rolls=rolls)
    words = legend.words(signs, rolls=rolls)
    if words not in sheet.keys:
        sheet.keys[words] = "".join(legend.key(sheet.palette, sheet.layout, signs, words))
    return sheet.names + sheet.keys[words]


def _ground(layout: Layout, palette: Palette) -> Iterator[str]:
    yield f'<path fill="{palette.water}" d="M0 0H{layout.width}V{layout.height}H0z"/>'
    shore = f'stroke="{palette.coast}" stroke-width="1.5" stroke-linejoin="round"'
    if layout.land:
        land = "".join(polygon(ring, exact=False) for ring in layout.land)
        yield f'<path fill="{palette.land}" fill-rule="evenodd" {shore} d="{land}"/>'
    if layout.lakes:
        lakes = "".join(polygon(ring, exact=False) for ring in layout.lakes)
        yield f'<path fill="{palette.water}" {shore} d="{lakes}"/>'
    yield svg_parts.ways(layout.tracks.values(), palette)
    yield legend.strip(palette, layout)


def _names(layout: Layout, palette: Palette) -> Iterator[str]:
    yield (
        f'<g class="names" font-size="{number(labels.SIZE)}" font-weight="bold" '
        f'text-anchor="middle" fill="{palette.words}" stroke="{palette.around}" stroke-width="4" '
        f'stroke-opacity="0.8" stroke-linejoin="round" paint-order="stroke" pointer-events="none">'
    )
    for label in layout.labels.values():
        for words, base in zip(label.lines, label.baselines, strict=True):
            yield f'<text x="{number(label.middle)}" y="{number(base)}">{escape(words)}</text>'
    yield "</g>"


def _changed_routes(board: Board, sheet: Sheet, overlay: Overlay) -> Iterator[tuple[RouteId, str]]:
    """Yield the routes that look different from the empty board."""
    closed = frozenset(overlay.table.closed)
    for route in board.routes.values():
        track, owners = sheet.layout.tracks[route.id], overlay.table.claimed.get(route.id, ())
        new = route.id in overlay.last
        if not (owners or new or route.id in closed):
            continue
        drawn = svg_parts.glow(track, sheet.palette) if new else ""
        if owners:
            drawn += _claimed(sheet, route, [overlay.table.looks[seat] for seat in owners])
        elif route.id in closed:
            drawn += sheet.routes[route.id] + svg_parts.veil(track, sheet.palette)
        else:
            drawn += sheet.routes[route.id]
        yield route.id, drawn


def _claimed(sheet: Sheet, route: Route, owners: Sequence[Look]) -> str:
    key = route.id, tuple(look.name for look in owners)
    if key not in sheet.trains:
        drawn = svg_parts.trains(route, sheet.layout.tracks[route.id], owners, sheet.palette)
        sheet.trains[key] = drawn
    return sheet.trains[key]


def _changed_cities(board: Board, sheet: Sheet, overlay: Overlay) -> Iterator[tuple[CityId, str]]:
    """Yield the cities that look different from the empty board."""
    for id in board.cities:
        owner, done, new = overlay.table.pieces.get(id), overlay.tickets.get(id), id in overlay.last
        pawns, chips = overlay.table.pawns.get(id, ()), overlay.table.chips.get(id, ())
        if owner is None and done is None and not (new or pawns or chips):
            continue
        spot, text = sheet.layout.spots[id], overlay.letters.get(id, "")
        yield (
            id,
            "".join(
                [
                    svg_parts.shine(spot, sheet.palette) if new else "",
                    svg_parts.goal(spot, sheet.palette, done=done) if done is not None else "",
                    svg_parts.lettered(spot, text) if text else sheet.cities[id],
                    "" if owner is None else _piece(spot, owner, overlay, sheet.palette),
                    svg_parts.pawns(spot, pawns, overlay.table.looks, sheet.palette),
                    svg_parts.chips(
                        _chip_spots(sheet.layout, id, len(chips)), chips, sheet.palette
                    ),
                ]
            ),
        )


def _piece(spot: Point, owner: Seat, overlay: Overlay, palette: Palette) -> str:
    return svg_parts.piece(spot, owner, overlay.table.looks[owner], palette)


def _route_groups(
    board: Board, sheet: Sheet, overlay: Overlay, routes: Mapping[RouteId, str]
) -> Iterator[str]:
    for route in board.routes.values():
        title = escape(_route_title(board, overlay, route))
        yield (
            f'<g class="{_classes("route", route.id, overlay)}" id="route-{route.id}" '
            f'data-route="{route.id}"><title>{title}</title>'
            f"{svg_parts.hit(sheet.layout.tracks[route.id])}{routes[route.id]}"
            f"{_sketched(sheet, route, overlay)}</g>"
        )


def _route_title(board: Board, overlay: Overlay, route: Route) -> str:
    title = scene.route_described(board, overlay.table, route)
    if route.id not in overlay.sketch:
        return title
    number, is_possible = overlay.sketch[route.id]
    return f"{title}, {scene.sketch_described(number, possible=is_possible)}"


def _sketched(sheet: Sheet, route: Route, overlay: Overlay) -> str:
    if route.id not in overlay.sketch:
        return ""
    number, is_possible = overlay.sketch[route.id]
    track = sheet.layout.tracks[route.id]
    return svg_parts.sketched(track, number, sheet.palette, possible=is_possible)


def _city_groups(board: Board, overlay: Overlay, cities: Mapping[CityId, str]) -> Iterator[str]:
    for city in board.cities.values():
        title = escape(scene.city_described(city, overlay.table, done=overlay.tickets.get(city.id)))
        yield (
            f'<g class="{_classes("city", city.id, overlay)}" id="city-{city.id}" '
            f'data-city="{city.id}"><title>{title}</title>'
            f"{cities[city.id]}</g>"
        )


def _classes(kind: str, place: str, overlay: Overlay) -> str:
    return f"{kind} can" if place in overlay.can else kind
