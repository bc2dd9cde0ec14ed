from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from engine.ticket_completion import BestLinks, Want, best_links
from engine.trails import Edge
from service.boards.atlas import board


class Position(NamedTuple):
    """Everything that the choice depends on."""

    own: list[Edge]
    wants: list[Want]
    lent: list[list[Edge]]


def _edges(*routes: str) -> list[Edge]:
    """Edges from routes written `a-b`, which is also their id."""
    ends = {route: route.partition("-") for route in routes}
    return [Edge(route, a, b, 2) for route, (a, _, b) in ends.items()]


def _want(ticket: str, points: int) -> Want:
    """A ticket written `a-b`, which is also its id; `a-b|c` if either of two cities will do."""
    a, b = (tuple(end.split("|")) for end in ticket.split("-"))
    return Want(ticket, a, b, points)


def _is_joined(edges: Sequence[Edge], want: Want) -> bool:
    reached: set[str] = set()
    fresh = set(want.a)
    while fresh:
        reached |= fresh
        fresh = {
            there
            for edge in edges
            for here, there in ((edge.a, edge.b), (edge.b, edge.a))
            if here in reached and there not in reached
        }
    return not reached.isdisjoint(want.b)


def _total(completed: Sequence[Want], wants: Sequence[Want]) -> int:
    return sum(want.points if want in completed else -want.points for want in wants)


def _tried_out(position: Position) -> tuple[int, int, int]:
    """The best total, number of tickets and number of unused stations, by brute force."""
    values = []
    for picks in product(*([None, *edges] for edges in position.lent)):
        edges = [*position.own, *(pick for pick in picks if pick)]
        completed = [want for want in position.wants if _is_joined(edges, want)]
        values.append((_total(completed, position.wants), len(completed), picks.count(None)))
    return max(values)


def _late_positions(name: str, number: int) -> Iterator[Position]:
    """Random late positions: own routes, tickets, and stations in cities that others reach."""
    luck = Random(name)
    map_ = board(name)
    routes = [Edge(route.id, *route.cities, route.length) for route in map_.routes.values()]
    wants = [Want(ticket.id, *ticket.cities, ticket.points) for ticket in map_.tickets.values()]
    for _ in range(number):
        luck.shuffle(routes)
        mine = luck.randint(0, 30)
        others = routes[mine : mine + luck.randint(0, 60)]
        busy = sorted({city for edge in others for city in (edge.a, edge.b)})
        stations = luck.sample(busy, min(len(busy), luck.randint(0, 3)))
        lent = [[edge for edge in others if city in (edge.a, edge.b)] for city in stations]
        yield Position(routes[:mine], luck.sample(wants, luck.randint(0, 12)), lent)


@pytest.mark.parametrize(("name", "number"), [("usa", 500), ("europe", 3000), ("uk", 1000)])
def test_none_is_better(name: str, number: int) -> None:
    """No other choice has a higher total, more tickets or fewer borrowed routes (R-STA-8)."""
    for position in _late_positions(name, number):
        choice = best_links(*position)
        value = (choice.total, len(choice.completed), choice.borrowed.count(None))

        assert _tried_out(position) == value, position


@pytest.mark.parametrize("name", ["europe", "uk"])
def test_choice_keeps_its_word(name: str) -> None:
    """Own and borrowed routes join exactly the completed tickets, in their order (R-STA-6)."""
    for position in _late_positions(name, 500):
        total, completed, borrowed = best_links(*position)
        taken = [edge for edges in position.lent for edge in edges if edge.route in borrowed]
        joined = [want for want in position.wants if _is_joined([*position.own, *taken], want)]

        assert tuple(want.ticket for want in joined) == completed, position
        assert _total(joined, position.wants) == total, position


def test_each_station_lends_from_its_own_list() -> None:
    """Each station borrows nothing, or one of the routes at that station (R-STA-5)."""
    for position in _late_positions("europe", 500):
        for edges, route in zip(position.lent, best_links(*position).borrowed, strict=True):
            assert route in {None, *(edge.route for edge in edges)}, position


def test_joined_counts_for_and_gap_against() -> None:
    """A ticket counts for its owner if routes join its cities, otherwise against (R-TKT-1)."""
    wants = [_want("a-c", 7), _want("a-d", 4)]

    assert BestLinks(3, ("a-c",), ()) == best_links(_edges("a-b", "b-c", "d-e"), wants, [])


def test_nothing_to_do() -> None:
    """Without tickets the total is 0, and nothing is borrowed (R-STA-8)."""
    assert BestLinks(0, (), (None,)) == best_links(_edges("a-b"), [], [_edges("b-c")])


