"""Plays whole games with random players, and records every step for the laws."""

import hashlib
import random
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from engine import Action, Event, Game, Ruleset, State
from service.boards import atlas
from tests.amounts import SOAKING
from tools.players import Player, anything, builder, hoarder

BOUND = 4000
"""No game of random players takes more moves; most take a few hundred."""
SAMPLE = 16
"""Tables in a sample, however many boards there are."""
TURNS = 7
"""Each turn prefers every seventh table, beginning with another."""


class Table(NamedTuple):
    """A board, its variants and a number of seats."""

    board: str
    variants: tuple[str, ...]
    seats: int

    def __str__(self) -> str:
        return "-".join((self.board, *self.variants, str(self.seats)))

    @property
    def rules(self) -> Ruleset:
        """The rules of this table."""
        return atlas.ruleset(self.board, self.variants, self.seats)


class Step(NamedTuple):
    """One move: the state before it, the seat, its action, the events, and the state after it."""

    state: State
    seat: int
    action: Action
    events: tuple[Event, ...]
    after: State


class Played(NamedTuple):
    """A finished game and its steps."""

    game: Game
    steps: tuple[Step, ...]


PLAYERS: tuple[Player, ...] = (anything, hoarder, builder)


def tables(*boards: str) -> list[Table]:
    """Every board with every combination of variants and every number of seats."""
    return [Table(*table) for table in atlas.tables(*boards)]


def sample_of_tables(
    number: int = SAMPLE, *, turn: int = 0, among: Sequence[Table] = ()
) -> list[Table]:
    """This many tables, of which each adds what those before lack; in `make soak` every table.

    First come boards and rule modules, then variants of each board, then numbers of seats.
    Each turn prefers other tables, so that tests do not all look at the same ones.
    """
    every = list(among) or tables()
    if SOAKING:
        return every
    starts = [(turn + start) % TURNS for start in range(TURNS)]
    facts = {table: _facts(table) for start in starts for table in every[start::TURNS]}
    known: set[object] = set()
    sample: list[Table] = []
    while facts and len(sample) < number:
        table = max(facts, key=lambda table: [len(kind - known) for kind in facts[table]])
        known.update(*facts.pop(table))
        sample.append(table)
    return sample


def _facts(table: Table) -> tuple[set[object], ...]:
    """What a table adds to a sample, the most important kind first."""
    board, variants, seats = table
    return (
        {board, *table.rules.board.modules},
        {(board, variant) for variant in variants or ("",)},
        {(board, seats)},
    )


def seed_of(text: str) -> bytes:
    """A seed for tests: 32 bytes that depend on the text alone."""
    return hashlib.sha256(text.encode()).digest()


@cache
def played(table: Table, number: int) -> Played:
    """Game `number` on this table; each number has its own seed and its own kind of player."""
    name = f"{table} {number}"
    rng = random.Random(name)
    nonces = [f"nonce {seat}" if seat else "" for seat in range(table.seats)]
    game = Game(table.rules, name, seed_of(name), nonces)
    player = PLAYERS[number % len(PLAYERS)]
    steps = []
    while not game.is_over:
        assert game.version < BOUND, f"{name} does not end"
        seat = rng.choice(game.awaited)
        before, action = game.state, player(rng, game, seat)
        events = game.play(seat, action)
        steps.append(Step(before, seat, action, events, game.state))
    return Played(game, tuple(steps))
