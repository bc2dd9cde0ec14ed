"""Compare the longest-trail search with a plain search on the worst networks that we can find."""

from collections.abc import Callable, Sequence
from itertools import combinations, count, product
from random import Random
from statistics import median
from sys import setprofile
from time import perf_counter
from typing import NamedTuple

from engine.trails import Edge, longest_trail
from service.boards.atlas import board

TRAINS = 45
ROUNDS = 5
BUDGET = 200_000
"""Step limit of the plain search; by then it has clearly lost."""

PATIENCE = 100
"""Failed tries after which the search for bad cases returns to the worst case known."""

Network = list[Edge]
Change = Callable[[Network, Random], Network]


class Climb(NamedTuple):
    """A search for bad cases by hill climbing: small changes are kept when they cost more."""

    name: str
    start: Network
    change: Change
    cost: Callable[[Network], float]
    tries: int


def run() -> list[str]:
    """Return one line for each kind of network."""
    worst = [(climb.name, worst_of(climb)) for climb in climbs()]
    slowest = max(min(rounds(network, own_search)) for _, network in worst)
    return [
        "longest trail: ratios to a plain search, on dense networks at most 0.2, aim 0.1",
        *(compared(name, network) for name, network in worst),
        f"longest trail, slowest network found: {slowest * 1e3:.1f} ms (bar 60)",
        typical("routes anywhere", dense=False),
        typical("short routes in one piece", dense=True),
    ]


def compared(name: str, network: Network) -> str:
    """Report the ratio to the time of the plain search, measured in alternating rounds."""
    used = plain_steps(network)
    pairs = [
        (min(rounds(network, own_search, 3)), min(rounds(network, plain_steps, 3)))
        for _ in range(ROUNDS)
    ]
    ratios = sorted(own / plain for own, plain in pairs)
    capped = ", plain search stopped early: at most this" if used >= BUDGET else ""
    return (
        f"longest trail, {name} ({len(network)} routes): {median(ratios):.4f} of plain search "
        f"({ratios[0]:.4f}–{ratios[-1]:.4f}{capped}; "
        f"our search {median(own for own, _ in pairs) * 1e3:.1f} ms)"
    )


def typical(name: str, *, dense: bool) -> str:
    luck = Random(7)
    networks = [filled([], luck, dense=dense) for _ in range(500)]
    times = sorted(min(rounds(network, own_search)) for network in networks)
    return (
        f"longest trail, {name}, {TRAINS} trains: median {median(times) * 1e6:.0f} µs, "
        f"99 of 100 within {times[len(times) * 99 // 100] * 1e6:.0f} µs"
    )


def own_search(network: Network) -> None:
    longest_trail(network)


def clocked(work: Callable[[Network], object], network: Network) -> float:
    start = perf_counter()
    work(network)
    return perf_counter() - start


def rounds(network: Network, work: Callable[[Network], object], number: int = 5) -> list[float]:
    return [clocked(work, network) for _ in range(number)]


def plain_steps(network: Network) -> int:
    """Walk every trail from every city, depth first, within the budget; return the step count."""
    near: dict[str, list[tuple[int, str, int]]] = {}
    for n, edge in enumerate(network):
        near.setdefault(edge.a, []).append((n, edge.b, edge.length))
        near.setdefault(edge.b, []).append((n, edge.a, edge.length))
    used = [False] * len(network)
    best = steps = 0

    def walk(city: str, length: int) -> None:
        nonlocal best, steps
        steps += 1
        best = max(best, length)
        for n, other, more in near[city]:
            if not used[n] and steps < BUDGET:
                used[n] = True
                walk(other, length + more)
                used[n] = False

    for city in near:
        walk(city, 0)
    return steps


def our_effort(network: Network) -> int:
    """Count profiler events during our search; unlike time, the count is reproducible."""
    calls = count()
    setprofile(lambda *_: next(calls))
    longest_trail(network)
    setprofile(None)
    return next(calls)


def dense_effort(network: Network) -> float:
    """Return our effort if cities have at least three routes on average.

    The cost of a sparser network is at most 1, so that a climb moves towards dense ones.
    """
    cities = {city for edge in network for city in (edge.a, edge.b)}
    lacking = max(0, 3 * len(cities) - 2 * len(network))
    return float(our_effort(network)) if not lacking else 1 / lacking


