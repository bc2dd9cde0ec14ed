"""Sets aside what people write around a move: a greeting, a closing with their name, and thanks.

Only lines that are certainly a courtesy are set aside: a known phrase, alone or with a name. A line
with a number, with a word with which a command begins, or with one that denies something never is.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from service.replies.reading.courtesy_words import (
    ADDRESSED,
    CLOSING_ENDS,
    CLOSINGS,
    FRIENDLY,
    GREETINGS,
    ORNAMENTS,
    POINTERS,
    POLITE,
)
from service.replies.reading.denial_words import denies
from service.replies.reading.words import folded, may_be_command

MOST_GREETINGS = 2
"""Lines of a greeting."""
MOST_WORDS = 4
"""Words of a line with a name, and words before the end of a closing."""
MOST_NAMES = 3
"""Words of a name in the line of a greeting or closing."""
MOST_NAME_LINES = 3
"""Lines below a closing: a name, perhaps a place or a company."""
MOST_CONTACT_LINES = 4
"""Lines with a telephone number or an address below the name."""
LONGEST_NAME = 60

_ASKS = ("?", "\N{FULLWIDTH QUESTION MARK}", "\N{ARABIC QUESTION MARK}")
_ENDS = " ,.;:!-–—)("
_SEPARATORS = (",", ";", ":", "!", "(", "…")
"""Marks after which a sentence goes on; a name has none of them."""
_AROUND = ".,;:!-–—'\"“”„()*_"
_CONTACTS = (
    *("tel", "phone", "fon", "telefon", "mobile", "mobil", "mob", "fax", "cell", "www.", "http"),
    *("+", "e-mail", "email", "mail:", "tél", "móvil", "cel", "m:", "t:", "p:", "f:", "w:"),
)


class Sorted(NamedTuple):
    """The lines that a person wrote in one piece."""

    lines: list[str]
    """Lines that are to be read."""
    aside: list[str]
    """Courtesies."""


def sort(lines: Sequence[str], names: Collection[str], *, is_first: bool) -> Sorted:
    """Set the courtesies aside that stand around these lines.

    `names` are names of the writer; `is_first` says that nothing was written above.
    """
    start = _greetings(lines) if is_first else 0
    end = _closing(lines, start, names)
    kept: list[str] = []
    aside = [*lines[:start]]
    for line in lines[start:end]:
        (aside if _is_only_polite(line) else kept).append(line)
    return Sorted(kept, [*aside, *lines[end:]])


def _greetings(lines: Sequence[str]) -> int:
    """Return how many lines at the beginning greet somebody."""
    number = 0
    while number < min(MOST_GREETINGS, len(lines)) and _is_greeting(lines[number]):
        number += 1
    return number


def _is_greeting(line: str) -> bool:
    return _follows(line, GREETINGS)


def _is_closing(line: str, names: Collection[str]) -> bool:
    words = folded(line).split()
    ends_as_one = words[-1:] != [] and words[-1] in CLOSING_ENDS and len(words) <= MOST_WORDS + 1
    return _follows(line, CLOSINGS, names) or (ends_as_one and _means_nothing(line))


def _follows(line: str, phrases: frozenset[str], names: Collection[str] = ()) -> bool:
    """Return whether a line is one of the phrases, alone or with a name or another of them."""
    phrase = _phrase_of(line, phrases)
    if phrase is None or any(mark in line for mark in _ASKS):
        return False
    rest = line.split()[len(phrase.split()) :]
    if folded(" ".join(rest)) != folded(line).removeprefix(phrase).strip():
        return False  # the phrase ends within a word
    after = folded(" ".join(rest))
    first, _, others = after.partition(" ")
    if after in names or (first in ADDRESSED and others in phrases):
        return _means_nothing(after)
    return len(rest) <= MOST_NAMES and _is_named(" ".join(rest))


def _is_named(text: str) -> bool:
    """Return whether a text has nothing but names, with capital letters, and words around them."""
    if any(mark in text.rstrip(_ENDS) for mark in _SEPARATORS):
        return False
    words = [word.strip(_AROUND) for word in text.split()]
    are_names = all(word[:1] != word[:1].lower() or _is_uncased(word) for word in words)
    return are_names and _means_nothing(text)


def _is_uncased(word: str) -> bool:
    """Return whether a word is punctuation, or one that joins names, such as “van”."""
    return word.upper() == word.lower() or folded(word) in ADDRESSED


def _means_nothing(text: str) -> bool:
    """Return whether a text has no word of a command, and none that takes something back."""
    return not may_be_command(text) and not denies(text)


def _phrase_of(line: str, phrases: frozenset[str]) -> str | None:
    """Return the longest of the phrases with which a line begins; None if it begins with none."""
    words = folded(line).split()[: MOST_WORDS + 2]
    for count in range(len(words), 0, -1):
        if (beginning := " ".join(words[:count])) in phrases:
            return beginning
    return None


def _is_only_polite(line: str) -> bool:
    """Return whether a line has only polite words or friendly pictures, and asks nothing."""
    words = folded(line)
    if any(mark in line for mark in _ASKS) or not words:
        return FRIENDLY.union(ORNAMENTS).issuperset(line)
    return any(words in known for known in (POLITE, CLOSINGS, GREETINGS, POINTERS))


def _closing(lines: Sequence[str], start: int, names: Collection[str]) -> int:
    """Return where the closing begins at the end of the lines; their number if there is none."""
    lowest = max(start, len(lines) - 2 - MOST_NAME_LINES - MOST_CONTACT_LINES)
    for number in range(lowest, len(lines)):
        if _is_closing(lines[number], names) and _is_tail(lines[number + 1 :], names):
            return number
    if len(lines) > start and _is_own_name(lines[-1], names):
        return len(lines) - 1
    return len(lines)


def _is_tail(lines: Sequence[str], names: Collection[str]) -> bool:
    """Return whether these lines are what people write below a closing."""
    lines = _without(lines, lambda line: _is_closing(line, names), 1)
    lines = _without(
        lines, lambda line: _is_own_name(line, names) or _is_name(line), MOST_NAME_LINES
    )
    return not _without(lines, _is_contact, MOST_CONTACT_LINES)


def _without(lines: Sequence[str], is_such: Callable[[str], bool], most: int) -> Sequence[str]:
    """Return the lines without those at their beginning that match, of which `most` are dropped."""
    number = 0
    while number < min(most, len(lines)) and is_such(lines[number]):
        number += 1
    return lines[number:]


def _is_name(line: str) -> bool:
    """Return whether a line may be the name of a person, a place or a company."""
    if len(line) > LONGEST_NAME or any(mark in line for mark in _ASKS):
        return False
    words = folded(line).split()
    is_single = len(words) == 1 and _means_nothing(line)
    return is_single or (len(words) <= MOST_WORDS and _is_named(line))


def _is_contact(line: str) -> bool:
    """Return whether a line is a telephone number, an address of a page or an email address."""
    lowered = line.lower()
    return lowered.startswith(_CONTACTS) or ("@" in lowered and " " not in lowered)


def _is_own_name(line: str, names: Collection[str]) -> bool:
    return folded(line) in names and not may_be_command(line)


def names_of(display_name: str) -> frozenset[str]:
    """Return the names with which the owner of a display name signs: all of it, and the first."""
    words = folded(display_name).split()
    every = {" ".join(words), words[0] if words else "", words[-1] if words else ""}
    return frozenset(every - {""})