@pytest.mark.parametrize("route", ["dover-calais", "southampton-dieppe"])
def test_any_city_of_a_place_will_do(route: str) -> None:
    """A ticket to France is completed by reaching either terminus (R-UK-12)."""
    own = _edges("london-dover", "london-southampton", route)
    france = _want("london-calais|dieppe", 5)

    assert BestLinks(5, ("london-calais|dieppe",), ()) == best_links(own, [france], [])


def test_a_place_joins_nothing() -> None:
    """The two termini of a place are not joined to each other (R-UK-12)."""
    own = _edges("dover-calais", "southampton-dieppe")
    wants = [_want("dover-calais|dieppe", 5), _want("dover-southampton", 3)]

    assert BestLinks(2, ("dover-calais|dieppe",), ()) == best_links(own, wants, [])


def test_borrowed_route_closes_a_gap() -> None:
    """A station lets its owner use a route of another seat for a ticket (R-STA-5)."""
    choice = best_links(_edges("a-b", "c-d"), [_want("a-d", 9)], [_edges("b-x", "b-c")])

    assert BestLinks(9, ("a-d",), ("b-c",)) == choice


def test_one_route_serves_several_tickets() -> None:
    """One borrowed route counts for all tickets of its owner (R-STA-6)."""
    wants = [_want("a-c", 4), _want("b-c", 3), _want("b-d", 5)]

    choice = best_links(_edges("a-b"), wants, [_edges("b-d", "b-c")])

    assert BestLinks(2, ("a-c", "b-c"), ("b-c",)) == choice


def test_not_one_route_for_each_ticket() -> None:
    """A station lends one route, not one for each ticket (R-STA-6)."""
    wants = [_want("a-c", 4), _want("a-d", 5)]

    assert BestLinks(1, ("a-d",), ("a-d",)) == best_links([], wants, [_edges("a-c", "a-d")])


def test_stations_work_together() -> None:
    """Several stations may be combined in one ticket (R-STA-7)."""
    lent = [_edges("a-x", "a-b"), _edges("c-x", "c-b"), _edges("d-y", "d-c")]

    assert BestLinks(8, ("a-d",), ("a-x", "c-x", "d-c")) == best_links([], [_want("a-d", 8)], lent)


def test_more_tickets_at_the_same_total() -> None:
    """Of two choices with the same total, the one with more tickets wins (R-STA-8)."""
    wants = [_want("a-c", 8), _want("a-d", 5), _want("b-d", 3)]

    choice = best_links(_edges("a-b"), wants, [_edges("b-c", "b-d")])

    assert BestLinks(0, ("a-d", "b-d"), ("b-d",)) == choice


def test_first_of_equals() -> None:
    """Of two choices that are equal in everything, the one listed first wins (R-STA-8)."""
    wants = [_want("a-c", 4), _want("a-d", 4)]

    assert ("a-d",) == best_links([], wants, [_edges("a-d", "a-c")]).borrowed


def test_first_of_two_tracks() -> None:
    """Of two routes that join the same cities, the one listed first is borrowed (R-STA-8)."""
    assert ("b-a",) == best_links([], [_want("a-b", 4)], [_edges("b-a", "a-b")]).borrowed


def test_fewest_routes() -> None:
    """One borrowed route is better than two that do the same (R-STA-8)."""
    lent = [_edges("a-x"), _edges("x-b"), _edges("b-a")]

    assert (None, None, "b-a") == best_links([], [_want("a-b", 4)], lent).borrowed


def test_idle_station_borrows_nothing() -> None:
    """Of two stations that could help, one borrows and the other does not (R-STA-8)."""
    lent = [_edges("a-b", "a-c"), _edges("b-a", "b-d")]

    assert BestLinks(6, ("a-b",), ("a-b", None)) == best_links([], [_want("a-b", 6)], lent)


def test_completed_needs_no_loan() -> None:
    """A ticket that own routes complete borrows nothing (R-STA-5)."""
    choice = best_links(_edges("a-b", "b-c"), [_want("a-c", 6)], [_edges("a-c"), _edges("b-c")])

    assert BestLinks(6, ("a-c",), (None, None)) == choice


def test_lonely_station_lends_nothing() -> None:
    """A station in a city that no other seat has reached borrows nothing (R-STA-5)."""
    assert BestLinks(-6, (), (None,)) == best_links(_edges("a-b"), [_want("a-c", 6)], [[]])
