"""The routes that a ticket still lacks: a cheapest way between its ends (R-TKT-1).

Links that a seat has already cost nothing; every other link costs its length.
"""

from collections.abc import Collection, Iterable
from heapq import heappop, heappush

from engine.trails import Edge

Near = dict[str, list[tuple[str, Edge]]]
"""For each city the neighbouring cities, each with the link to it."""


def missing_links(
    own: Iterable[Edge], free: Iterable[Edge], a: Collection[str], b: Collection[str]
) -> tuple[Edge, ...] | None:
    """The free links of a shortest way from one of the cities `a` to one of the cities `b`.

    Of ways that are equally short, one with the fewest free links is chosen. None if there is no
    way; empty if the seat's own links are one.
    """
    near = _near((edge._replace(length=0) for edge in own), free)
    # The cost of a way, its number of free links, its last city, and its free links.
    todo: list[tuple[int, int, str, tuple[Edge, ...]]] = [(0, 0, city, ()) for city in sorted(a)]
    reached: set[str] = set()
    while todo:
        cost, _, city, way = heappop(todo)
        if city in b:
            return way
        if city in reached:
            continue
        reached.add(city)
        for other, edge in near.get(city, ()):
            if other not in reached:
                more = (*way, edge) if edge.length else way
                heappush(todo, (cost + edge.length, len(more), other, more))
    return None


def _near(*kinds: Iterable[Edge]) -> Near:
    near: Near = {}
    for edge in (edge for edges in kinds for edge in edges):
        near.setdefault(edge.a, []).append((edge.b, edge))
        near.setdefault(edge.b, []).append((edge.a, edge))
    return near
