"""Which tickets are completed, and which routes are best borrowed for them (R-TKT-1, R-STA-8).

Sets of cities are bit masks; a group is a set of cities that are connected with each other.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from engine.trails import Edge

Groups = tuple[int, ...]
Picks = tuple[str | None, ...]


class Want(NamedTuple):
    """A ticket to be completed; any city of a tuple counts as that end (R-UK-12)."""

    ticket: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    points: int


class BestLinks(NamedTuple):
    """The best choice of borrowed routes, and what it completes."""

    total: int
    completed: tuple[str, ...]
    borrowed: Picks


class _Aim(NamedTuple):
    """A want as bit masks: its own bit in a set of wants, and the cities of both ends."""

    want: int
    a: int
    b: int


def best_links(
    own: Iterable[Edge], wants: Sequence[Want], lent: Sequence[Sequence[Edge]]
) -> BestLinks:
    """The best ticket total, with at most one borrowed route from each lent list.

    Of equal totals the one with the most tickets is best (R-STA-8), then the one with the fewest
    borrowed routes, then the one that is listed first.
    """
    bits: dict[str, int] = {}
    groups: list[int] = []
    for _, a, b, _ in own:
        groups = _joined(groups, _mask((a, b), bits))
    aims = [_Aim(1 << n, _mask(want.a, bits), _mask(want.b, bits)) for n, want in enumerate(wants)]
    done = _reached(groups, aims)
    borrowed: Picks = (None,) * len(lent)
    missing = [aim for aim in aims if not aim.want & done]
    if missing and lent:
        offers = _offers(lent, bits, groups, missing)
        more, borrowed = _best_picks(offers, missing, [want.points for want in wants])
        done |= more
    completed = [want for n, want in enumerate(wants) if done >> n & 1]
    total = 2 * sum(want.points for want in completed) - sum(want.points for want in wants)
    return BestLinks(total, tuple(want.ticket for want in completed), borrowed)


def _mask(cities: Iterable[str], bits: dict[str, int]) -> int:
    mask = 0
    for city in cities:
        mask |= bits.setdefault(city, 1 << len(bits))
    return mask


def _joined(groups: Iterable[int], link: int) -> list[int]:
    """The groups after a link has merged all those it touches."""
    joined = []
    for group in groups:
        if group & link:
            link |= group
        else:
            joined.append(group)
    joined.append(link)
    return joined


def _reached(groups: Iterable[int], aims: Sequence[_Aim]) -> int:
    """The wants that any of the groups fulfils, as a bit mask."""
    return reduce(
        or_, (want for group in groups for want, a, b in aims if group & a and group & b), 0
    )


def _offers(
    lent: Sequence[Sequence[Edge]],
    bits: dict[str, int],
    groups: Sequence[int],
    missing: Sequence[_Aim],
) -> list[dict[int, str]]:
    """For each lent list the groups that it can join, as one mask, with the first route for it.

    A route is left out if one of its ends is neither wanted nor touched by another list.
    """
    sides = [
        [
            (route, _grown(groups, _mask((a,), bits)), _grown(groups, _mask((b,), bits)))
            for route, a, b, _ in edges
        ]
        for edges in lent
    ]
    touched = [reduce(or_, (a | b for _, a, b in routes), 0) for routes in sides]
    ends = reduce(or_, (aim.a | aim.b for aim in missing))
    offers = []
    for n, routes in enumerate(sides):
        useful = reduce(or_, touched[:n] + touched[n + 1 :], ends)
        offer: dict[int, str] = {}
        for route, a, b in routes:
            if a != b and a & useful and b & useful:
                offer.setdefault(a | b, route)
        offers.append(offer)
    return offers


def _grown(groups: Iterable[int], city: int) -> int:
    """The group that contains the city, or the city alone."""
    return next((group for group in groups if group & city), city)


def _best_picks(
    offers: Sequence[Mapping[int, str]], missing: Sequence[_Aim], points: Sequence[int]
) -> tuple[int, Picks]:
    """The wants that the best picks fulfil, as a bit mask, and these picks."""
    best = (0, 0, len(offers))
    chosen: tuple[int, Picks] = (0, (None,) * len(offers))
    known: dict[int, int] = {}
    for groups, picks in _all_picks(offers).items():
        done = 0
        for group in groups:
            if group not in known:
                known[group] = _reached((group,), missing)
            done |= known[group]
        value = (
            sum(points[n] for n in range(len(points)) if done >> n & 1),
            done.bit_count(),
            picks.count(None),
        )
        if value > best:
            best, chosen = value, (done, picks)
    return chosen


def _all_picks(offers: Sequence[Mapping[int, str]]) -> dict[Groups, Picks]:
    """Every set of groups that can be joined, with the first picks that join it.

    None is tried before any route, so of equal results the one with the fewest routes is kept.
    """
    by_groups: dict[Groups, Picks] = {(): ()}
    for offer in offers:
        longer: dict[Groups, Picks] = {
            groups: (*picks, None) for groups, picks in by_groups.items()
        }
        for groups, picks in by_groups.items():
            for link, route in offer.items():
                longer.setdefault(tuple(sorted(_joined(groups, link))), (*picks, route))
        by_groups = longer
    return by_groups
