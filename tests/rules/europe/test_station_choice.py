"""Compares the routes that stations borrow with every other choice (R-STA-8)."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import pytest

from engine import Chance, State
from engine.play import Play
from engine.rules.routes import Network, routes
from engine.rules.stations import Stations, stations
from engine.rules.tickets import tickets
from engine.rules.turns import GameEnded, finish
from engine.values import Result, Route, Ticket
from service.boards.atlas import ruleset


def late_position(number: int) -> State:
    """A board late in a game: most trains are laid, stations stand, tickets are held."""
    rng, rules = random.Random(number), ruleset("europe", (), 3)
    owners: dict[str, tuple[int, ...]] = {}
    left, closed = [45, 45, 45], set()
    for route in rng.sample(list(rules.board.routes.values()), len(rules.board.routes)):
        seat = rng.randrange(3)
        if route.length <= left[seat] and route.id not in closed:
            owners[route.id] = (seat,)
            left[seat] -= route.length
            closed.add(route.twin)
    cities = rng.sample(list(rules.board.cities), 9)
    dealt = rng.sample(list(rules.board.tickets), 24)
    parts = {
        "routes": Network(owners, tuple(left), (0, 0, 0)),
        "stations": Stations(tuple(tuple(cities[seat * 3 :][:3]) for seat in range(3))),
        "tickets": tickets.part(rules.initial)._replace(
            held=tuple(tuple(dealt[seat * 8 :][:8]) for seat in range(3))
        ),
    }
    return State((), rules.initial.parts | parts)


def scored(state: State) -> Sequence[Result]:
    """What the game itself makes of a position."""
    play = Play(ruleset("europe", (), 3), state, Chance(b"", "", 0))
    finish(play, "last_round")
    assert isinstance(play.events[0], GameEnded)
    return play.events[0].results


def joined(ticket: Ticket, used: Iterable[Route]) -> bool:
    """Whether one can walk from end to end, found by walking."""
    reached, grown = {ticket.ends[0]}, True
    some = [set(route.cities) for route in used]
    while grown:
        more = {city for pair in some if pair & reached for city in pair} - reached
        reached |= more
        grown = bool(more)
    return ticket.ends[1] in reached


def every_choice(state: State, seat: int) -> Iterator[tuple[int, int]]:
    """Ticket total and completed tickets for every way to use a seat's stations."""
    board, owners = ruleset("europe", (), 3).board, routes.part(state).owners
    mine = [board.routes[id] for id, seats in owners.items() if seat in seats]
    others = [board.routes[id] for id, seats in owners.items() if seat not in seats]
    held = [board.tickets[id] for id in tickets.part(state).held[seat]]
    for picked in product(
        *(
            [None, *(route for route in others if city in route.cities)]
            for city in stations.part(state).built[seat]
        )
    ):
        used = [*mine, *filter(None, picked)]
        done = [ticket.points for ticket in held if joined(ticket, used)]
        yield 2 * sum(done) - sum(ticket.points for ticket in held), len(done)


@pytest.mark.parametrize("batch", range(20))
def test_no_choice_of_routes_is_better_than_the_one_scored(batch: int) -> None:
    """In fifty late positions no other choice of borrowed routes scores more (R-STA-8)."""
    for number in range(50 * batch, 50 * (batch + 1)):
        state = late_position(number)
        for seat, result in enumerate(scored(state)):
            points = [line.points for line in result.lines if line.kind.startswith("tickets")]
            assert max(every_choice(state, seat)) == (sum(points), len(result.completed))
