"""Where the steps of orders stand in a text, and the plain form in which they are read."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.errors import Place, Refusal
from engine.orders import phrases
from engine.text import shown
from engine.translate import say

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

WORD = r"(?<![\w-])(?:{})(?![\w-])"
"""A regular expression for whole words."""
_AND = rf"(?:{phrases.pattern(phrases.AND)})\s+"
_THEN = rf"(?:{phrases.pattern(phrases.THEN)})\s+"
_NEXT = rf"(?:\s*[,.]\s*(?:{_AND})?(?:{_THEN})?|\s+(?:{_AND}{_THEN}|{_AND}|{_THEN}))"
"""What stands between two moves in a line: “draw, draw, and then claim …”."""
_LEADS = re.compile(
    rf"(?:{WORD.format(phrases.pattern((*phrases.GONE, *phrases.ELSE, *phrases.MEANWHILE)))})$"
)
"""Words that lead the move after them, so that it begins no step: “if it is gone, claim …”."""


def places(rules: "Ruleset", text: str) -> list[Place]:
    """Where the steps stand in a text: on lines of their own, or one after the other in a line."""
    spans = (span for line in re.finditer(r"[^;\r\n]+", text) for span in _spans(rules, line))
    return [
        Place(number, start, end)
        for number, (start, end) in enumerate(_trimmed_spans(text, spans), 1)
    ]


def _spans(rules: "Ruleset", line: re.Match[str]) -> Iterator[tuple[int, int]]:
    """The steps of a line: a move after a comma or “then” begins one, unless a word leads it."""
    text, begins, at = _folded(line[0]), _begins(rules), 0
    for match in re.finditer(rf"{_NEXT}(?={begins})", text):
        before = text[at : match.start()]
        if re.search(begins, before) and not _LEADS.search(before.rstrip(" \t:")):
            yield line.start() + at, line.start() + match.start()
            at = match.end()
    yield line.start() + at, line.end()


@lru_cache(maxsize=1 << 8)
def _begins(rules: "Ruleset") -> str:
    """A regular expression for the words with which a step begins, in folded text."""
    return WORD.format(phrases.pattern((*rules.keys("orders"), *phrases.COLLECT, *phrases.ASK)))


def _trimmed_spans(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Without the spaces around each piece, and without empty pieces."""
    for start, end in spans:
        piece = text[start:end]
        if bare := piece.strip():
            begin = start + piece.index(bare)
            yield begin, begin + len(bare)


def _folded(text: str) -> str:
    """Lower case without accents, character by character, so that places stay the same."""
    folded = (unicodedata.normalize("NFKD", c.casefold())[:1] or c for c in text)
    return "".join(folded).replace("’", "'")


def placed(refusal: Refusal, place: Place, text: str) -> Refusal:
    """The refusal with the place of its step, which its sentence names, too."""
    refusal.place = place
    refusal.sentence = say(
        "Step {step}, “{words}”: {reason}",
        step=place.step,
        words=shown(text[place.start : place.end]),
        reason=refusal.sentence,
    )
    return refusal


def simple(text: str) -> str:
    """Lower case, no accents, single spaces, plain hyphens and apostrophes."""
    bare = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    kept = "".join(c for c in bare if not unicodedata.combining(c))
    kept = kept.replace("–", "-").replace("—", "-").replace("all'", "al ").strip(" \t.!")
    return " ".join(kept.split()).replace(" - ", "-")
