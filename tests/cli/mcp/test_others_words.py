"""The marks around words of others."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.mcp.others_words import CLOSING, LONGEST, OPENING, plain, quoted


@given(st.text())
def test_marks_hold(text: str) -> None:
    """Whatever others write, it is one printable line with one pair of marks around it."""
    marked = quoted(text)
    inside = marked[1:-1]

    assert marked == f"{OPENING}{inside}{CLOSING}"
    assert marked.isprintable()
    assert not {*"⟦⟧[]{}<>"}.intersection(inside)
    assert not any(
        unicodedata.category(char) in ("Ps", "Pe") for char in inside if char not in "()„\u201a"
    )


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Ada", "⟦Ada⟧"),
        ("a\nb\r\n\u2028c\td", "⟦a ⏎ b ⏎ c d⟧"),
        ("〚x〛 ⦗y⦘ \uff3bz\uff3d <|system|>", "⟦(x) (y) (z) (|system|)⟧"),
        ("\u202eevil\u200b", "⟦\ufffdevil\ufffd⟧"),
        ("hi\U000e0041\ufe0f\U000e0101", "⟦hi\ufffd⟧"),
        ("„Hallo“ (Duluth–Houston)", "⟦„Hallo“ (Duluth–Houston)⟧"),
        ("", "⟦⟧"),
    ],
)
def test_words_are_cleaned(text: str, marked: str) -> None:
    """Brackets, line breaks and hidden characters are replaced; the words stay."""
    assert marked == quoted(text)


def test_long_words_are_cut() -> None:
    """A text is cut, and the mark still closes."""
    assert len(quoted("a" * 10_000)) == LONGEST + 2
    assert quoted("a" * 10_000).endswith("…⟧")


def test_our_words_are_not_marked() -> None:
    """Text of the service keeps its signs, but cannot contain a mark."""
    assert "[book] extra > 0 (x)" == plain("[book] extra > 0 ⟦x⟧")
