"""Checks a map file for its author: reports errors, and warns of what is probably a mistake."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from engine import Board, MapError, board_of, decks_of, ruleset_of

MOST_ERRORS = 20
"""Wrong rows that are reported at once."""
MANY_VARIANTS = 10
"""With more variants than this, pairs of variants are checked instead of all combinations."""


class Finding(NamedTuple):
    """An error or a warning about a place in a map."""

    place: str
    reason: str
    warning: bool = False


class MapReport(NamedTuple):
    """The result of a check."""

    board: Board | None
    tables: int
    """Tables (combinations of variants and seats) whose rules could be built."""
    findings: tuple[Finding, ...]

    @property
    def holds(self) -> bool:
        """Whether the map is valid; warnings do not count."""
        return all(finding.warning for finding in self.findings)


def check(raw: Mapping[str, Any]) -> MapReport:
    """Check a map with every combination of its variants, for every number of seats."""
    errors = list(_row_errors(raw))
    if errors:
        return MapReport(None, 0, tuple(errors))
    tables = 0
    findings: dict[tuple[str, str], Finding] = {}
    board = board_of(raw)
    for variants in _combinations(board):
        try:
            varied = board_of(raw, variants)
        except MapError as error:
            findings.setdefault((error.place, error.reason), _finding(error, variants))
            continue
        for seats in range(varied.seats[0], varied.seats[1] + 1):
            problem = _ruleset_error(varied, seats)
            tables += problem is None
            if problem is not None:
                table = [*variants, *([f"{seats} seats"] if seats > varied.seats[0] else [])]
                findings.setdefault((problem.place, problem.reason), _finding(problem, table))
    return MapReport(board, tables, (*findings.values(), *_warnings(raw, board)))


def _ruleset_error(board: Board, seats: int) -> MapError | None:
    """Return the error with which this board cannot be played by this number, if there is one."""
    try:
        ruleset_of(board, seats)
    except MapError as error:
        return error
    return None


def _finding(error: MapError, table: Sequence[str]) -> Finding:
    """Return a finding for an error, which names the first table at which it shows."""
    where = f" (first seen with {', '.join(table)})" if table else ""
    return Finding(error.place, error.reason + where)


def _combinations(board: Board) -> Iterator[tuple[str, ...]]:
    """Yield every set of variants that do not exclude each other."""
    catalogue = board.catalogue
    most = len(catalogue) if len(catalogue) <= MANY_VARIANTS else 2
    for number in range(most + 1):
        for chosen in combinations(catalogue, number):
            ids = {variant.id for variant in chosen}
            if not any(ids.intersection(variant.excludes) for variant in chosen):
                yield tuple(variant.id for variant in chosen)


def _row_errors(raw: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield all wrong routes and tickets, and the first other error of the file.

    After a wrong row the file is read again without it, to find the next.
    """
    remaining = dict(raw)
    for _ in range(MOST_ERRORS):
        error = _first_error(remaining)
        if error is None:
            return
        yield Finding(error.place, error.reason)
        row = re.match(r"(routes|tickets)\[(.*?)\]", error.place)
        if row is None:
            return
        remaining[row[1]] = _without(remaining[row[1]], row[2])


def _first_error(raw: Mapping[str, Any]) -> MapError | None:
    try:
        board_of(raw)
    except MapError as error:
        return error
    return None


def _without(rows: Sequence[Any], name: str) -> list[Any]:
    """Return the rows without the last one of this name, and without references to it as a twin."""
    places = [at for at, row in enumerate(rows) if _name(row, at) == name]
    others = [row for at, row in enumerate(rows) if at != places[-1]]
    return others if places[1:] else [_without_twin(row, name) for row in others]


def _without_twin(row: Any, twin: str) -> Any:
    if not isinstance(row, Mapping) or row.get("twin") != twin:
        return row
    return {key: value for key, value in row.items() if key != "twin"}


def _name(row: Any, at: int) -> str:
    id = row.get("id") if isinstance(row, Mapping) else None
    return id if isinstance(id, str) else str(at)


def _warnings(raw: Mapping[str, Any], board: Board) -> Iterator[Finding]:
    """Return warnings about what can be played but is probably a mistake."""
    piece = _components(board)
    used = {city for route in board.routes.values() for city in route.cities}
    for city in board.cities:
        if city not in used:
            yield Finding(f"cities[{city}]", "no route leads here", warning=True)
    pieces = {piece[city] for city in used}
    if len(pieces) > 1:
        yield Finding("routes", f"the board falls into {len(pieces)} pieces", warning=True)
    for ticket in board.tickets.values():
        ends = [{piece[city] for city in cities} for cities in ticket.cities]
        if ends[0].isdisjoint(ends[1]):
            place = f"tickets[{ticket.id}]"
            yield Finding(place, "no routes join its two ends", warning=True)
    for deck in sorted(_decks(board) - _decks_in_play(raw, board)):
        yield Finding("tickets", f"nothing plays with the deck “{deck}”", warning=True)


def _components(board: Board) -> dict[str, str]:
    """Return, for every city, the city that represents its connected component (union-find)."""
    above = {city: city for city in board.cities}

    def top(city: str) -> str:
        while above[city] != city:
            city = above[city]
        return city

    for route in board.routes.values():
        above[top(route.cities[0])] = top(route.cities[1])
    return {city: top(city) for city in above}


def _decks(board: Board) -> set[str]:
    return {deck for ticket in board.tickets.values() for deck in ticket.decks}


def _decks_in_play(raw: Mapping[str, Any], board: Board) -> set[str]:
    decks = set(decks_of(board))
    for variant in board.catalogue:
        try:
            decks.update(decks_of(board_of(raw, [variant.id])))
        except MapError:
            continue
    return decks


def tickets_of(board: Board) -> int:
    """Return how many tickets a board plays with."""
    decks = set(decks_of(board))
    return sum(not decks.isdisjoint(ticket.decks) for ticket in board.tickets.values())
