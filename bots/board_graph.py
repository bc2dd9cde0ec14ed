"""The board as a graph with cities and routes by number, and shortest paths in it."""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from engine import Ruleset
from engine.values import Completion, Route, Ticket, TicketId

NOWHERE = float("inf")
"""The cost of an unavailable route."""


class Aim(NamedTuple):
    """A way to complete a ticket, with its cities by number; any city of an end counts."""

    ticket: TicketId
    a: tuple[int, ...]
    b: tuple[int, ...]
    points: int
    loss: int
    """The points that are lost if the ticket is not completed."""

    @property
    def stake(self) -> int:
        """The difference that completing it makes."""
        return self.points + self.loss


class Path(NamedTuple):
    """The routes of a path, and its cost."""

    cost: float
    routes: tuple[int, ...]


class BoardGraph(NamedTuple):
    """Cities and routes by number, so that a search needs no lookups by name."""

    routes: tuple[Route, ...]
    at: dict[str, int]
    """The number of a route, by its id."""
    ends: tuple[tuple[int, int], ...]
    near: tuple[tuple[tuple[int, int], ...], ...]
    """For each city, its routes and the cities at their other ends."""
    cities: dict[str, int]
    aims: dict[TicketId, tuple[Aim, ...]]
    """The ways to complete each ticket."""


def graph_of(rules: Ruleset) -> BoardGraph:
    """Return the graph of a ruleset's board; made once."""
    graph: BoardGraph | None = rules.memory.get("graph")
    if graph is None:
        graph = rules.memory["graph"] = _new_graph(rules)
    return graph


def _new_graph(rules: Ruleset) -> BoardGraph:
    board = rules.board
    cities = {id: number for number, id in enumerate(board.cities)}
    routes = tuple(board.routes.values())
    ends = tuple((cities[route.cities[0]], cities[route.cities[1]]) for route in routes)
    near: list[list[tuple[int, int]]] = [[] for _ in cities]
    for number, (a, b) in enumerate(ends):
        near[a].append((number, b))
        near[b].append((number, a))
    return BoardGraph(
        routes,
        {route.id: number for number, route in enumerate(routes)},
        ends,
        tuple(map(tuple, near)),
        cities,
        {
            id: tuple(_aim(ticket, way, cities) for way in rules.completions[id])
            for id, ticket in board.tickets.items()
        },
    )


def _aim(ticket: Ticket, way: Completion, cities: dict[str, int]) -> Aim:
    a, b = (tuple(cities[city] for city in end) for end in (way.a, way.b))
    return Aim(ticket.id, a, b, way.points, ticket.points)


def cheapest(
    graph: BoardGraph, costs: Sequence[float], starts: Iterable[int], goals: Iterable[int]
) -> Path | None:
    """Return the cheapest path from any of the starts to any of the goals (Dijkstra)."""
    best = [NOWHERE] * len(graph.near)
    arrivals: list[tuple[int, int]] = [(-1, -1)] * len(best)
    heap: list[tuple[float, int]] = []
    for city in starts:
        best[city] = 0.0
        heap.append((0.0, city))
    ahead, near = set(goals), graph.near
    while heap:
        cost, city = heappop(heap)
        if cost > best[city]:
            continue
        if city in ahead:
            return Path(cost, _walked_back(arrivals, city))
        for route, other in near[city]:
            total = cost + costs[route]
            if total < best[other]:
                best[other] = total
                arrivals[other] = (route, city)
                heappush(heap, (total, other))
    return None


def _walked_back(arrivals: Sequence[tuple[int, int]], city: int) -> tuple[int, ...]:
    walked = []
    route, before = arrivals[city]
    while route >= 0:
        walked.append(route)
        route, before = arrivals[before]
    return tuple(walked)


def joined(graph: BoardGraph, routes: Iterable[int]) -> list[int]:
    """Return, for each city, the number of its connected piece in the network of these routes."""
    piece = list(range(len(graph.near)))

    def root(city: int) -> int:
        while piece[city] != city:
            piece[city] = piece[piece[city]]
            city = piece[city]
        return city

    for route in routes:
        a, b = graph.ends[route]
        piece[root(a)] = root(b)
    return [root(city) for city in range(len(piece))]


def open_aims(pieces: Sequence[int], ways: Sequence[Aim]) -> tuple[Aim, ...]:
    """Return the ways of a ticket that are left: all, or those better than the completed ones.

    A completed ticket can no longer be lost, and a better way brings only the difference.
    """
    done = max((way.points for way in ways if linked(pieces, way)), default=0)
    if not done:
        return tuple(ways)
    return tuple(
        way._replace(points=way.points - done, loss=0) for way in ways if way.points > done
    )


def stakes_of(done: Iterable[Aim]) -> int:
    """Return the points that completing all of these adds: the best way of each ticket counts."""
    stakes: dict[TicketId, int] = {}
    for aim in done:
        stakes[aim.ticket] = max(aim.stake, stakes.get(aim.ticket, 0))
    return sum(stakes.values())


def linked(pieces: Sequence[int], aim: Aim) -> bool:
    """Return whether both ends of a ticket are in the same piece."""
    return not {pieces[city] for city in aim.a}.isdisjoint(pieces[city] for city in aim.b)
