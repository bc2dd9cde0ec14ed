"""The longest trail in a network: each route once, each city any number of times (R-LONG-1).

Trees are stripped off first, so that only cities on or between cycles are left.
In the rest we search for the routes to leave out, not for the walk itself.
The routes that are kept can be walked in one go if and only if they are connected
and at most two cities have an odd number of them (Euler).
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

HOPELESS = 1 << 30
"""A loss greater than that of any network."""

CHEAP = 20
"""Stop looking for a better order of steps when the cost per city is below this."""


class Edge(NamedTuple):
    route: str
    a: str
    b: str
    length: int


class Trail(NamedTuple):
    length: int
    routes: tuple[str, ...]


class Span(NamedTuple):
    """Routes that are walked together or not at all, in order from a to b."""

    length: int
    a: str
    b: str
    routes: tuple[str, ...]


Near = dict[str, list[Span]]
"""The spans at each city."""


class Step(NamedTuple):
    """The choice to keep or drop a span; it closes the cities that no later step touches.

    Sets of cities are bit masks.
    """

    span: Span
    cities: int
    toggles: int
    closing: int


class Node(NamedTuple):
    """A node of the search: what later steps need to know about the steps decided so far.

    `odd`: the cities with an odd number of spans if all undecided spans were kept.
    `ends`: how many odd cities are closed, which makes them ends of the trail.
    `parts`: how the kept spans are connected, as sets of cities that are not closed.
    """

    step: int
    odd: int
    ends: int
    parts: tuple[int, ...]


def longest_trail(edges: Iterable[Edge]) -> Trail:
    """The longest trail anywhere in the network, its routes in walking order (R-LONG-2)."""
    near: Near = {}
    for route, a, b, length in edges:
        span = Span(length, a, b, (route,))
        near.setdefault(a, []).append(span)
        near.setdefault(b, []).append(span)
    best = _strip_trees(near)
    while near:
        piece = _take_piece(near)
        spans = _spans(piece)
        if sum(len(spans_here) % 2 for spans_here in piece.values()) > 2:
            _merge_rows(piece)
            spans = _Search(piece).run()
        best = max(best, _walk(spans))
    return best


def _strip_trees(near: Near) -> Trail:
    """Remove everything with a loose end, and return the longest trail in what was removed.

    A trail that enters a tree ends there, so only the longest way into each tree matters.
    Of the trees at one city only two matter, one for each end of the trail.
    Cities that remain get these ways back, each as a single span.
    """
    ways: Near = {}
    loose = [city for city, spans in near.items() if len(spans) == 1]
    while loose:
        city = loose.pop()
        for span in near.pop(city):
            length, _, end, routes = ways[city][0] if city in ways else (0, city, city, ())
            other = span.b if span.a == city else span.a
            way = Span(span.length + length, other, end, span.routes + routes)
            ways[other] = sorted((way, *ways.get(other, ())), reverse=True)[:2]
            near[other].remove(span)
            if len(near[other]) == 1:
                loose.append(other)
    for city in [city for city in ways if city in near]:
        near[city] += ways[city]
        near.update({way.b: [way] for way in ways[city]})
    return _walk(max(ways.values(), key=lambda pair: sum(way.length for way in pair), default=[]))


def _take_piece(near: Near) -> Near:
    """Remove the first city and everything connected with it, and return it."""
    piece: Near = {}
    reached = [next(iter(near))]
    while reached:
        city = reached.pop()
        if city in near:
            piece[city] = near.pop(city)
            reached += [end for span in piece[city] for end in (span.a, span.b)]
    return piece


def _merge_rows(piece: Near) -> None:
    """Merge two spans that meet in a city without others: a trail that ended there could go on."""
    for city in [city for city, spans in piece.items() if len(spans) == 2]:
        first, second = piece.pop(city)
        (_, _, a, back), (_, _, b, forth) = _seen_from(city, first), _seen_from(city, second)
        row = Span(first.length + second.length, a, b, back[::-1] + forth)
        piece[a].remove(first)
        piece[b].remove(second)
        piece[a].append(row)
        piece[b].append(row)


def _seen_from(city: str, span: Span) -> Span:
    return span if span.a == city else Span(span.length, city, span.a, span.routes[::-1])


def _spans(piece: Near) -> list[Span]:
    """Each span once; a span that returns to its city is listed there twice."""
    return list(dict.fromkeys(span for spans in piece.values() for span in spans))


def _walk(spans: Sequence[Span]) -> Trail:
    """Walk all spans in one go (Hierholzer), starting in a city that must be an end."""
    near: Near = {}
    for span in spans:
        near.setdefault(span.a, []).append(span)
        near.setdefault(span.b, []).append(span)
    starts = [city for city, spans_here in near.items() if len(spans_here) % 2] or list(near)
    used: set[Span] = set()
    path: list[tuple[str, Span | None]] = [(city, None) for city in starts[:1]]
    walked: list[str] = []
    while path:
        city, came = path[-1]
        ways = near[city]
        while ways and ways[-1] in used:
            ways.pop()
        if ways:
            span = ways.pop()
            used.add(span)
            path.append((span.b if span.a == city else span.a, span))
        else:
            path.pop()
            if came:
                walked.extend(came.routes if came.a == city else came.routes[::-1])
    return Trail(sum(span.length for span in spans), tuple(walked))


class _Search:
    """A* search for the spans to keep: always continues with the smallest expected loss."""

    def __init__(self, piece: Near) -> None:
        bit = {city: 1 << index for index, city in enumerate(piece)}
        self.steps = _plan(piece, bit)
        self.odd = sum(bit[city] for city, spans in piece.items() if len(spans) % 2)
        self.later = [
            sum(step.span.length for step in self.steps[n:]) for n in range(len(self.steps) + 1)
        ]
        self.known = {(len(self.steps), 0, ends): 0 for ends in (0, 1, 2)}

    def run(self) -> list[Span]:
        """The spans of the longest trail.

        The estimate is never too high, so the first complete plan is the best one.
        """
        start = Node(0, self.odd, 0, ())
        heap = [(self.estimate(0, self.odd, 0), 0, 0, start, 0)]
        least = {start: 0}
        while True:
            _, _, loss, node, kept = heappop(heap)
            if node.step == len(self.steps):
                return [step.span for n, step in enumerate(self.steps) if kept >> n & 1]
            for more, after, keeps in self.choices(node):
                total = loss + more
                if total >= least.get(after, HOPELESS):
                    continue
                least[after] = total
                guess = total + self.estimate(after.step, after.odd, after.ends)
                if guess < HOPELESS:
                    heappush(heap, (guess, -after.step, total, after, kept | keeps << node.step))

    def choices(self, node: Node) -> Iterator[tuple[int, Node, int]]:
        """For keeping and for dropping the next span: the loss, the next node, and 1 if kept."""
        step = self.steps[node.step]
        joined, apart = step.cities, []
        for part in node.parts:
            if part & step.cities:
                joined |= part
            else:
                apart.append(part)
        for keeps, loss, odd, parts in (
            (1, 0, node.odd, [*apart, joined]),
            (0, step.span.length, node.odd ^ step.toggles, node.parts),
        ):
            # An end has used up its spans, or the trail could go on, so it was odd at first.
            stuck = odd & step.closing
            ends = node.ends + stuck.bit_count()
            if ends > 2 or stuck & ~self.odd:
                continue
            left = sorted([part & ~step.closing for part in parts])
            if not left or left[0]:
                yield loss, Node(node.step + 1, odd ^ stuck, ends, tuple(left)), keeps
            elif len(left) == 1:
                # The trail is complete: nothing more can be connected with it.
                yield loss + self.later[node.step + 1], Node(len(self.steps), 0, 2, ()), keeps

    def estimate(self, index: int, odd: int, ends: int) -> int:
        """The least further loss if the kept spans did not have to be connected."""
        key = (index, odd, ends)
        known = self.known.get(key)
        if known is not None:
            return known
        step = self.steps[index]
        least = HOPELESS
        for loss, now in ((0, odd), (step.span.length, odd ^ step.toggles)):
            # A dropped span helps two odd cities at most, and two may stay odd as ends.
            if loss + (now.bit_count() + ends) // 2 - 1 < least:
                stuck = now & step.closing
                ended = ends + stuck.bit_count()
                if ended <= 2 and not stuck & ~self.odd:
                    least = min(least, loss + self.estimate(index + 1, now ^ stuck, ended))
        self.known[key] = least
        return least


def _plan(piece: Near, bit: dict[str, int]) -> list[Step]:
    """The steps in an order that keeps few cities open at a time."""
    near = {
        bit[city]: sum({bit[end] for span in spans for end in (span.a, span.b)}) & ~bit[city]
        for city, spans in piece.items()
    }
    order: list[int] = []
    cheapest = HOPELESS**2
    for start in sorted(near, key=lambda city: near[city].bit_count()):
        cost, sweep = _sweep(start, near, cheapest)
        if cost < cheapest:
            cheapest, order = cost, sweep
        if cheapest < CHEAP * len(near):
            break
    rank = {city: index for index, city in enumerate(order)}
    queue: list[tuple[int, int, Span]] = []
    for span in _spans(piece):
        a, b = rank[bit[span.a]], rank[bit[span.b]]
        queue.append((min(a, b), max(a, b), span))
    steps: list[Step] = []
    open_later = 0
    for first, second, span in sorted(queue, reverse=True):
        a, b = order[first], order[second]
        steps.append(Step(span, a | b, a ^ b, (a | b) & ~open_later))
        open_later |= a | b
    return steps[::-1]


def _sweep(start: int, near: dict[int, int], most: int) -> tuple[int, list[int]]:
    """Order the cities so that each leaves the fewest open; stop early above a cost of `most`."""
    rest = dict(near)
    order = [start]
    open_cities = rest.pop(start)
    done, cost = start, 0
    while rest and cost < most:
        best, fewest = 0, HOPELESS
        for city, others in rest.items():
            left = ((open_cities | others) & ~(done | city)).bit_count()
            if left < fewest:
                best, fewest = city, left
        order.append(best)
        done |= best
        open_cities = (open_cities | rest.pop(best)) & ~done
        cost += 3**fewest
    return cost, order
