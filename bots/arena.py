"""Games between bots: paired seeds, rotated seats, and who is stronger by how much.

A clock is handed in by whoever wants decisions to be timed; there is none in this room.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from bots.player import Bot
from engine import Chance, Event, Ruleset, State, begin, decide, evolve, secret_of, seen_by
from engine.rules.turns import GameEnded
from engine.values import Result, Seat

Clock = Callable[[], float]
Watch = Callable[[int, tuple[Event, ...]], None]
"""Told before every question how many moves were made, and what the last one brought about."""

LONGEST = 10_000
"""Bots take some hundred moves for a game; one that takes so many will never end."""


class Endless(Exception):
    """A game does not come to an end."""


class Entrant(NamedTuple):
    """Somebody who takes part: a house bot, or whoever is reached by a function of this kind."""

    name: str
    bot: Bot


class Match(NamedTuple):
    """One game to be played: who sits where, and the number its draws follow from."""

    number: int
    seated: tuple[Entrant, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entrant.name for entrant in self.seated)


class Score(NamedTuple):
    """What came of a game."""

    number: int
    names: tuple[str, ...]
    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    moves: int
    times: tuple[tuple[float, ...], ...]
    """What each seat's decisions took, if there was a clock."""


class Sitting(NamedTuple):
    """A game under way: the full state, which only chance sees, and each seat's view."""

    state: State
    views: tuple[State, ...]
    results: tuple[Result, ...]
    winners: tuple[Seat, ...]
    news: tuple[Event, ...]
    """What happened last."""


def matches(entrants: Sequence[Entrant], seats: int, games: int) -> Iterator[Match]:
    """So many games for every pair; each draw of the luck is played twice, with seats rotated."""
    for pair in combinations(entrants, 2):
        for number in range(games):
            turned = number % 2
            seated = tuple(pair[(seat + turned) % 2] for seat in range(seats))
            yield Match(number // 2, seated)


def play(
    rules: Ruleset,
    match: Match,
    text: str = "",
    clock: Clock | None = None,
    watch: Watch | None = None,
) -> Score:
    """Play a match to its end; the same match and text give the same game."""
    id = f"arena-{match.number}"
    seed = hashlib.sha256(f"nightmail arena {text} {match.number}".encode()).digest()
    secret = secret_of(seed, ("",) * rules.seats)
    times: list[list[float]] = [[] for _ in match.seated]
    table, moves = opened(rules, Chance(secret, id, 0)), 0
    while table.state.awaiting:
        if moves == LONGEST:
            raise Endless(f"{id} is not over after {LONGEST} moves")
        seat = table.state.awaiting[0].seat
        if watch:
            watch(moves, table.news)
        before = clock() if clock else 0.0
        action = match.seated[seat].bot(rules, table.views[seat], seat)
        if clock:
            times[seat].append(clock() - before)
        moves += 1
        outcome = decide(rules, table.state, seat, action, Chance(secret, id, moves))
        table = _after(rules, table, outcome.events, outcome.state)
    return Score(
        match.number,
        match.names,
        tuple(result.total for result in table.results),
        table.winners,
        moves,
        tuple(map(tuple, times)),
    )


def opened(rules: Ruleset, chance: Chance) -> Sitting:
    """A table at its beginning."""
    start = begin(rules, chance)
    blank = Sitting(rules.initial, (rules.initial,) * rules.seats, (), (), ())
    return _after(rules, blank, start.events, start.state)


def _after(rules: Ruleset, table: Sitting, events: Sequence[Event], state: State) -> Sitting:
    """Every view goes on with what its seat may see of the events, and with nothing else."""
    views, news = list(table.views), tuple(events)
    for event in events:
        if isinstance(event, GameEnded):
            return Sitting(state, tuple(views), event.results, event.winners, news)
        for seat in range(rules.seats):
            views[seat] = evolve(rules, views[seat], seen_by(event, seat))
    return Sitting(state, tuple(views), (), (), news)
