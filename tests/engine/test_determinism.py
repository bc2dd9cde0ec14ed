"""The same log gives the same state, to the byte, under any hash seed."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tests.amounts import amount
from tests.support.hash_seeds import hashed

SEEDS = range(amount(3, soak=10))
SCRIPT = """
import hashlib
from engine import options, replay
from tests.random_games import played, sample_of_tables

digest = hashlib.sha256()
for table in sample_of_tables(8, turn=6):
    one = played(table, 1)
    for line in one.game.lines():
        digest.update(line.encode())
    for step in one.steps[::15]:
        for asked in step.state.awaiting:
            for option in options(table.rules, step.state, asked.seat):
                digest.update(f"{option.text}{option.label}".encode())
    for cut in range(0, len(one.game.events), 100):
        digest.update(repr(replay(table.rules, one.game.events[:cut])).encode())
print(digest.hexdigest())
"""


def test_hash_seeds_change_nothing() -> None:
    """Logs, options and states are byte-identical under several hash seeds."""
    with ThreadPoolExecutor(2) as pool:
        digests = set(pool.map(partial(hashed, SCRIPT), SEEDS))

    assert 1 == len(digests)
    assert 64 == len(digests.pop())
