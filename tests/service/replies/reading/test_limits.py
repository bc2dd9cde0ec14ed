"""How much of a reply is read."""

from engine.notation import LONGEST
from service.replies import quoting
from service.replies.reading import limits


def test_a_move_fits_into_a_line() -> None:
    """No move is cut: what is kept of a line is longer, and what is looked at longer still."""
    assert LONGEST <= limits.LONGEST_KEPT < limits.LONGEST_LINE


def test_one_line_too_many_is_kept() -> None:
    """A reply with too many lines can be told from one that just fits."""
    lines = [f"draw {number}" for number in range(limits.MOST_LINES + 5)]

    assert lines[: limits.MOST_LINES + 1] == quoting.written_lines(lines)


def test_a_long_line_is_cut() -> None:
    """Of a very long line only the beginning is kept."""
    (line,) = quoting.written_lines(["x" * 5 * limits.LONGEST_LINE])

    assert limits.LONGEST_KEPT == len(line)


def test_only_so_many_lines_are_looked_at() -> None:
    """Lines below thousands of quoted ones are not read."""
    lines = ["draw", *["> quoted"] * limits.MOST_SCANNED, "resign yes"]

    assert ["draw"] == quoting.written_lines(lines)
