"""Words that deny, doubt or take back a move."""

import pytest

from service.replies.reading import denial_words
from service.replies.reading.words import folded


@pytest.mark.parametrize(
    "text",
    [
        "No!",
        "please don’t play this",
        "Nein, doch nicht",
        "je voulais dire autre chose",
        "espera, mejor mañana",
        "nu, stai",
        "λάθος",
        "нет, подожди",
        "間違えました",
        "아니요",
        "On second thought",
        "This is for a different game",
    ],
)
def test_a_denial_is_recognised(text: str) -> None:
    """A word or phrase that denies is found in any language, whatever stands around it."""
    assert denial_words.denies(text)


@pytest.mark.parametrize(
    "text",
    ["", "Good game!", "Thanks, Ada", "Nowhere to go", "Viele Grüße", "canary 3", "よろしく"],
)
def test_other_lines_deny_nothing(text: str) -> None:
    """A line without such a word denies nothing, even if a longer word contains one."""
    assert not denial_words.denies(text)


@pytest.mark.parametrize(
    ("text", "takes_back"),
    [
        ("better 5", True),
        ("rather claim boston-montreal with 2 blue", True),
        ("Actually, the other one", True),
        ("better luck with the weather in the next few weeks", False),
        ("oder 3", True),
        ("5 is better", False),
    ],
)
def test_a_line_takes_something_back_at_its_beginning(text: str, *, takes_back: bool) -> None:
    """Some words take something back only at the beginning of a short line, or of a move."""
    assert takes_back == denial_words.takes_back(text)


def test_phrases_are_stored_as_they_are_compared() -> None:
    """Every phrase is in the folded form, or it would never be found."""
    for phrase in denial_words.DENIALS | denial_words.TAKES_BACK:
        assert folded(phrase) == phrase
