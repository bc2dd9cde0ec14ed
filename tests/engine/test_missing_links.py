"""The routes that a ticket lacks: a shortest way over own and free links."""

from itertools import combinations
from random import Random

import pytest

from engine.missing_links import missing_links
from engine.trails import Edge


def _edges(*routes: str) -> list[Edge]:
    """Edges from routes written `a-b:length`, which are also their ids."""
    parts = [(route, *route.replace(":", "-").split("-")) for route in routes]
    return [Edge(route, a, b, int(length)) for route, a, b, length in parts]


def _missing(own: str, free: str, ticket: str) -> list[str] | None:
    a, b = (end.split("|") for end in ticket.split("-"))
    links = missing_links(_edges(*own.split()), _edges(*free.split()), a, b)
    return None if links is None else [edge.route for edge in links]


@pytest.mark.parametrize(
    ("own", "free", "ticket", "missing"),
    [
        ("", "a-b:3 b-c:2 a-c:6", "a-c", ["a-b:3", "b-c:2"]),
        ("", "a-b:3 b-c:3 a-c:6", "a-c", ["a-c:6"]),
        ("a-b:6", "b-c:2 a-c:3", "a-c", ["b-c:2"]),
        ("a-b:6 b-c:6", "a-c:1", "a-c", []),
        ("a-b:1", "d-c:1", "a-c", None),
        ("", "", "a-c", None),
        ("", "a-x:5 a-y:1", "a-x|y", ["a-y:1"]),
        ("x-y:4", "a-x:2 y-c:2 a-c:5", "a-c", ["a-x:2", "y-c:2"]),
    ],
)
def test_a_shortest_way(own: str, free: str, ticket: str, missing: list[str] | None) -> None:
    """Own links cost nothing, free ones their length; of equal ways the one with fewest links."""
    assert missing == _missing(own, free, ticket)


def _is_joined(edges: list[Edge], a: str, b: str) -> bool:
    reached, fresh = {a}, {a}
    while fresh:
        fresh = {
            there
            for edge in edges
            for here, there in ((edge.a, edge.b), (edge.b, edge.a))
            if here in reached
        } - reached
        reached |= fresh
    return b in reached


def two_of(cities: str, rng: Random) -> tuple[str, str]:
    """Two different cities."""
    first, second = rng.sample(cities, 2)
    return first, second


@pytest.mark.parametrize("seed", range(40))
def test_no_choice_of_links_is_shorter(seed: int) -> None:
    """On small random boards no set of free links that joins the cities is shorter."""
    rng = Random(seed)
    every = [
        Edge(f"{n}", *two_of("abcdef", rng), rng.randrange(1, 7)) for n in range(rng.randrange(9))
    ]
    own, free = every[:2], every[2:]
    ways = [
        sum(edge.length for edge in some)
        for size in range(len(free) + 1)
        for some in combinations(free, size)
        if _is_joined([*own, *some], "a", "b")
    ]
    links = missing_links(own, free, "a", "b")
    assert min(ways, default=None) == (links and sum(edge.length for edge in links)) or links == ()
    if links is not None:
        assert _is_joined([*own, *links], "a", "b")
    assert (links is None) == (not ways)
