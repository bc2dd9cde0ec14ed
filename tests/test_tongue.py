"""Sentences are said in the language of whoever reads them."""

from engine.tongue import say, says, speaking
from tests.pseudo import Marked, unmarked


def test_english_is_spoken_where_nobody_opened_a_catalogue() -> None:
    """What stands in the code is English."""
    assert say("{who} draws a card.", who="Ada") == "Ada draws a card."
    assert says("{n} card", "{n} cards", 1) == "1 card"
    assert says("{who} has {n} card", "{who} has {n} cards", 3, who="Ada") == "Ada has 3 cards"


def test_a_catalogue_is_spoken_within_its_block_only() -> None:
    """After it the language is what it was before."""
    with speaking(Marked()):
        assert say("{who} draws {what}.", who="Ada", what=say("a card")) == "⟦Ada draws ⟦a card⟧.⟧"
        assert says("{n} card", "{n} cards", 2) == "⟦2 cards⟧"
    assert say("A card.") == "A card."


def test_braces_in_a_value_are_left_alone() -> None:
    """A name that looks like a placeholder is still a name."""
    assert say("{who} waits.", who="{n}") == "{n} waits."


def test_only_what_no_catalogue_said_is_left() -> None:
    """Texts within texts go with them."""
    assert unmarked("Ada ⟦draws ⟦a card⟧⟧ twice") == "Ada  twice"
