"""Phrases with which mail programs introduce a quotation."""

import pytest

from service.replies.reading import quotation_words
from service.replies.reading.words import COMMAND_WORDS


@pytest.mark.parametrize("name", ["WROTE", "BEGINS"])
def test_phrases_are_in_lower_case(name: str) -> None:
    """Lines are compared in lower case, so another phrase would never be found."""
    phrases = getattr(quotation_words, name)

    assert len(phrases) > 10
    assert [] == [phrase for phrase in phrases if phrase != phrase.lower()]


def test_no_phrase_is_a_command() -> None:
    """No command is taken for the beginning of a quotation."""
    phrases = (*quotation_words.WROTE, *quotation_words.BEGINS)

    assert COMMAND_WORDS.isdisjoint(phrase.strip() for phrase in phrases)
