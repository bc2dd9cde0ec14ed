import random

import pytest

from bots.player import HOUSE
from tests.bots.sitting import positions, view_of
from tests.random_games import Table, sample_of_tables
from tests.support.hash_seeds import hashed
from tests.worlds import another_world

SCRIPT = """
import hashlib
from tests.bots.sitting import house_game
from tests.random_games import sample_of_tables

games = [house_game(table, 1)[:5] for table in sample_of_tables(8, turn=3)]
print(hashlib.sha256(repr(games).encode()).hexdigest())
"""


def test_hash_seeds_change_nothing() -> None:
    """Whole games of bots come out the same under any hash seed."""
    assert 1 == len({hashed(SCRIPT, seed) for seed in (0, 1, 2)})


@pytest.mark.parametrize("name", HOUSE)
@pytest.mark.parametrize("table", sample_of_tables(8, turn=4), ids=str)
def test_worlds_that_look_alike_are_played_alike(table: Table, name: str) -> None:
    """R-DIG-3 to R-DIG-7: exchanging what a seat cannot know changes no answer."""
    rng, rules, bot = random.Random(f"{table} {name}"), table.rules, HOUSE[name]
    changed = 0
    for log, view, seat in positions(table, 0, 23):
        other = another_world(rules, log, seat, rng)
        changed += log != other

        assert bot(rules, view, seat) == bot(rules, view_of(rules, other, seat), seat)
    assert changed


@pytest.mark.parametrize("name", HOUSE)
def test_bots_keep_nothing_in_mind(name: str) -> None:
    """A bot's answer does not depend on the positions that it has answered before."""
    table = Table("uk", ("advanced_technologies",), 3)
    some = list(positions(table, 1, 29))
    first = [HOUSE[name](table.rules, view, seat) for _, view, seat in some]
    again = [HOUSE[name](table.rules, view, seat) for _, view, seat in reversed(some)]

    assert first == again[::-1]
