"""The longest trail in a network: no route twice, any city as often as one likes (R-LONG-1).

Trees are stripped off first, until only cities on or between circles are left.
There it is the routes left out that are searched for, not the walk.
What is kept can be walked in one go exactly when it hangs together
and at most two cities have an odd number of kept routes (Euler).
"""

from collections.abc import Iterable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

HOPELESS = 1 << 30
"""More than any network can lose."""

CHEAP = 20
"""A plan that costs no more for each city is good enough."""


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

    length: int
    a: str
    b: str
    routes: tuple[str, ...]


Near = dict[str, list[Span]]
"""The spans at each city."""


class Step(NamedTuple):
    """A span to keep or to drop; it closes the cities that no later step touches.

    Every set of cities is a bit mask.
    """

    span: Span
    cities: int
    toggles: int
    closing: int


class Mark(NamedTuple):
    """All that matters of the steps decided so far to those still to come.

    `odd`: the cities with an odd number of spans if all that is undecided were kept.
    `ends`: how many odd cities are closed, which makes them ends of the trail.
    `parts`: how the kept spans hang together, as sets of cities that are not closed.
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
        if sum(len(some) % 2 for some in piece.values()) > 2:
            _merge_rows(piece)
            spans = _Search(piece).run()
        best = max(best, _walk(spans))
    return best


def _strip_trees(near: Near) -> Trail:
    """Takes away whatever has a loose end, and returns the longest trail in what it took.

    A trail that goes up a tree ends there, so of each tree only the longest way up matters.
    Of the trees at one city only two matter, one for each end of the trail.
    Cities that are left get these ways back, each as a single span.
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
    """Takes away the first city and all that hangs together with it."""
    piece: Near = {}
    found = [next(iter(near))]
    while found:
        city = found.pop()
        if city in near:
            piece[city] = near.pop(city)
            found += [end for span in piece[city] for end in (span.a, span.b)]
    return piece


def _merge_rows(piece: Near) -> None:
    """Makes one span of two that meet alone: a trail that ends between them could go on."""
    for city in [city for city, spans in piece.items() if len(spans) == 2]:
        one, two = piece.pop(city)
        (_, _, a, back), (_, _, b, forth) = _seen_from(city, one), _seen_from(city, two)
        row = Span(one.length + two.length, a, b, back[::-1] + forth)
        piece[a].remove(one)
        piece[b].remove(two)
        piece[a].append(row)
        piece[b].append(row)


def _seen_from(city: str, span: Span) -> Span:
    return span if span.a == city else Span(span.length, city, span.a, span.routes[::-1])


def _spans(piece: Near) -> list[Span]:
    """Each span once; one that comes back to its city stands there twice."""
    return list(dict.fromkeys(span for spans in piece.values() for span in spans))


def _walk(spans: Sequence[Span]) -> Trail:
    """Walks all spans in one go (Hierholzer), from a city that has to be an end."""
    near: Near = {}
    for span in spans:
        near.setdefault(span.a, []).append(span)
        near.setdefault(span.b, []).append(span)
    starts = [city for city, some in near.items() if len(some) % 2] or list(near)
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
    """Decides step after step what to keep, always going on with the smallest loss."""

    def __init__(self, piece: Near) -> None:
        bit = {city: 1 << index for index, city in enumerate(piece)}
        self.steps = _plan(piece, bit)
        self.odd = sum(bit[city] for city, spans in piece.items() if len(spans) % 2)
        self.later = [
            sum(step.span.length for step in self.steps[n:]) for n in range(len(self.steps) + 1)
        ]
        self.known = {(len(self.steps), 0, ends): 0 for ends in (0, 1, 2)}

    def run(self) -> list[Span]:
        """The estimate is never too high, so the first plan that comes up complete is best."""
        start = Mark(0, self.odd, 0, ())
        heap = [(self.estimate(0, self.odd, 0), 0, 0, start, 0)]
        least = {start: 0}
        while True:
            _, _, loss, mark, kept = heappop(heap)
            if mark.step == len(self.steps):
                return [step.span for n, step in enumerate(self.steps) if kept >> n & 1]
            for more, after, keeps in self.choices(mark):
                total = loss + more
                if total >= least.get(after, HOPELESS):
                    continue
                least[after] = total
                guess = total + self.estimate(after.step, after.odd, after.ends)
                if guess < HOPELESS:
                    heappush(heap, (guess, -after.step, total, after, kept | keeps << mark.step))

    def choices(self, mark: Mark) -> Iterator[tuple[int, Mark, int]]:
        """What keeping and dropping the next span loses, where it leads, and whether it keeps."""
        step = self.steps[mark.step]
        joined, apart = step.cities, []
        for part in mark.parts:
            if part & step.cities:
                joined |= part
            else:
                apart.append(part)
        for keeps, loss, odd, parts in (
            (1, 0, mark.odd, [*apart, joined]),
            (0, step.span.length, mark.odd ^ step.toggles, mark.parts),
        ):
            # An end has used up its spans, or the trail could go on, so it was odd at first.
            stuck = odd & step.closing
            ends = mark.ends + stuck.bit_count()
            if ends > 2 or stuck & ~self.odd:
                continue
            left = sorted([part & ~step.closing for part in parts])
            if not left or left[0]:
                yield loss, Mark(mark.step + 1, odd ^ stuck, ends, tuple(left)), keeps
            elif len(left) == 1:
                # The trail is complete: nothing more can hang together with it.
                yield loss + self.later[mark.step + 1], Mark(len(self.steps), 0, 2, ()), keeps

    def estimate(self, index: int, odd: int, ends: int) -> int:
        """The least further loss if the kept spans did not have to hang together."""
        key = (index, odd, ends)
        found = self.known.get(key)
        if found is not None:
            return found
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
    """Steps in an order that keeps few cities open at a time."""
    near = {
        bit[city]: sum({bit[end] for span in spans for end in (span.a, span.b)}) & ~bit[city]
        for city, spans in piece.items()
    }
    order: list[int] = []
    cheapest = HOPELESS**2
    for start in sorted(near, key=lambda city: near[city].bit_count()):
        cost, found = _sweep(start, near, cheapest)
        if cost < cheapest:
            cheapest, order = cost, found
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
    """Goes on with the city that leaves fewest open; gives up when it costs too much."""
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
