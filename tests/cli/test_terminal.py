from collections import Counter

from cli.selfplay_summary import bar, histogram
from cli.terminal import grid, width, wrapped


def test_width_counts_columns() -> None:
    """Accents take no room of their own, and wide characters take two columns."""
    assert [6, 6, 4, 0] == [width("Zürich"), width("Zu\u0308rich"), width("東京"), width("\u200b")]


def test_columns_line_up() -> None:
    """The first column is aligned left, and numbers are aligned right."""
    assert ["東京    1", "Rome   23"] == grid([("東京", "1"), ("Rome", "23")])


def test_lines_do_not_break_beside_numbers() -> None:
    """A number stays with its neighbours when a sentence is wrapped."""
    lines = wrapped(" ".join(["Portland–Nashville (17),"] * 9) + " for 12 points.", "1  ", "   ")

    assert len(lines) > 2
    assert all(len(line) <= 100 and line.startswith(("1  P", "   P")) for line in lines)


def test_histogram_counts_everything() -> None:
    """Every score is in one bin, bins start at round numbers, and there are at most 13."""
    totals = [-177, -20, -1, 0, 0, 19, 71]
    lines = list(histogram(totals))
    counts = [int(line.split()[3]) for line in lines]

    assert len(totals) == sum(counts)
    assert len(lines) <= 13
    assert "−200 to −176" == lines[0].split("  ")[1]
    assert Counter(counts)[0] == sum("█" not in line for line in lines)
    assert 1 == len(list(histogram([5, 5])))


def test_bar_is_drawn_to_an_eighth() -> None:
    """A bar is drawn in steps of an eighth of a character."""
    assert ["", "▏", "█", "█▌"] == [bar(0), bar(0.125), bar(1), bar(1.5)]
