from collections.abc import Callable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.trails import Edge, Trail, longest_trail
from service.boards.atlas import board

Network = list[Edge]


def _network(*routes: str) -> Network:
    """Edges from routes written `a b 3`; their ids are their places in the list."""
    parts = [route.split() for route in routes]
    return [Edge(f"r{n}", a, b, int(length)) for n, (a, b, length) in enumerate(parts)]


def _numbered(routes: list[tuple[int, int, int]]) -> Network:
    return _network(*(f"{a} {b} {length}" for a, b, length in routes))


def _tried_out(edges: Network) -> int:
    """The longest trail by brute force over all pairs of city and used routes."""
    near: dict[str, list[tuple[str, int, int]]] = {}
    for n, edge in enumerate(edges):
        near.setdefault(edge.a, []).append((edge.b, 1 << n, edge.length))
        near.setdefault(edge.b, []).append((edge.a, 1 << n, edge.length))
    lengths = {(city, 0): 0 for city in near}
    walks = list(lengths)
    for city, used in walks:
        for other, route, length in near[city]:
            if not used & route and (other, used | route) not in lengths:
                lengths[other, used | route] = lengths[city, used] + length
                walks.append((other, used | route))
    return max(lengths.values(), default=0)


def _can_be_walked(edges: Network, routes: tuple[str, ...]) -> bool:
    ends = {edge.route: (edge.a, edge.b) for edge in edges}
    places = set(ends[routes[0]]) if routes else {""}
    for route in routes:
        a, b = ends[route]
        places = {b for place in places if place == a} | {a for place in places if place == b}
    return bool(places) and len(set(routes)) == len(routes)


def _any(luck: Random, cities: int, routes: int) -> Network:
    edges = []
    for _ in range(routes):
        a, b = luck.sample(range(cities), 2)
        edges.append((a, b, luck.randint(1, 6)))
    return _numbered(edges)


def _small(luck: Random) -> Network:
    return _any(luck, luck.randint(2, 7), luck.randint(0, 10))


def _apart(luck: Random) -> Network:
    return _any(luck, 11, luck.randint(6, 12))


def _twins(luck: Random) -> Network:
    once = _any(luck, luck.randint(3, 6), luck.randint(1, 5))
    again = [edge._replace(route=f"twin of {edge.route}") for edge in once]
    return [*once, *luck.sample(again, luck.randint(1, len(again)))]


def _dense(luck: Random) -> Network:
    return _any(luck, 8, luck.randint(13, 15))


def _short(luck: Random) -> Network:
    """Routes of length 1, so that many trails are equally long."""
    return [edge._replace(length=1) for edge in _any(luck, 6, luck.randint(8, 12))]


def _bridged(luck: Random) -> Network:
    """Triangles that are joined by single routes."""
    circles, edges = luck.randint(2, 3), []
    for first in range(0, 3 * circles, 3):
        ring = (first, first + 1, first + 2)
        for a, b in combinations(ring, 2):
            edges.append((a, b, luck.randint(1, 4)))
        if first:
            edges.append((luck.choice(ring), luck.randrange(first), luck.randint(1, 4)))
    edges.append((luck.randrange(3 * circles), 99, luck.randint(1, 4)))
    return _numbered(edges)


def _on_the_board(luck: Random, trains: int = 45) -> Network:
    """Connected routes of the USA board until the trains run out."""
    routes = [Edge(route.id, *route.cities, route.length) for route in board("usa").routes.values()]
    network = [luck.choice(routes)]
    while True:
        left = trains - sum(edge.length for edge in network)
        cities = {city for edge in network for city in (edge.a, edge.b)}
        fitting = [
            edge
            for edge in routes
            if edge not in network and edge.length <= left and cities & {edge.a, edge.b}
        ]
        if not fitting:
            return network
        network.append(luck.choice(fitting))


def _many(make: Callable[[Random], Network], number: int) -> list[Network]:
    luck = Random(make.__name__)
    return [make(luck) for _ in range(number)]


@pytest.mark.parametrize(
    ("make", "number"),
    [
        (_small, 5000),
        (_apart, 1500),
        (_twins, 2000),
        (_short, 600),
        (_dense, 30),
        (_bridged, 800),
        (_on_the_board, 200),
    ],
)
def test_none_is_longer(make: Callable[[Random], Network], number: int) -> None:
    """No trail is longer than the one found, on any kind of network (R-LONG-2)."""
    for edges in _many(make, number):
        assert _tried_out(edges) == longest_trail(edges).length, edges


