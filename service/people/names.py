"""Checks names, titles and messages, and finds names that look alike."""
# ruff: noqa: RUF001  # this file lists look-alike letters

import re
import unicodedata

from engine.translate import say, says
from service.refusals import unreadable

# Longest texts, in characters.
LONGEST_NAME = 40
LONGEST_TITLE = 80
LONGEST_MESSAGE = 2000

BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional controls: they reorder text, and with it who seems to have written what."""

INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Characters that Unicode counts as letters or marks, but that show nothing."""
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Variation selectors: they change the look of the character before them, not the name."""

_TWINS = {
    "a": "аαɑꭺⲁꓮ", "b": "ьвβƅꮟᏼⲃꓐ", "c": "сϲꮯⲥꓚ", "d": "ԁɗðꭰꮷꓓ", "e": "еєεɛꭼⲉꓰ", "f": "ғϝẝꞙꓝ",
    "g": "ɡԍցꮐꓖ", "h": "һнꮋꮒⲏհꓧ", "i": "іιı1l|!ӏїǀɩꭵꓲꓡꮮլⲓ∣", "j": "јϳʝꭻյꓙ", "k": "кκꮶⲕꓗ",
    "m": "мꮇⲙꓟ", "n": "пηոռⲛꓠ", "o": "оοσ0օⲟꓳ", "p": "рρꮲⲣꓑ", "q": "ԛգզ", "r": "гѓʀꭱꮢꓣ",
    "s": "ѕ5ꮪꮥƽտꓢ", "t": "тτꭲⲧꓔ", "u": "υμцսʋꓴ", "v": "ѵνꮩꓦ", "w": "ѡωԝшɯꮃꮤꓪ", "x": "хχ×ⲭꓫ",
    "y": "уγүʏꭹⲩყꓬ", "z": "ʐζꮓꓜ", "3": "зʒȝӡ", "6": "б", "ae": "æӕ", "oe": "œ",
}  # fmt: skip
_SKELETON = {twin: letter for letter, twins in _TWINS.items() for twin in twins.casefold()}
_LUNATE = str.maketrans("Ϲϲ", "Cc")
"""NFKC turns this sigma into another one, which looks different."""
_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX")
_SMALL = str.maketrans("ημνυ", "hmny")
"""Greek letters whose capital and small form look like different Latin letters."""
_LATIN = re.compile(
    "LATIN (?:(?:SMALL|CAPITAL) LETTER (?:DOTLESS |SCRIPT )?|LETTER SMALL CAPITAL )"
    "([A-Z])(?: WITH .*)?"
)


def skeleton(name: str) -> str:
    """Return a key that two names share if they could be confused (Unicode TR 39)."""
    plain = unicodedata.normalize("NFKD", name.translate(_LUNATE))
    # Among Latin letters a Greek one counts by its look; among Greek letters case must not matter.
    if any(char.isascii() and char.isalpha() for char in plain):
        folded = plain.translate(_CAPITALS).casefold()
    else:
        folded = plain.casefold().translate(_SMALL)
    bare = "".join(map(_alike, unicodedata.normalize("NFKD", folded)))
    return bare.replace("rn", "m").replace("vv", "w") or folded


def _alike(char: str) -> str:
    """Return the letter for a character and all its look-alikes; empty for ornaments."""
    if twin := _SKELETON.get(char):
        return twin
    if char.isascii():
        return char if char.isalnum() else ""
    if unicodedata.combining(char) or char in INVISIBLE or char in _SELECTORS:
        return ""
    if latin := _LATIN.fullmatch(unicodedata.name(char, "")):
        letter = latin[1].lower()
        return _SKELETON.get(letter, letter)
    return char if char.isalnum() or unicodedata.category(char)[0] == "M" else ""


def checked_line(text: str, most: int, at: str) -> str:
    """Return one line of text in Unicode's normal form NFC, or refuse it."""
    normal = unicodedata.normalize("NFC", text).strip()
    if not normal:
        raise unreadable(say("must not be empty."), at)
    if len(normal) > most:
        raise unreadable(_too_long(most), at)
    if not normal.isprintable() or BIDI.intersection(normal):
        raise unreadable(say("must be one line, without control characters."), at)
    if INVISIBLE.intersection(normal) or _SELECTORS.issuperset(normal):
        raise unreadable(say("must not contain invisible characters."), at)
    return normal


def _too_long(most: int) -> str:
    return says("must have at most {n} character.", "must have at most {n} characters.", most)


def checked_message(text: str) -> str:
    """Return a message, which may have several lines, in normal form NFC, or refuse it."""
    normal = checked_lines(text, LONGEST_MESSAGE, "text")
    if not normal:
        raise unreadable(say("must not be empty."), "text")
    return normal


def checked_lines(text: str, most: int, at: str) -> str:
    """Return text of any number of lines in normal form NFC, or refuse it."""
    normal = unicodedata.normalize("NFC", text).replace("\r\n", "\n").strip()
    if len(normal) > most:
        raise unreadable(_too_long(most), at)
    if not normal.replace("\n", " ").replace("\t", " ").isprintable() or BIDI.intersection(normal):
        raise unreadable(say("must not contain control characters."), at)
    return normal
