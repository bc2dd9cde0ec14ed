"""Reads the days of an absence as people write them, in many languages.

A month is written by its name, the whole date as 2030-07-03, or day and month with dots, as 25.12.,
where the day comes first in every language. With a slash some write the day first and others the
month, so 12/25 and 25/12 are read and 03/07 is refused. Names of months come from the Unicode CLDR.
"""

import re
import unicodedata
from datetime import date
from functools import cache
from typing import NamedTuple

from babel import Locale
from babel.core import UnknownLocaleError

from engine.errors import Unreadable
from engine.translate import say
from service.i18n import catalogue

LANGUAGES = ("en", "de", "fr", "es", "pt", "ro")
"""Languages whose names of months are read, besides those of the catalogue."""

_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_IN_NUMBERS = re.compile(
    r"(?<![0-9/.])([0-9]{1,2})([/.])([0-9]{1,2})(?:\2([0-9]{4}))?\2?(?![0-9/.])"
)
"""A date such as 12/25, 25.12. or 25.12.2030."""
_SLASH = re.compile(r"[0-9]/[0-9]")
_MONTH_MARK = "#"
"""Stands before a month that was written as a number."""
_WORD = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|#?[0-9]+|[^\W\d_]+|-")
_TO = {"-", "to", "until", "till", "through", "bis", "au", "al", "hasta", "a", "ate", "pana", "la"}
"""Words between the first and the last day."""
_SMALL = {
    *("from", "the", "of", "on", "and", "st", "nd", "rd", "th", "vom", "von", "der", "den", "dem"),
    *("du", "le", "de", "er", "del", "el", "desde", "do", "da", "dia", "din", "e"),
}
"""Words that say nothing about a date, and the endings of 1st and 1er."""


class _Day(NamedTuple):
    """A day as far as it was written."""

    day: int
    month: int | None
    year: int | None


def read_days(text: str, today: date) -> tuple[date, date]:
    """Return the first and the last day of an absence; without a year, the next one possible."""
    lowered = _folded(text)
    try:
        days = [_day(part) for part in _parts(_with_marked_months(lowered))]
        if len(days) == 1:
            first = last = days[0]
        else:
            first, last = days
        # “3-10 July” and “July 3-10” name the month once.
        first = first._replace(month=first.month or last.month)
        last = last._replace(month=last.month or first.month)
        if first.year is None and len(days) > 1 and last.year is not None:
            first = first._replace(year=_year_before(first, last))
        begins = _next(first, today)
        return begins, _next(last, begins)
    except ValueError:
        raise _refusal(lowered) from None


def _folded(text: str) -> str:
    """Return text in lower case, without accents, with plain hyphens."""
    bare = unicodedata.normalize("NFKD", text.casefold().replace("–", "-").replace("—", "-"))
    kept = "".join(char for char in bare if not unicodedata.combining(char))
    return kept.replace(_MONTH_MARK, " ")


def _with_marked_months(text: str) -> str:
    """Return the text with 12/25/2030 as “25 #12 2030”.

    Raises ValueError if the order is not clear. If only one order is possible for one of the dates,
    it counts for the other one too.
    """
    slashed = [match for match in _IN_NUMBERS.finditer(text) if match[2] == "/"]
    day_first = any(int(match[1]) > 12 for match in slashed)
    month_first = any(int(match[3]) > 12 for match in slashed)
    is_either = all(int(match[1]) == int(match[3]) for match in slashed)
    if slashed and not is_either and day_first == month_first:
        raise ValueError("either number may be the month")

    def marked(match: re.Match[str]) -> str:
        day, month = match[1], match[3]
        if match[2] == "/" and month_first:
            day, month = month, day
        return f" {day} {_MONTH_MARK}{month} {match[4] or ''} "

    return _IN_NUMBERS.sub(marked, text)


def _parts(text: str) -> list[list[str]]:
    """Return the words of each day; raises ValueError if there are not one or two days."""
    words = [word for word in _WORD.findall(text) if word not in _SMALL]
    parts: list[list[str]] = [[]]
    for word in words:
        if word in _TO and parts[-1]:
            parts.append([])
        elif word not in _TO:
            parts[-1].append(word)
    if len(parts) > 2 or not all(parts):
        raise ValueError("not one or two days")
    return parts


def _day(words: list[str]) -> _Day:
    """Return a day, with the month before or after it, and perhaps a year."""
    if len(words) == 1 and _ISO.fullmatch(words[0]):
        day = date.fromisoformat(words[0])
        return _Day(day.day, day.month, day.year)
    numbers = [word for word in words if word.isascii() and word.isdigit()]
    names = [word for word in words if word not in numbers]
    years = [number for number in numbers if len(number) == 4]
    days = [number for number in numbers if len(number) <= 2]
    if len(days) != 1 or len(names) > 1 or len(years) > 1 or len(days + years) != len(numbers):
        raise ValueError("not a day")
    month = _month(names[0]) if names else None
    return _Day(int(days[0]), month, int(years[0]) if years else None)


def _month(name: str) -> int:
    """Return the number of a month by its name or the first three letters or more of it."""
    if name.startswith(_MONTH_MARK):
        return int(name.removeprefix(_MONTH_MARK))
    if name in _months():
        return _months()[name]
    matches = {number for known, number in _months().items() if known.startswith(name)}
    if len(name) < 3 or len(matches) != 1:
        raise ValueError("no month")
    return matches.pop()


@cache
def _months() -> dict[str, int]:
    """Return the numbers of the months by their names; a name that means two months is left out."""
    numbers: dict[str, set[int]] = {}
    for language in dict.fromkeys((*LANGUAGES, *catalogue.languages())):
        try:
            months = Locale.parse(language, sep="-").months
        except UnknownLocaleError:
            continue
        for form in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in months[form][width].items():
                    numbers.setdefault(_folded(name).strip("."), set()).add(number)
    return {name: next(iter(matches)) for name, matches in numbers.items() if len(matches) == 1}


def _year_before(first: _Day, last: _Day) -> int | None:
    """Return the year of the first day where only the last one has one: 30 Dec - 2 Jan 2031."""
    if first.month is None or last.month is None or last.year is None:
        return None
    return last.year - ((first.month, first.day) > (last.month, last.day))


def _next(written: _Day, after: date) -> date:
    """Return a day; without a year, the next one that is not before `after`."""
    if written.month is None:
        raise ValueError("no month")
    if written.year is not None:
        return date(written.year, written.month, written.day)
    for year in range(after.year, after.year + 9):  # the next 29 February can be 8 years away
        try:
            day = date(year, written.month, written.day)
        except ValueError:
            continue
        if day >= after:
            return day
    raise ValueError("a day that no month has")


def _refusal(text: str) -> Unreadable:
    examples = say(
        "Write it as “absence 3 Jul - 10 Jul”, “absence July 3 to July 10” or “absence 2030-07-03 "
        "- 2030-07-10”."
    )
    if _SLASH.search(text):
        why = say("We cannot tell which number is the month.")
    else:
        why = say("We could not read the dates of your absence.")
    return Unreadable(f"{why} {examples}")
