"""The longest trail in a network: no route twice, any city as often as one likes (R-LONG-1).

A network falls apart at its bridges, and each piece is solved alone.
In a piece it is the routes left out that are searched for, not the walk.
What is kept can be walked in one go exactly when it hangs together
and at most two cities have an odd number of kept routes (Euler).
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

HOPELESS = 1 << 30
"""More than any network can lose."""

OUTSIDE = 1 << 20
"""Longer than any network, so a trail that can take a span of this length does."""


class Edge(NamedTuple):
    route: str
    a: str
    b: str
    length: int


class Trail(NamedTuple):
    length: int
    routes: tuple[str, ...]


class Span(NamedTuple):
    """Routes that are walked all or not at all, in order from a to b."""

    a: int
    b: int
    length: int
    routes: tuple[str, ...]


class Step(NamedTuple):
    """A span to keep or to drop; it closes the cities that no later step touches."""

    span: Span
    cities: int
    toggles: int
    closing: int


class Mark(NamedTuple):
    """All that matters of the steps decided so far to those still to come.

    `odd`: the cities with an odd number of spans if all that is undecided were kept.
    `ends`: how many odd cities are closed, which makes them ends of the trail.
    `parts`: how the kept spans hang together, as sets of cities that are not closed.
    Every set of cities is a bit mask.
    """

    step: int
    odd: int
    ends: int
    parts: tuple[int, ...]


def longest_trail(edges: Sequence[Edge]) -> Trail:
    """The longest trail anywhere in the network, its routes in walking order (R-LONG-2)."""
    number: dict[str, int] = {}
    for edge in edges:
        number.setdefault(edge.a, len(number))
        number.setdefault(edge.b, len(number))
    spans = [Span(number[e.a], number[e.b], e.length, (e.route,)) for e in edges]
    return _join_pieces(spans, *_cut_bridges(spans, len(number)))


def _cut_bridges(spans: Sequence[Span], cities: int) -> tuple[list[int], list[Span | None]]:
    """The piece of each city; for each piece the bridge to a later piece, far end first."""
    near: list[list[tuple[int, int]]] = [[] for _ in range(cities)]
    for index, span in enumerate(spans):
        near[span.a].append((span.b, index))
        near[span.b].append((span.a, index))
    seen = [0] * cities
    piece = [0] * cities
    bridges: list[Span | None] = []
    open_cities: list[int] = []

    def visit(city: int, way: int, clock: int) -> tuple[int, int]:
        """Seen numbers count up; a city that reaches none before its own starts a piece."""
        seen[city] = lowest = clock = clock + 1
        open_cities.append(city)
        for other, index in near[city]:
            if not seen[other]:
                low, clock = visit(other, index, clock)
                lowest = min(lowest, low)
            elif index != way:
                lowest = min(lowest, seen[other])
        if lowest == seen[city]:
            members = open_cities[open_cities.index(city) :]
            del open_cities[-len(members) :]
            for member in members:
                piece[member] = len(bridges)
            bridges.append(_seen_from(spans[way], city) if way >= 0 else None)
        return lowest, clock

    for city in range(cities):
        if not seen[city]:
            visit(city, -1, max(seen))
    return piece, bridges


def _seen_from(span: Span, city: int) -> Span:
    return span if span.a == city else Span(span.b, span.a, span.length, span.routes[::-1])


def _join_pieces(
    spans: Sequence[Span], piece: Sequence[int], bridges: Sequence[Span | None]
) -> Trail:
    """A trail crosses a bridge once and ends beyond it.

    So all that lies beyond is worth one span to nowhere, as long as the best trail out there,
    and a trail that never crosses towards a later piece is found in its last piece.
    """
    inside: list[list[Span]] = [[] for _ in bridges]
    hanging: list[list[Span]] = [[] for _ in bridges]
    for span in spans:
        if piece[span.a] == piece[span.b]:
            inside[piece[span.a]].append(span)
    best = Trail(0, ())
    nowhere = len(piece)
    for home, bridge in enumerate(bridges):
        hanging[home].sort(key=lambda span: -span.length)
        trail = _trail_within(inside[home], hanging[home])
        if trail.length > best.length:
            best = trail
        if bridge:
            beyond = _trail_from(bridge.a, inside[home], hanging[home])
            nowhere += 1
            far = Span(
                bridge.b, nowhere, bridge.length + beyond.length, bridge.routes + beyond.routes
            )
            hanging[piece[bridge.b]].append(far)
    return best


def _trail_within(inside: Sequence[Span], hanging: Sequence[Span]) -> Trail:
    if inside:
        return _walk(_heaviest([*inside, *_longest_each(hanging, 2)]))
    return _walk(hanging[:2])


def _trail_from(city: int, inside: Sequence[Span], hanging: Sequence[Span]) -> Trail:
    """The longest trail that begins in the city: one that comes from outside, less the way in."""
    if inside:
        way_in = Span(-1, city, OUTSIDE, ())
        trail = _walk(_heaviest([way_in, *inside, *_longest_each(hanging, 1)]))
        return Trail(trail.length - OUTSIDE, trail.routes)
    return Trail(hanging[0].length, hanging[0].routes) if hanging else Trail(0, ())


def _longest_each(hanging: Iterable[Span], most: int) -> list[Span]:
    """Spans to nowhere are ends of a trail, so of those at one city only the longest matter."""
    count: dict[int, int] = {}
    longest = []
    for span in hanging:
        count[span.a] = count.get(span.a, 0) + 1
        if count[span.a] <= most:
            longest.append(span)
    return longest


def _walk(spans: Sequence[Span]) -> Trail:
    """Walks all spans in one go (Hierholzer), from the first city that has to be an end."""
    near: dict[int, list[tuple[int, Span]]] = {}
    for span in reversed(spans):
        near.setdefault(span.b, []).append((span.a, span))
        near.setdefault(span.a, []).append((span.b, span))
    start = next((city for span in spans for city in span[:2] if len(near[city]) % 2), None)
    if start is None:
        start = spans[0].a if spans else 0
    used: set[int] = set()
    path: list[tuple[int, Span | None]] = [(start, None)]
    walked: list[str] = []
    while path:
        city, came = path[-1]
        ways = near.get(city, [])
        while ways and id(ways[-1][1]) in used:
            ways.pop()
        if ways:
            other, span = ways.pop()
            used.add(id(span))
            path.append((other, span))
        else:
            path.pop()
            if came:
                walked.extend(came.routes if came.a == city else came.routes[::-1])
    return Trail(sum(span.length for span in spans), tuple(walked[::-1]))


def _heaviest(spans: Sequence[Span]) -> list[Span]:
    """The heaviest spans of a connected piece that can be walked in one go."""
    degree: dict[int, int] = {}
    for span in spans:
        degree[span.a] = degree.get(span.a, 0) + 1
        degree[span.b] = degree.get(span.b, 0) + 1
    if sum(count % 2 for count in degree.values()) <= 2:
        return list(spans)
    return _Search(spans, degree).run()


class _Search:
    """Decides step after step what to keep, always going on with the smallest loss."""

    def __init__(self, spans: Sequence[Span], degree: dict[int, int]) -> None:
        bit = {city: 1 << index for index, city in enumerate(degree)}
        self.steps = _plan(spans, bit)
        self.odd = sum(bit[city] for city, count in degree.items() if count % 2)
        self.later = [
            sum(step.span.length for step in self.steps[n:]) for n in range(len(spans) + 1)
        ]
        self.known: dict[tuple[int, int, int], int] = {}

    def run(self) -> list[Span]:
        """The estimate is never too high, so the first plan that comes up complete is best."""
        start = Mark(0, self.odd, 0, ())
        heap = [(self.estimate(0, self.odd, 0), 0, 0, start, 0)]
        least = {start: 0}
        while True:
            _, depth, loss, mark, kept = heappop(heap)
            if mark.step == len(self.steps):
                return [step.span for n, step in enumerate(self.steps) if kept >> n & 1]
            for more, after, keeps in self.choices(mark):
                total = loss + more
                if total < least.get(after, HOPELESS):
                    least[after] = total
                    guess = total + self.estimate(*after[:3])
                    heappush(heap, (guess, -after.step, total, after, kept | keeps << mark.step))

    def choices(self, mark: Mark) -> Iterator[tuple[int, Mark, int]]:
        """What keeping and dropping the next span loses, where it leads, and whether it keeps."""
        step = self.steps[mark.step]
        joined = [part for part in mark.parts if not part & step.cities]
        joined.append(sum(part for part in mark.parts if part & step.cities) | step.cities)
        for keeps, loss, odd, parts in (
            (1, 0, mark.odd, joined),
            (0, step.span.length, mark.odd ^ step.toggles, mark.parts),
        ):
            stuck = odd & step.closing
            ends = mark.ends + stuck.bit_count()
            if ends > 2 or stuck & ~self.odd:
                continue
            left = sorted(part & ~step.closing for part in parts)
            if not left or left[0]:
                yield loss, Mark(mark.step + 1, odd ^ stuck, ends, tuple(left)), keeps
            elif len(left) == 1:
                # The trail is complete: nothing more can hang together with it.
                yield loss + self.later[mark.step + 1], Mark(len(self.steps), 0, 2, ()), keeps

    def estimate(self, index: int, odd: int, ends: int) -> int:
        """The least further loss if the kept spans did not have to hang together."""
        if index == len(self.steps):
            return 0
        key = (index, odd, ends)
        found = self.known.get(key)
        if found is not None:
            return found
        step = self.steps[index]
        least = self.closed(index, odd, ends)
        other = odd ^ step.toggles
        # A dropped span helps two odd cities at most, and two may stay odd as ends.
        if step.span.length + max(0, (other.bit_count() + ends - 1) // 2) < least:
            least = min(least, step.span.length + self.closed(index, other, ends))
        self.known[key] = least
        return least

    def closed(self, index: int, odd: int, ends: int) -> int:
        """An end has used up its spans, or the trail could go on, so it was odd to begin with."""
        stuck = odd & self.steps[index].closing
        ends += stuck.bit_count()
        if ends > 2 or stuck & ~self.odd:
            return HOPELESS
        return self.estimate(index + 1, odd ^ stuck, ends)


def _plan(spans: Sequence[Span], bit: dict[int, int]) -> list[Step]:
    """Steps in an order that keeps few cities open at a time: the best of one try per city."""
    near = dict.fromkeys(bit.values(), 0)
    for span in spans:
        near[bit[span.a]] |= bit[span.b]
        near[bit[span.b]] |= bit[span.a]
    order: list[int] = []
    cheapest = HOPELESS**2
    for start in near:
        cost, found = _sweep(start, near, cheapest)
        if cost < cheapest:
            cheapest, order = cost, found
    rank = {city: index for index, city in enumerate(order)}
    ends = [(bit[span.a], bit[span.b]) for span in spans]
    queue = sorted(range(len(spans)), key=lambda n: sorted((rank[ends[n][0]], rank[ends[n][1]])))
    steps: list[Step] = []
    open_later = 0
    for n in reversed(queue):
        a, b = ends[n]
        steps.append(Step(spans[n], a | b, a ^ b, (a | b) & ~open_later))
        open_later |= a | b
    return steps[::-1]


def _sweep(start: int, near: dict[int, int], most: int) -> tuple[int, list[int]]:
    """Goes on with the open city that leaves fewest open; gives up when it costs too much."""
    done, open_cities, cost = 0, start, 0
    order: list[int] = []
    while open_cities and cost < most:
        best, fewest = 0, HOPELESS
        for city in _bits(open_cities):
            left = ((open_cities | near[city]) & ~done & ~city).bit_count()
            if left < fewest:
                best, fewest = city, left
        order.append(best)
        done |= best
        open_cities = (open_cities | near[best]) & ~done
        cost += 3**fewest
    return cost, order


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low
        mask ^= low
