"""Technologies as rows of a map, and tables that say what each grant of a row does."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, NamedTuple

from engine.board import Board
from engine.checks import Table
from engine.errors import MapError
from engine.tally import Tally
from engine.translate import say
from engine.values import City, CityId, Cost, Route, RouteId, Seat, Terms

TechnologyId = Annotated[str, "The technology's id."]
Aspect = tuple[str, object]
"""A property of a route for which a technology may be needed."""
Needs = tuple[frozenset[TechnologyId], ...]
"""What a route requires: one technology of each set (R-TECH-3)."""

GRANTS: dict[str, Any] = {
    "region": tuple[str, ...],
    "lengths": tuple[int, ...],
    "ferries": bool,
    "substitute": int,
    "route_points": int,
    "ferry_points": int,
    "ticket_points": int,
    "claims": str,
    "blind_cards": int,
    "most_tickets": int,
    "longest_trail": int,
    "spare_units": int,
}
"""Everything that a technology can grant, with the type of its value in the map."""

OPENS: dict[str, Callable[[Any], Iterable[Aspect]]] = {
    "region": lambda regions: [("region", region) for region in regions],
    "lengths": lambda lengths: [("length", length) for length in lengths],
    "ferries": lambda all_: [("ferry", True)] if all_ else [],
}
"""Grants that open routes, with the properties of the routes that each value opens."""


def _smaller_sets(terms: Terms, size: int) -> Terms:
    return terms._replace(substitute=min(terms.substitute or size, size))


def _units_left_out(terms: Terms, units: int) -> Terms:
    return terms._replace(spare=terms.spare + units)


TERMS: dict[str, Callable[[Terms, int], Terms]] = {
    "substitute": _smaller_sets,
    "spare_units": _units_left_out,
}
"""Grants that change the terms on which a seat pays."""


def _on_any_route(points: int, route: Route) -> int:
    return points


def _on_ferries(points: int, route: Route) -> int:
    return points if route.kind == "ferry" else 0


REWARDS: dict[str, Callable[[int, Route], int]] = {
    "route_points": _on_any_route,
    "ferry_points": _on_ferries,
}
"""Grants of extra points when a route is claimed."""


def _per_ticket(points: int, seat: Seat, tally: Tally) -> int:
    return points * len(tally.completed[seat])


def _most_tickets(points: int, seat: Seat, tally: Tally) -> int:
    return _won_or_lost(points, seat, [len(ids) for ids in tally.completed])


def _longest_trail(points: int, seat: Seat, tally: Tally) -> int:
    return _won_or_lost(points, seat, tally.trails)


def _won_or_lost(points: int, seat: Seat, values: list[int]) -> int:
    """Points for the most, ties included, minus points otherwise; zero is never the most."""
    return points if values[seat] and values[seat] == max(values) else -points


SCORES: dict[str, Callable[[int, Seat, Tally], int]] = {
    "ticket_points": _per_ticket,
    "most_tickets": _most_tickets,
    "longest_trail": _longest_trail,
}
"""Grants of points at the end of the game."""


class Technology(NamedTuple):
    id: TechnologyId
    name: str
    price: Cost
    """In locomotives, exactly (R-TECH-6)."""
    copies: int
    grants: Mapping[str, Any]

    @property
    def spoken(self) -> str:
        """The technology's name in the reader's language; the catalogue takes it from the map."""
        return say(self.name)

    @property
    def claims(self) -> str:
        """What it lets a seat claim in the turn of purchase; empty for most technologies."""
        claims: str = self.grants.get("claims", "")
        return claims


def sold(
    board: Board, sets: Iterable[str], claims: Iterable[str]
) -> dict[TechnologyId, Technology]:
    """The technologies of these sets, without those whose module is not in play."""
    technologies: dict[TechnologyId, Technology] = {}
    seen, known = set(), set()
    for row in Table({"technologies": list(board.technologies)}, "").rows("technologies"):
        belongs, needs = row.take("set", str, "basic"), row.take("needs", tuple[str, ...], ())
        made = _technology(row)
        if made.claims not in ("", *claims):
            raise MapError(row.at("grants.claims"), f"“{made.claims}” is not a known right")
        if made.id in seen:
            raise MapError(row.place, "appears twice")
        seen.add(made.id)
        known.add(belongs)
        if belongs in sets and set(needs).issubset(board.modules):
            technologies[made.id] = made
    for name in sets:
        if name not in known:
            raise MapError("parameters.technologies.sets", f"no technology is in the set “{name}”")
    return technologies


def _technology(row: Table) -> Technology:
    grants = Table(row.take("grants", dict[str, Any]), row.at("grants"))
    cost = row.take("cost", int)
    made = Technology(
        row.take("id", str),
        row.take("name", str),
        Cost(cost, locomotives=cost, purpose="technology"),
        row.take("copies", int),
        {key: grants.take(key, hint) for key, hint in GRANTS.items() if key in grants.raw},
    )
    grants.done()
    row.done()
    if min(cost, made.copies) < 1:
        raise MapError(row.place, "cost and copies must be at least 1")
    if made.grants.get("blind_cards", 3) != 3:
        raise MapError(
            row.at("grants.blind_cards"), "must be 3, since the move is called “draw three”"
        )
    return made


def needs_of(board: Board, technologies: Mapping[TechnologyId, Technology]) -> dict[RouteId, Needs]:
    """What each route requires; what no technology opens is open to everybody (R-TECH-1)."""
    openers: dict[Aspect, set[TechnologyId]] = {}
    for id, technology in technologies.items():
        for key in OPENS.keys() & technology.grants.keys():
            for aspect in OPENS[key](technology.grants[key]):
                openers.setdefault(aspect, set()).add(id)
    return {
        route.id: tuple(
            dict.fromkeys(
                frozenset(openers[aspect])
                for aspect in _aspects(route, board.cities)
                if aspect in openers and not route.open_to_all
            )
        )
        for route in board.routes.values()
    }


def _aspects(route: Route, cities: Mapping[CityId, City]) -> list[Aspect]:
    """All properties of a route for which a technology may be needed, its two regions first."""
    regions: list[Aspect] = [("region", cities[city].region) for city in route.cities]
    return [*regions, ("length", route.length), ("ferry", route.kind == "ferry")]
