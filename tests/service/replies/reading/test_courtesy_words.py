"""Phrases that say nothing about the game."""

import pytest

from service.replies.reading import courtesy_words
from service.replies.reading.words import COMMAND_WORDS, folded

PHRASES = {
    name: getattr(courtesy_words, name) for name in ("GREETINGS", "CLOSINGS", "POLITE", "POINTERS")
}


@pytest.mark.parametrize("name", PHRASES)
def test_no_courtesy_is_a_command(name: str) -> None:
    """No phrase that is set aside is the word of a command or a move."""
    assert COMMAND_WORDS.isdisjoint(PHRASES[name])


@pytest.mark.parametrize("name", PHRASES)
def test_phrases_can_be_found(name: str) -> None:
    """Each phrase has the form in which lines are compared with it."""
    assert PHRASES[name]
    assert all(phrase == folded(phrase) for phrase in PHRASES[name])
