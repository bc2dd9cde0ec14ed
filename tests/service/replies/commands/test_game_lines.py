"""Splitting the lines of a reply by game and by message."""

import pytest

from service.replies.commands.game_lines import GameLine, split_lines


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("A3", ("A", "3")),
        ("a 3 with green", ("A", "3 with green")),
        ("B: draw", ("B", "draw")),
        ("(B) draw", ("B", "draw")),
        ("b - draw", ("B", "draw")),
        ("A", ("A", "")),
        ("all", ("", "all")),
        ("absence 3 Jul", ("", "absence 3 Jul")),
        ("Ab3", ("", "Ab3")),
        ("3A", ("", "3A")),
    ],
)
def test_letters_are_read(line: str, expected: tuple[str, str]) -> None:
    """A letter is read only if it stands alone or before a number."""
    (read,) = split_lines([line], has_letters=True)
    assert expected == (read.letter, read.text)


@pytest.mark.parametrize("line", ["say", "Say:", " SAY "])
def test_a_message_ends_the_commands(line: str) -> None:
    """All lines after `say` alone are its message, whatever they look like."""
    first, last = split_lines(["draw", line, "Hello", "draw"], has_letters=False)

    assert GameLine(0, "", "draw") == first
    assert GameLine(1, "", line, ("Hello", "draw")) == last


def test_a_message_in_one_line_is_one_line() -> None:
    """After `say Hello` the next line is a command again, and letters stay where none are used."""
    lines = ["say Hello", "B draw"]

    assert lines == [line.text for line in split_lines(lines, has_letters=False)]
    assert ["say Hello", "draw"] == [line.text for line in split_lines(lines, has_letters=True)]
