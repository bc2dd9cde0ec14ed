import pytest

from engine.text import clean, count, listed, points, shortened


def test_control_characters_are_replaced() -> None:
    """Control and direction characters are replaced, accents are kept."""
    assert "�[2Jé–x�" == clean("\x1b[2Jé–x\u202e")


def test_long_text_is_cut() -> None:
    """A text is shortened with an ellipsis only if it is too long."""
    assert ["abc", "ab…"] == [shortened("abc", 3), shortened("abcd", 3)]


@pytest.mark.parametrize(
    ("names", "text"),
    [([], ""), (["Ada"], "Ada"), (["Ada", "Ben"], "Ada and Ben"), (["A", "B", "C"], "A, B and C")],
)
def test_names_are_listed(names: list[str], text: str) -> None:
    """Names are joined by commas, with “and” before the last."""
    assert text == listed(names)


def test_nouns_are_counted() -> None:
    """Nouns get their plural, thousands a separator, and negative points a minus sign."""
    assert ["1 game", "2 games", "0 cities"] == [
        count(1, "game"),
        count(2, "game"),
        count(0, "city"),
    ]
    assert "12\N{NO-BREAK SPACE}345 moves" == count(12345, "move")
    assert ["1 point", "−2 points"] == [points(1), points(-2)]
