"""Names, titles and messages, and names that look alike."""

# ruff: noqa: RUF001  # look-alikes are what this file is about
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.people.names import LONGEST_MESSAGE, checked_line, checked_message, skeleton
from service.refusals import Refused

ALIKE = """
    Ada Аda, Ada аdа, Ada Ａｄａ, Ada 𝐀𝐝𝐚, Ada 𝓐𝓭𝓪, Ada ᴀᴅᴀ, Ada Ꭺda, Ada ꓮda, Ada Àdá,
    Ada A̲d̲a̲, Ada ADA, Ada Ɑda, Ada αda, Ada Αda, Bob Вob, Bob Βob, Bob ᏼob, Bob ꓐоЬ,
    Carl Сarl, Carl Ϲarl, Carl CarI, Carl Car1, Carl ⅽarⅼ, David ԁavid, David Ðavid,
    David Ɗavid, Eve Еve, Eve Ενe, Eve Εve, Eve Ève, Eve 𝔈𝔳𝔢, Eve ℰve, Eve ꓰѵе, Frank Ϝrank,
    Frank ꓝrank, Greta Ԍreta, Greta ɡreta, Greta Ǥreta, Helen Ηelen, Helen Неlеn, Helen Ꮋelen,
    Helen Ħelen, Ivan lvan, Ivan 1van, Ivan Іvan, Ivan Ιvan, Ivan İvan, Ivan ıvan, Ivan Ӏvan,
    Ivan ǀvan, Ivan Ⅰvan, John Јohn, John J0hn, John Jоhn, John Jοhn, John Jօhn, John Joհn,
    John Johη, John Johп, John ʝohn, Karl Кarl, Karl Κarl, Karl Ⲕarl, Karl Ķarl, Lena Iena,
    Lena ꓡena, Lena Łena, Lena ⅼena, Mira Мira, Mira Μira, Mira Ꮇira, Mira rnira, Mira ⅿira,
    Nina Νina, Nina ꓠina, Nina Ñina, Nina Nіna, Otto Оtto, Otto Οtto, Otto 0tto, Otto Øtto,
    Otto Օtto, Otto Oττo, Paul Рaul, Paul Ρaul, Paul Ꮲaul, Paul Paս1, Quinn Ԛuinn, Rosa гosa,
    Rosa Ꭱosa, Rosa ʀosa, Sara Ѕara, Sara 5ara, Sara Ꮪara, Sara ſara, Sara Şara, Tom Тom,
    Tom Τom, Tom Ꭲom, Tom Ŧom, Uma Սma, Uma Üma, Vera Ѵera, Vera Ꮩera, Vera ꓦera, Wanda Ԝanda,
    Wanda VVanda, Wanda Ꮃanda, Wanda ωanda, Xaver Хaver, Xaver Χaver, Xaver ×aver, Yann Υann,
    Yann Үann, Yann Ÿann, Yann γann, Zoe Ζoe, Zoe Ꮓoe, Zoe Ƶoe, Zoe 𝕫𝕠𝕖, Zoe Ⓩⓞⓔ, Ada_B AdaB,
    Ada.B Ada-B, Æsa Aesa, Große Grosse, ΝΙΚΗ Νίκη, ΝΙΚΗ NIKH, СЕРГЕЙ Сергей, ΣΟΦΟΣ Σοφος,
    Ada Ada\ufe0f, Ada A\u034fda, Ada Ada\u3164, Ada Ad\u1160a, Carl Car|, Carl Car!,
    Carl ϲarl, Carl Ⲥarl
"""
PAIRS = [tuple(pair.split()) for pair in ALIKE.split(",")]


def test_there_are_enough_pairs() -> None:
    """There are more than a hundred different pairs of names."""
    assert 100 < len(PAIRS) == len(set(PAIRS))
    assert {2} == set(map(len, PAIRS))


@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_look_alikes_are_not_distinct(name: str, other: str) -> None:
    """Two names that look alike have the same skeleton."""
    assert skeleton(name) == skeleton(other)


DISTINCT = [
    "Ada", "Ben", "Cem", "Dag", "Hanna", "Nanna", "Vanna", "राम", "रमा", "ราม", "รีม",
    "健二", "健三", "Анна", "Инна", "Νίκος", "Νίκη", "★", "★★", "🚂", "🚃", "דוד", "דינה",
    "Bot 2", "Bot 3",
]  # fmt: skip


def test_different_names_stay_different() -> None:
    """Names that differ visibly have different skeletons, in any script."""
    assert len(DISTINCT) == len({skeleton(name) for name in DISTINCT})


@given(st.text(max_size=40))
def test_skeletons_do_not_depend_on_form(name: str) -> None:
    """The skeleton does not depend on Unicode composition, and is never empty."""
    forms = {skeleton(unicodedata.normalize(form, name)) for form in ("NFC", "NFD")}

    assert 1 == len(forms)
    assert bool(name) == bool(skeleton(name))


FORBIDDEN = [
    *map(chr, range(32)), "\x7f", "\x85", "\x9f", "\xad", "\u200b", "\u200c", "\u200d", "\u2028",
    "\u2029", "\u2060", "\ufeff", "\ufff9", "\ud800", "\udfff", "\ue000", "\U000e0041",
    "\u061c", "\u200e", "\u200f", *map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))),
    "\u034f", "\u115f", "\u1160", "\u3164", "\uffa0", "\u2800", "\u180b", "\u00a0", "\u3000",
]  # fmt: skip


@pytest.mark.parametrize("char", FORBIDDEN, ids=lambda char: f"U+{ord(char):04X}")
def test_names_hold_nothing_unseen(char: str) -> None:
    """Control, bidirectional, unpaired and invisible characters are refused."""
    with pytest.raises(Refused) as refused:
        checked_line(f"A{char}da", 40, "name")
    assert "unreadable" == refused.value.code
    assert [{"at": "name", "says": refused.value.more["errors"][0]["says"]}] == refused.value.more[
        "errors"
    ]


@pytest.mark.parametrize("text", ["", " ", " \t ", "\ufe0f", "\ufe0f\ufe0e", "x" * 41])
def test_names_have_a_length(text: str) -> None:
    """A name without 1 to 40 visible characters is refused."""
    with pytest.raises(Refused):
        checked_line(text, 40, "name")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  Ada ", "Ada"),
        ("Zoe\u0308", "Zoë"),
        ("x" * 40, "x" * 40),
        ("❤️ Ada", "❤️ Ada"),
        ("健二", "健二"),
    ],
)
def test_names_are_kept_in_their_normal_form(text: str, kept: str) -> None:
    """A line is kept composed and without spaces around it."""
    assert kept == checked_line(text, 40, "name")


@given(st.text())
def test_lines_can_stand_in_a_header(text: str) -> None:
    """Whatever is accepted is a printable line in normal form, and is accepted unchanged again."""
    try:
        kept = checked_line(text, 80, "title")
    except Refused:
        return
    assert kept.isprintable()
    assert [kept] == kept.splitlines()
    assert kept == checked_line(kept, 80, "title")


def test_messages_have_lines() -> None:
    """A message keeps its lines and tabs, with line feeds as line ends."""
    assert "a\nb\tc\n\nd" == checked_message(" a\r\nb\tc\n\nd\n")


@pytest.mark.parametrize(
    "text", ["", "\n", "a\0b", "a\rb", "a\x1b[2J", "\u202eabc", "x" * (LONGEST_MESSAGE + 1)]
)
def test_messages_hold_no_controls(text: str) -> None:
    """Control characters and texts that are too long are refused."""
    with pytest.raises(Refused):
        checked_message(text)
