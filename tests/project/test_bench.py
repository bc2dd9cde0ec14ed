"""The baselines of the benchmarks."""

from pathlib import Path

from bench import api, stock


def test_moves_are_compared_with_the_sql_that_they_run(tmp_path: Path) -> None:
    """The bare endpoint of the benchmark runs the same SQL as a move."""
    with stock.shelf(f"sqlite:///{tmp_path}/nightmail.db", tmp_path) as shelf:
        start = stock.dealt(shelf, 3)
        rows = stock.rows_of(shelf, start, stock.advanced(shelf.desk, start, 200))
        assert api.other_sql(shelf, rows) is None
