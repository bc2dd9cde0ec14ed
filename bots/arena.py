"""Plays games between bots, with paired seeds and rotated seats, and returns the scores.

The caller passes a clock if decisions are to be timed; this package has none.
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
"""Called before every decision with the number of moves so far and the latest events."""

LONGEST = 10_000
"""Moves after which a game is called endless; bots need a few hundred."""


class Endless(Exception):
    """A game does not come to an end."""


class Entrant(NamedTuple):
    """A participant: a house bot, or any function with the same signature."""

    name: str
    bot: Bot


class Match(NamedTuple):
    """One game to be played: who sits where, and the number that seeds its draws."""

    number: int
    seated: tuple[Entrant, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entrant.name for entrant in self.seated)


class Score(NamedTuple):
    """The result of a game."""

    number: int
    names: tuple[str, ...]
    totals: tuple[int, ...]
    winners: tuple[Seat, ...]
    moves: int
    times: tuple[tuple[float, ...], ...]
    """Seconds for each decision, by seat, if there was a clock."""


class Sitting(NamedTuple):
    """A game in progress: the full state, and each seat's view, which is all that bots get."""

    state: State
    views: tuple[State, ...]
    results: tuple[Result, ...]
    winners: tuple[Seat, ...]
    news: tuple[Event, ...]
    """The latest events."""


def matches(entrants: Sequence[Entrant], seats: int, games: int) -> Iterator[Match]:
    """Yield the games of a round robin; every seed is played twice, with seats rotated."""
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
    """Play a match to its end; the same match and seed text give the same game."""
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
    """Return a game after its set-up."""
    start = begin(rules, chance)
    blank = Sitting(rules.initial, (rules.initial,) * rules.seats, (), (), ())
    return _after(rules, blank, start.events, start.state)


def _after(rules: Ruleset, table: Sitting, events: Sequence[Event], state: State) -> Sitting:
    """Return the game after these events; each view only gets what its seat may see."""
    views, news = list(table.views), tuple(events)
    for event in events:
        if isinstance(event, GameEnded):
            return Sitting(state, tuple(views), event.results, event.winners, news)
        for seat in range(rules.seats):
            views[seat] = evolve(rules, views[seat], seen_by(event, seat))
    return Sitting(state, tuple(views), (), (), news)
