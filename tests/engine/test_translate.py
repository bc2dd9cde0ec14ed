"""Sentences are translated into the language of their reader."""

from gettext import GNUTranslations
from io import BytesIO

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engine.text import listed, points
from engine.translate import cached_by_language, say, says, speaking
from engine.values import CardPayment, Tokens
from tests.support.pseudo_language import Marked, unmarked


def test_english_is_spoken_where_nobody_opened_a_catalogue() -> None:
    """Without a catalogue, texts are the English ones in the code."""
    assert say("{who} draws a card.", who="Ada") == "Ada draws a card."
    assert says("{n} card", "{n} cards", 1) == "1 card"
    assert says("{who} has {n} card", "{who} has {n} cards", 3, who="Ada") == "Ada has 3 cards"


def test_a_catalogue_is_spoken_within_its_block_only() -> None:
    """A catalogue is used inside its block only."""
    with speaking(Marked()):
        assert say("{who} draws {what}.", who="Ada", what=say("a card")) == "⟦Ada draws ⟦a card⟧.⟧"
        assert says("{n} card", "{n} cards", 2) == "⟦2 cards⟧"
    assert say("A card.") == "A card."


def test_braces_in_a_value_are_left_alone() -> None:
    """Braces in a value are not taken for a placeholder."""
    assert say("{who} waits.", who="{n}") == "{n} waits."


def test_only_what_no_catalogue_said_is_left() -> None:
    """`unmarked` removes marked texts, including nested ones."""
    assert unmarked("Ada ⟦draws ⟦a card⟧⟧ twice") == "Ada  twice"


LANGUAGE = r"""
msgid ""
msgstr ""
"Language: ro\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2);\n"
"Content-Type: text/plain; charset=utf-8\n"

msgid "{who} wins with {points}."
msgstr "{points} – so {who} has won."

msgid "{some} and {last}"
msgstr "{last}, after {some}"

msgid "{points} point"
msgid_plural "{points} points"
msgstr[0] "{points} one"
msgstr[1] "{points} few"
msgstr[2] "{points} many"

msgid "{n} red"
msgid_plural "{n} red"
msgstr[0] "{n} rouge"
msgstr[1] "{n} rouges"
msgstr[2] "{n} of rouges"
"""


def test_a_language_has_its_own_order_and_numbers() -> None:
    """A catalogue decides the order of words, and may have more plural forms than English."""
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(LANGUAGE.encode())))
    compiled.seek(0)
    with speaking(GNUTranslations(compiled)):
        sentence = say("{who} wins with {points}.", who=listed(["Ada", "Ben"]), points=points(20))
        assert sentence == "20 many – so Ben, after Ada has won."
        assert [points(1), points(3)] == ["1 one", "3 few"]
        paid = CardPayment((0, 0, 0, 0, 0, 0, 0, 2, 1, 0))
        assert paid.spoken == "1 locomotive, after 2 rouges"
        assert [str(paid), str(Tokens(1, 2))] == ["2 red 1 locomotive", "1 single 2 double"]


def test_what_is_remembered_is_remembered_in_each_language() -> None:
    """Cached texts are kept for each language."""
    calls: list[int] = []

    @cached_by_language(8)
    def cards(n: int) -> str:
        calls.append(n)
        return says("{n} card", "{n} cards", n)

    english = [cards(2), cards(2)]
    with speaking(Marked()):
        marked = [cards(2)]
    assert ["2 cards", "2 cards"] == english
    assert ["⟦2 cards⟧"] == marked
    assert "2 cards" == cards(2)
    assert len(calls) == 2
