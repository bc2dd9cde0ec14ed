"""Sets aside what people write around a move: a greeting, a closing with their name, and thanks.

Only lines that are certainly a courtesy are set aside. A line with a number, or with a word with
which a command begins, never is.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from service.replies.reading.courtesy_words import (
    CLOSING_ENDS,
    CLOSINGS,
    DENIALS,
    FRIENDLY,
    GREETINGS,
    ORNAMENTS,
    POINTERS,
    POLITE,
    TAKES_BACK,
)
from service.replies.reading.words import folded, may_be_command

MOST_GREETINGS = 2
"""Lines of a greeting."""
MOST_WORDS = 4
"""Words that follow the phrase of a greeting or closing, and words of a name."""
MOST_NAME_LINES = 3
"""Lines below a closing: a name, perhaps a place or a company."""
MOST_CONTACT_LINES = 4
"""Lines with a telephone number or an address below the name."""
LONGEST_NAME = 60

_ASKS = ("?", "\N{FULLWIDTH QUESTION MARK}", "\N{ARABIC QUESTION MARK}")
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


def takes_back(line: str) -> bool:
    """Whether a line begins with words that take something back, and is short or names a move."""
    phrase = _phrase_of(line, TAKES_BACK)
    if phrase is None:
        return False
    rest = folded(line).removeprefix(phrase).split()
    return len(rest) <= MOST_WORDS or may_be_command(line)


def _greetings(lines: Sequence[str]) -> int:
    """How many lines at the beginning greet somebody."""
    number = 0
    while number < min(MOST_GREETINGS, len(lines)) and _is_greeting(lines[number]):
        number += 1
    return number


def _is_greeting(line: str) -> bool:
    return _follows(line, GREETINGS)


def _is_closing(line: str) -> bool:
    words = folded(line).split()
    ends_as_one = words[-1:] != [] and words[-1] in CLOSING_ENDS and len(words) <= MOST_WORDS + 1
    return _follows(line, CLOSINGS) or (ends_as_one and _means_nothing(line))


def _follows(line: str, phrases: frozenset[str]) -> bool:
    """Whether a line is one of the phrases, with at most a few words that mean nothing to us."""
    phrase = _phrase_of(line, phrases)
    if phrase is None or any(mark in line for mark in _ASKS):
        return False
    rest = folded(line).removeprefix(phrase).strip()
    return len(rest.split()) <= MOST_WORDS and _means_nothing(rest)


def _means_nothing(text: str) -> bool:
    """Whether a text has no word of a command, and none that denies or takes something back."""
    is_denial = not DENIALS.isdisjoint(folded(text).split()) or takes_back(text)
    return not may_be_command(text) and not is_denial


def _phrase_of(line: str, phrases: frozenset[str]) -> str | None:
    """The longest of the phrases with which a line begins; None if it begins with none."""
    words = folded(line).split()[: MOST_WORDS + 2]
    for count in range(len(words), 0, -1):
        if (beginning := " ".join(words[:count])) in phrases:
            return beginning
    return None


def _is_only_polite(line: str) -> bool:
    """Whether a line has nothing but polite words, or friendly pictures, and asks nothing."""
    words = folded(line)
    if any(mark in line for mark in _ASKS) or not words:
        return FRIENDLY.union(ORNAMENTS).issuperset(line)
    return any(words in known for known in (POLITE, CLOSINGS, GREETINGS, POINTERS))


def _closing(lines: Sequence[str], start: int, names: Collection[str]) -> int:
    """Where the closing begins at the end of the lines; their number if there is none."""
    lowest = max(start, len(lines) - 2 - MOST_NAME_LINES - MOST_CONTACT_LINES)
    for number in range(lowest, len(lines)):
        if _is_closing(lines[number]) and _is_tail(lines[number + 1 :]):
            return number
    if len(lines) > start and _is_own_name(lines[-1], names):
        return len(lines) - 1
    return len(lines)


def _is_tail(lines: Sequence[str]) -> bool:
    """Whether these lines are what people write below a closing."""
    lines = _without(lines, _is_closing, 1)
    lines = _without(lines, _is_name, MOST_NAME_LINES)
    return not _without(lines, _is_contact, MOST_CONTACT_LINES)


def _without(lines: Sequence[str], is_such: Callable[[str], bool], most: int) -> Sequence[str]:
    """The lines after at most so many of such lines."""
    number = 0
    while number < min(most, len(lines)) and is_such(lines[number]):
        number += 1
    return lines[number:]


def _is_name(line: str) -> bool:
    """Whether a line may be the name of a person, a place or a company."""
    if len(line) > LONGEST_NAME or any(mark in line for mark in _ASKS):
        return False
    return len(folded(line).split()) <= MOST_WORDS and _means_nothing(line)


def _is_contact(line: str) -> bool:
    """Whether a line is a telephone number, an address of a page or an email address."""
    lowered = line.lower()
    return lowered.startswith(_CONTACTS) or ("@" in lowered and " " not in lowered)


def _is_own_name(line: str, names: Collection[str]) -> bool:
    return folded(line) in names and not may_be_command(line)


def names_of(display_name: str) -> frozenset[str]:
    """The names with which the owner of a display name signs: all of it, and the first."""
    words = folded(display_name).split()
    every = {" ".join(words), words[0] if words else "", words[-1] if words else ""}
    return frozenset(every - {""})
