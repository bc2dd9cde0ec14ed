"""What may be a name, a title or a message, and which names are too alike."""
# ruff: noqa: RUF001  # look-alikes are what this file is about

import re
import unicodedata

from engine.translate import say, says
from service.refusals import unreadable

LONGEST_NAME = 40
LONGEST_TITLE = 80
LONGEST_MESSAGE = 2000

BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They turn text around, and with it who seems to have said what."""

INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""They count as letters or marks, and nobody sees them."""
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""They choose how the character before them looks; no name is another for them."""

_TWINS = {
    "a": "аαɑꭺⲁꓮ", "b": "ьвβƅꮟᏼⲃꓐ", "c": "сϲꮯⲥꓚ", "d": "ԁɗðꭰꮷꓓ", "e": "еєεɛꭼⲉꓰ", "f": "ғϝẝꞙꓝ",
    "g": "ɡԍցꮐꓖ", "h": "һнꮋꮒⲏհꓧ", "i": "іιı1l|!ӏїǀɩꭵꓲꓡꮮլⲓ∣", "j": "јϳʝꭻյꓙ", "k": "кκꮶⲕꓗ",
    "m": "мꮇⲙꓟ", "n": "пηոռⲛꓠ", "o": "оοσ0օⲟꓳ", "p": "рρꮲⲣꓑ", "q": "ԛգզ", "r": "гѓʀꭱꮢꓣ",
    "s": "ѕ5ꮪꮥƽտꓢ", "t": "тτꭲⲧꓔ", "u": "υμцսʋꓴ", "v": "ѵνꮩꓦ", "w": "ѡωԝшɯꮃꮤꓪ", "x": "хχ×ⲭꓫ",
    "y": "уγүʏꭹⲩყꓬ", "z": "ʐζꮓꓜ", "3": "зʒȝӡ", "6": "б", "ae": "æӕ", "oe": "œ",
}  # fmt: skip
_SKELETON = {twin: letter for letter, twins in _TWINS.items() for twin in twins.casefold()}
_LUNATE = str.maketrans("Ϲϲ", "Cc")
"""NFKC makes another sigma of this one, which has another look."""
_CAPITALS = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX")
_SMALL = str.maketrans("ημνυ", "hmny")
"""Greek letters whose capital is another letter's twin than the small one is."""
_LATIN = re.compile(
    "LATIN (?:(?:SMALL|CAPITAL) LETTER (?:DOTLESS |SCRIPT )?|LETTER SMALL CAPITAL )"
    "([A-Z])(?: WITH .*)?"
)


def skeleton(name: str) -> str:
    """What two names share if a person could take one for the other."""
    plain = unicodedata.normalize("NFKD", name.translate(_LUNATE))
    # Among Latin letters a Greek one is what it looks like; among its own, case must not matter.
    if any(char.isascii() and char.isalpha() for char in plain):
        folded = plain.translate(_CAPITALS).casefold()
    else:
        folded = plain.casefold().translate(_SMALL)
    bare = "".join(map(_alike, unicodedata.normalize("NFKD", folded)))
    return bare.replace("rn", "m").replace("vv", "w") or folded


def _alike(char: str) -> str:
    """What stands for a character and all that look like it; nothing for ornaments."""
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


def line(text: str, longest: int, at: str) -> str:
    """One line of a person's text, in its normal form."""
    said = unicodedata.normalize("NFC", text).strip()
    if not said:
        raise unreadable(say("must not be empty."), at)
    if len(said) > longest:
        raise unreadable(_too_long(longest), at)
    if not said.isprintable() or BIDI.intersection(said):
        raise unreadable(say("must be one line, without control characters."), at)
    if INVISIBLE.intersection(said) or _SELECTORS.issuperset(said):
        raise unreadable(say("must not hold characters that nobody sees."), at)
    return said


def _too_long(most: int) -> str:
    return says("must have at most {n} character.", "must have at most {n} characters.", most)


def message(text: str) -> str:
    """A person's text of several lines."""
    said = unicodedata.normalize("NFC", text).replace("\r\n", "\n").strip()
    if not said:
        raise unreadable(say("must not be empty."), "text")
    if len(said) > LONGEST_MESSAGE:
        raise unreadable(_too_long(LONGEST_MESSAGE), "text")
    if not said.replace("\n", " ").replace("\t", " ").isprintable() or BIDI.intersection(said):
        raise unreadable(say("must not hold control characters."), "text")
    return said
