"""Plays whole games with random players, and records every step for the laws."""

import hashlib
import random
from functools import cache
from typing import NamedTuple

from engine import Action, Event, Game, Ruleset, State
from service.boards import atlas
from tools.players import Player, anything, builder, hoarder

BOUND = 4000
"""No game of random players takes more moves; most take a few hundred."""


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