@pytest.mark.parametrize("make", [_small, _apart, _twins, _short, _dense, _bridged, _on_the_board])
def test_trail_can_be_walked(make: Callable[[Random], Network]) -> None:
    """The routes of a trail follow one another, none twice, and their lengths add up (R-LONG-1)."""
    for edges in _many(make, 300):
        length, routes = longest_trail(edges)

        assert _can_be_walked(edges, routes), edges
        assert length == sum(edge.length for edge in edges if edge.route in routes), edges


@pytest.mark.parametrize("make", [_small, _twins, _bridged, _on_the_board])
def test_order_does_not_matter(make: Callable[[Random], Network]) -> None:
    """Order and direction of the routes do not change the length (R-LONG-2)."""
    luck = Random(8)
    for edges in _many(make, 100):
        turned = [edge._replace(a=edge.b, b=edge.a) for edge in edges]
        either = [luck.choice(pair) for pair in zip(edges, turned, strict=True)]
        mixed = luck.sample(either, len(edges))

        assert longest_trail(edges).length == longest_trail(mixed).length, edges


def test_same_network_same_trail() -> None:
    """The same network gives the same routes in the same order."""
    edges = _many(_on_the_board, 1)[0]

    assert longest_trail(edges) == longest_trail(list(edges))


@given(
    st.lists(
        st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 6)).filter(
            lambda route: route[0] != route[1]
        ),
        min_size=1,
        max_size=25,
    )
)
def test_more_routes_never_hurt(routes: list[tuple[int, int, int]]) -> None:
    """A further route never makes the longest trail shorter (R-LONG-2)."""
    edges = _numbered(routes)

    assert longest_trail(edges[:-1]).length <= longest_trail(edges).length


def test_nothing_is_no_trail() -> None:
    """A network without routes has a trail of length 0 (R-LONG-3)."""
    assert Trail(0, ()) == longest_trail([])


@pytest.mark.parametrize(
    ("length", "routes"),
    [
        pytest.param(4, ["a b 4"], id="one route"),
        pytest.param(9, ["a b 4", "b c 2", "c d 3"], id="a line"),
        pytest.param(6, ["a b 1", "b c 2", "c a 3"], id="a loop"),
        pytest.param(5, ["a b 2", "b a 3"], id="both tracks"),
        pytest.param(16, ["a b 1", "b c 2", "c a 3", "a d 2", "d e 4", "e a 4"], id="an eight"),
        pytest.param(11, ["x a 5", "a b 1", "b c 2", "c a 3"], id="a loop on a line"),
    ],
)
def test_all_of_it(length: int, routes: list[str]) -> None:
    """Loops count and a city may be passed again, so all routes form one trail (R-LONG-1)."""
    assert length == longest_trail(_network(*routes)).length


@pytest.mark.parametrize(
    ("length", "routes"),
    [
        pytest.param(7, ["m a 2", "m b 3", "m c 4"], id="three arms"),
        pytest.param(5, ["a b 1", "b c 1", "c d 1", "d a 1", "a c 1", "b d 1"], id="all of four"),
        pytest.param(10, ["a b 1", "b c 1", "c d 1", "a e 6", "a f 4"], id="the heavier way"),
        pytest.param(10, ["a b 3", "b c 3", "c a 3", "a x 1", "b y 1", "c z 1"], id="three tails"),
    ],
)
def test_not_all_of_it(length: int, routes: list[str]) -> None:
    """Only the longest trail counts, not all connected routes (R-LONG-2)."""
    assert length == longest_trail(_network(*routes)).length


def test_bridge_is_crossed_once() -> None:
    """Of three loops on three arms a trail covers two, since no route is used twice (R-LONG-1)."""
    loops = [f"{x}1 {x}2 1|{x}2 {x}3 1|{x}3 {x}1 1|m {x}1 2".split("|") for x in "abc"]

    assert 10 == longest_trail(_network(*(route for loop in loops for route in loop))).length


def test_the_longest_anywhere() -> None:
    """Of two separate networks the longer trail counts, even with fewer routes (R-LONG-2)."""
    edges = _network("a b 1", "b c 1", "c a 1", "x y 6")

    assert Trail(6, ("r3",)) == longest_trail(edges)


@pytest.mark.parametrize(
    ("length", "pairs"),
    [
        pytest.param(41, [(a, b) for b in range(10) for a in range(b)], id="all of ten"),
        pytest.param(32, [(a, b) for a in range(3) for b in range(3, 18)], id="three by fifteen"),
        pytest.param(38, [(a, b) for a in range(5) for b in range(5, 14)], id="five by nine"),
    ],
)
def test_dense_networks(length: int, pairs: list[tuple[int, int]]) -> None:
    """The longest trail is found in dense networks of 45 routes of length 1 (R-LONG-2)."""
    assert length == longest_trail(_numbered([(a, b, 1) for a, b in pairs])).length
