"""How large decisions are as JSON, over random positions of every board and variant."""

import random
from statistics import median
from typing import Any

import orjson
import pytest

from engine import Game
from service.games import decisions
from service.memory.positions import Position
from store.games.games import Table as StoredTable
from tests.amounts import amount
from tests.random_games import Table, sample_of_tables, seed_of, tables
from tools.players import Player, anything, hoarder

POSITIONS = amount(500, soak=10_800)
"""Positions to look at, shared out between the tables; some games end before they have theirs."""
LEAST = amount(400, soak=10_000)
MEDIAN, WORST = 12_000, 60_000
"""Bytes of a decision before compression."""
BOUND = 400
"""Moves of one game; hands of hoarders are largest before the deck runs out."""


def sizes_in(table: Table, player: Player, number: int) -> list[int]:
    """The sizes of this many decisions, spread over one game."""
    rng = random.Random(f"{table} {player.__name__}")
    game = Game(table.rules, "sizes", seed_of(str(table)))
    sizes: list[int] = []
    while not game.is_over and game.version < BOUND and len(sizes) < number:
        seat = rng.choice(game.awaited)
        if rng.random() < 2 * number / BOUND:
            sizes.append(size_of(game, seat))
        game.play(seat, player(rng, game, seat))
    return sizes


def size_of(game: Game, seat: int) -> int:
    """The bytes of the decision of this seat."""
    position = Position(game.rules, b"", game.version, 0, b"", game.state, {}, None)
    about: dict[str, Any] = {"id": "x" * 22, "title": "A title of an ordinary length"}
    table = StoredTable(**{**dict.fromkeys(StoredTable._fields), **about})
    now = "2030-01-01T00:00:00.000Z"
    return len(orjson.dumps(decisions.document(table, position, seat, now, now)))


def test_decisions_are_small() -> None:
    """Half of all decisions have at most 12 kB, and none has more than 60 kB."""
    some = sample_of_tables()
    each = POSITIONS // (2 * len(some)) + 1
    sizes = [
        size for table in some for player in (anything, hoarder)
        for size in sizes_in(table, player, each)
    ]  # fmt: skip

    assert len(sizes) >= LEAST
    assert median(sizes) <= MEDIAN
    assert max(sizes) <= WORST


@pytest.mark.parametrize("board", ["usa", "europe", "uk", "nordic", "switzerland"])
def test_the_largest_hands_are_small_enough(board: str) -> None:
    """The largest hand of a hoarder, with every colour in it, stays within the bound."""
    table = next(table for table in tables(board) if not table.variants and table.seats == 2)
    game = Game(table.rules, "hoard", seed_of(board))
    for seat in (0, 1):
        game.play(seat, "keep all")
    largest = 0
    while game.version < BOUND and not game.is_over:
        (seat,) = game.awaited
        largest = max(largest, size_of(game, seat))
        game.play(seat, hoarding(game, seat))

    assert WORST / 4 < largest <= WORST


def hoarding(game: Game, seat: int) -> str:
    """Draw while there are cards, and otherwise play what is first on the list."""
    texts = [option.text for option in game.options(seat)]
    return "draw" if "draw" in texts else texts[0]