def worst_of(climb: Climb) -> Network:
    """Search for the most expensive network.

    The search also continues from networks that cost slightly less. It returns to the worst one
    when it makes no progress.
    """
    luck = Random(climb.name)
    network = worst = climb.start
    cost = highest = climb.cost(worst)
    since = 0
    for _ in range(climb.tries):
        other = climb.change(network, luck)
        if not in_one_piece(other):
            continue
        since += 1
        more = climb.cost(other)
        if more > cost * (1 - 0.3 * luck.random()):
            network, cost = other, more
        if more > highest:
            worst, highest, since = other, more, 0
        if since > PATIENCE:
            network, cost, since = worst, highest, 0
    return worst


def climbs() -> list[Climb]:
    luck = Random(1)
    usa = filled([], luck, dense=True)
    searches = [
        Climb("USA, worst for plain search", usa, changed_on_board, plain_steps, 500),
        Climb("USA, worst for us", usa, changed_on_board, our_effort, 3000),
        Climb("USA dense, worst for us", usa, changed_on_board, dense_effort, 3000),
    ]
    for cities in (8, 10, 14, 20, 26):
        start = drawn([(n, n + 1, 1) for n in range(cities - 1)], cities, luck)
        searches.append(Climb(f"{cities} cities, worst for us", start, redrawn, our_effort, 800))
    complete = [(a, b, 1) for a, b in combinations(range(10), 2)]
    hubs = [(a, b + 3, 1) for a, b in product(range(3), range(15))]
    return [
        *searches,
        Climb("all of ten", drawn(complete, 10, luck), redrawn, our_effort, 0),
        Climb("three by fifteen", drawn(hubs, 18, luck), redrawn, our_effort, 0),
    ]


def changed_on_board(network: Network, luck: Random) -> Network:
    sample = luck.sample(network, max(1, len(network) - luck.randint(1, 6)))
    return filled(sample, luck, dense=True)


def filled(start: Sequence[Edge], luck: Random, *, dense: bool) -> Network:
    """Add routes of the USA board until the trains run out, never both tracks of a double route.

    In a dense network, each route touches the network built so far. Short routes and routes between
    two of its cities are preferred.
    """
    network = list(start)
    while True:
        left = TRAINS - sum(edge.length for edge in network)
        taken = {edge.route for edge in network}
        cities = {city for edge in network for city in (edge.a, edge.b)}
        fitting = [
            route
            for route in board("usa").routes.values()
            if route.length <= left
            and taken.isdisjoint((route.id, route.twin))
            and not (dense and cities and cities.isdisjoint(route.cities))
        ]
        if not fitting:
            return network
        short = [(1 + 3 * cities.issuperset(route.cities)) / route.length for route in fitting]
        route = luck.choices(fitting, short if dense else None)[0]
        network.append(Edge(route.id, *route.cities, route.length))


def redrawn(network: Network, luck: Random) -> Network:
    """Move one end of a few routes, or change their length."""
    cities = len({city for edge in network for city in (edge.a, edge.b)})
    routes = [(int(edge.a), int(edge.b), edge.length) for edge in network]
    for _ in range(luck.randint(1, 3)):
        n = luck.randrange(len(routes))
        a, b, length = routes[n]
        if luck.random() < 0.3:
            routes[n] = (a, b, luck.choice((1, 1, 2, 3)))
        else:
            routes[n] = (a, luck.choice([city for city in range(cities) if city != a]), length)
    return drawn(routes, cities, luck)


def drawn(routes: Sequence[tuple[int, int, int]], cities: int, luck: Random) -> Network:
    """Return a network of invented cities that uses all trains."""
    edges = list(routes)
    while sum(length for _, _, length in edges) > TRAINS:
        edges.pop(luck.randrange(len(edges)))
    while (left := TRAINS - sum(length for _, _, length in edges)) > 0:
        a, b = luck.sample(range(cities), 2)
        edges.append((a, b, min(left, luck.choice((1, 1, 2, 3)))))
    return [Edge(f"r{n}", str(a), str(b), length) for n, (a, b, length) in enumerate(edges)]


def in_one_piece(network: Network) -> bool:
    pieces: list[set[str]] = []
    for edge in network:
        touched = [piece for piece in pieces if edge.a in piece or edge.b in piece]
        pieces = [piece for piece in pieces if piece not in touched]
        pieces.append({edge.a, edge.b}.union(*touched))
    return len(pieces) == 1
