import pytest

from bots.player import HOUSE
from engine import options
from tests.bots.sitting import house_game, positions
from tests.random_games import Table, sample_of_tables, tables


@pytest.mark.parametrize("table", sample_of_tables(12, turn=1), ids=str)
def test_bots_finish_their_games(table: Table) -> None:
    """At every table a game of house bots ends, and every answer is an option."""
    score = house_game(table, tables().index(table))

    assert table.seats == len(score.totals)
    assert score.winners


@pytest.mark.parametrize("name", HOUSE)
@pytest.mark.parametrize("table", sample_of_tables(10, turn=2), ids=str)
def test_bots_answer_in_odd_positions(table: Table, name: str) -> None:
    """A bot's answer is an option in positions that random players have reached, too."""
    rules = table.rules
    for number in range(3):
        for _, view, seat in positions(table, number, 23):
            assert HOUSE[name](rules, view, seat) in options(rules, view, seat).actions
