"""Recognises where a mail program introduces the mail that is answered or forwarded.

Every test looks at a few lines once. Libraries for this use regular expressions that take cubic
time in the length of a line, and anybody can send us a line.
"""

import re
from collections.abc import Sequence

from service.i18n import catalogue
from service.replies.reading.quotation_words import BEGINS, ORIGINALS, ROLES, WROTE
from service.replies.reading.words import COMMAND_WORDS

MARKER = catalogue.sayable("Reply above this line")
"""The line at the top of our letters, in the reader's language; a quotation begins there."""
QUOTE_MARK = ">"
MOST_WRAPPED = 4
"""Lines into which a long attribution is broken."""
LONGEST_QUOTED = 68
"""Characters of a quoted line after which some programs break it without another mark."""

_DATED = re.compile(r"(?:19|20)\d\d|\d{1,2}[:.h]\d\d|\d{1,2}[/.-]\d{1,2}[/.-]\d{2}")
_COLONS = (":", "\N{FULLWIDTH COLON}", ": >", ":*")

_FROM_ROLE = 0
"""The place of the From header among the roles."""
_MOST_HEADERS = 12
"""Lines of a block of headers above a quoted mail."""


def is_quoted(line: str) -> bool:
    """Return whether a line is marked as part of a quotation."""
    return line.startswith(QUOTE_MARK)


def has_marker(line: str) -> bool:
    """Return whether a line holds the marker of our letters, in any language."""
    lowered = line.lower()
    texts = map(catalogue.catalogue, catalogue.languages())
    return any(language.gettext(MARKER).lower() in lowered for language in texts)


def introduction(lines: Sequence[str], number: int) -> int:
    """Return how many lines introduce a quotation, beginning with this one; 0 if it is none."""
    line = lines[number]
    if _is_rule(line) or _is_original(line):
        after = _next_written(lines, number + 1)
        headers = _header_lines(lines, after)
        return after + headers - number if headers else 1
    return _header_lines(lines, number) or _attribution(lines, number)


def is_rest_of_quotation(lines: Sequence[str], number: int) -> bool:
    """Return whether this is the end of a long quoted line, which a program has broken in two."""
    before = lines[number - 1] if number else ""
    first = lines[number].partition(" ")[0]
    return is_quoted(before) and len(before) + len(first) >= LONGEST_QUOTED


def _next_written(lines: Sequence[str], number: int) -> int:
    """Return the first line from here on that is not empty."""
    while number < len(lines) and not lines[number]:
        number += 1
    return number


def _is_rule(line: str) -> bool:
    """Return whether this is a horizontal rule, as Outlook draws it."""
    return len(line) >= 10 and not line.strip("_-=—─ ")


def _is_original(line: str) -> bool:
    """Return whether this is “-----Original Message-----”, in many languages."""
    core = line.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").strip("-_=*—: ")
    if core in ORIGINALS:
        return True
    return line.startswith(("--", "__", "==")) and core.startswith(ORIGINALS)


def _header_lines(lines: Sequence[str], number: int) -> int:
    """Return how many lines from here on are a block of headers such as “From: …”.

    A block has two different headers, or it is the From header with an address.
    """
    roles: set[int] = set()
    last = number
    for place in range(number, min(number + _MOST_HEADERS, len(lines))):
        role = _role(lines[place])
        if role is not None:
            roles.add(role)
            last = place
        elif place == number or not lines[place] or place - last > 1:
            break
    is_block = len(roles) > 1 or (roles == {_FROM_ROLE} and "@" in lines[number])
    return last + 1 - number if is_block else 0


def _role(line: str) -> int | None:
    """Return which header a line is; None if it is none."""
    word, colon, _ = line[:40].replace("\N{FULLWIDTH COLON}", ":").partition(":")
    return ROLES.get(word.strip(" *_>").lower()) if colon else None


def _attribution(lines: Sequence[str], number: int) -> int:
    """Return how many lines from here on are “On Friday Ada wrote:”; 0 if this is none."""
    text = lines[number].lower()
    if not COMMAND_WORDS.isdisjoint(text.split()[:2]):
        return 0
    if _is_attribution(text) or _is_dated_address(lines, number):
        return 1
    if not _opens_attribution(text):
        return 0
    for place in range(number + 1, min(number + MOST_WRAPPED, len(lines))):
        line = lines[place].lower()
        if not line or is_quoted(line) or line.startswith("on "):
            return 0
        before, text = text, f"{text} {line}"
        if _is_attribution(text):
            # The last line may be an attribution of its own, below something else.
            is_whole = "@" not in before and _is_attribution(line) and _DATED.search(line)
            return 0 if is_whole else place + 1 - number
    return 0


def _is_dated_address(lines: Sequence[str], number: int) -> bool:
    """Return whether this is “2026/7/3 Ada <ada@example.org>”, and a quoted line follows."""
    line, after = lines[number], _next_written(lines, number + 1)
    if not (line.endswith(">") and "@" in line and _DATED.search(line)):
        return False
    return after < len(lines) and is_quoted(lines[after])


def _opens_attribution(lowered: str) -> bool:
    """Return whether a line can be the first of an attribution: it has a date, or an address."""
    if len(lowered) < 8:
        return False
    return lowered.startswith(BEGINS) or "@" in lowered or _DATED.search(lowered) is not None


def _is_attribution(lowered: str) -> bool:
    """Return whether a text is a whole attribution, which says who wrote or when, with a colon."""
    is_ruled = lowered.startswith("----") and lowered.endswith("----")
    if not is_ruled and not lowered.rstrip(" >*").endswith(_COLONS):
        return False
    has_address = "@" in lowered and ("<" in lowered or _DATED.search(lowered) is not None)
    return has_address or any(verb in lowered for verb in WROTE)
