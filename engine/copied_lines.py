"""Reads a line that was copied from the menu of an email back as the entry that it shows.

An email prints an entry as its number, its title, and facts such as points and ways to pay. A copy
may lack the number or the facts, and end where the email broke the line. Every word of it has to
belong to that entry, so that nothing a player adds is overlooked.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from engine.errors import Unreadable
from engine.menu import Entry, Menu
from engine.text import points, shown
from engine.translate import cached_by_language, say, says

if TYPE_CHECKING:
    from engine.ruleset import Ruleset

BROKEN_FROM = 55
"""Characters from which an email may have broken the line, so that it ends within a fact."""

_PRINTED = re.compile(r"[\w\s.,:;()/+&'’\"“”·•–—−-]*")
"""The characters that a menu prints; a question mark, for example, is a player's own."""
_NUMBERED = re.compile(r"([0-9]{1,3})[.):]{0,2}\s+(\S.*)")


def numbered_words(text: str) -> tuple[int | None, str]:
    """The number before the words of a copied line, if it has one, and the words."""
    match = _NUMBERED.fullmatch(text.strip())
    return (int(match[1]), match[2]) if match else (None, text.strip())


def copied_entry(rules: "Ruleset", entries: Menu, text: str) -> Entry | None:
    """The entry of which this is a copied line; None if it is none.

    Entries with the same title, such as two red cards, are told apart by the number; without one
    the first is meant. Raises Unreadable if the number belongs to another entry than the words.
    """
    if not _PRINTED.fullmatch(text):
        return None
    number, line = numbered_words(text)
    words, is_broken = _words(line), len(text) >= BROKEN_FROM
    places = [
        place
        for place, entry in enumerate(entries, 1)
        if entry.choice is None and _shows(rules, entry, words, is_broken=is_broken)
    ]
    if len({entries[place - 1].title for place in places}) != 1:
        return None
    place = number if number in places else places[0]
    check_number(number, place, text)
    return entries[place - 1]


def check_number(number: int | None, place: int, text: str) -> None:
    """Refuse a copied line whose number is not that of the entry which its words name."""
    if number is not None and number != place:
        raise Unreadable(
            say("The number and the words of “{line}” mean different moves.", line=shown(text))
        )


def _shows(rules: "Ruleset", entry: Entry, words: tuple[str, ...], *, is_broken: bool) -> bool:
    """Whether these words are the title of an entry, and facts that an email prints after it."""
    title = _words(entry.title)
    if words[: len(title)] != title:
        return False
    rest = words[len(title) :]
    facts = sorted(_facts(entry), key=len, reverse=True)
    while rest:
        fact = next((fact for fact in facts if fact and rest[: len(fact)] == fact), None)
        if fact is None:
            leads = list(map(_words, _before_tickets()))
            # A number at the end may be another move, as in “… or 4”.
            is_start = is_broken and not rest[-1].isdigit()
            is_start = is_start and any(text[: len(rest)] == rest for text in (*facts, *leads))
            return is_start or any(_names_tickets(rules, rest, lead) for lead in leads)
        rest = rest[len(fact) :]
    return True


def _facts(entry: Entry) -> Iterator[tuple[str, ...]]:
    """What an email may print after the title of an entry."""
    yield _words(points(entry.points))
    yield _words(entry.note)
    yield _words(entry.costs)
    yield _words(say("{some}; or {last}", some="", last=""))
    for number, way in enumerate(entry.ways, 1):
        yield _words(way.label)
        yield _words(says("{n} other way", "{n} other ways", number))


def _before_tickets() -> tuple[str, ...]:
    """What an email prints before the tickets that an entry serves."""
    return tuple(
        says("for your ticket {tickets}", "for your tickets {tickets}", number, tickets="")
        for number in (1, 2)
    )


def _names_tickets(rules: "Ruleset", words: tuple[str, ...], lead: tuple[str, ...]) -> bool:
    """Whether these words say which tickets an entry serves."""
    at = len(lead)
    return words[:at] == lead and _ticket_words(rules).issuperset(words[at:])


@cached_by_language(64)
def _ticket_words(rules: "Ruleset") -> frozenset[str]:
    """All words of the names of tickets, and those between them."""
    board = rules.board
    names = [city.name for city in board.cities.values()]
    names += [place.name for place in board.places.values()]
    between = [say("{some} and {last}", some="", last="")]
    between += [says("{n} other", "{n} others", number) for number in range(1, 30)]
    worth = [str(abs(ticket.points)) for ticket in board.tickets.values()]
    return frozenset(word for text in (*names, *between, *worth) for word in _words(text))


@lru_cache(maxsize=1 << 12)
def _words(text: str) -> tuple[str, ...]:
    """The words of a text in lower case, without accents and punctuation."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    kept = (char if char.isalnum() else " " for char in bare if not unicodedata.combining(char))
    return tuple("".join(kept).split())
