"""Samples of tables: small, always the same, and about every board and every rule."""

import pytest

from engine.rules import MODULES
from service.boards import atlas
from tests.amounts import SOAKING
from tests.random_games import TURNS, sample_of_tables, tables

SMALLEST = 8
"""The smallest sample that a test of every board takes."""


@pytest.mark.parametrize("turn", range(TURNS))
def test_every_board_and_rule_is_in_every_sample(turn: int) -> None:
    """The smallest sample of every turn has all boards and all rule modules."""
    sample = sample_of_tables(SMALLEST, turn=turn)

    assert {*atlas.board_ids()} == {table.board for table in sample}
    assert {*MODULES} == {name for table in sample for name in table.rules.board.modules}


def test_samples_are_small_and_soaks_are_whole() -> None:
    """A sample has as many tables as asked for, each once; a soak looks at every table."""
    sample = sample_of_tables(20)

    assert (len(tables()) if SOAKING else 20) == len(sample) == len({*sample})


def test_turns_share_the_tables() -> None:
    """Tests that take samples of other turns look at other tables, at a third of all or more."""
    seen = {table for turn in range(TURNS) for table in sample_of_tables(turn=turn)}

    assert len(seen) > len(tables()) / 3


def test_a_sample_is_taken_among_some_tables() -> None:
    """A sample of three-handed tables contains no other."""
    among = [table for table in tables() if table.seats == 3]

    assert {3} == {table.seats for table in sample_of_tables(6, among=among)}
