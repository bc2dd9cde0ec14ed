"""The language that sentences are said in: English stands in the code, a catalogue knows the rest.

Whoever speaks to somebody opens that reader's catalogue around it; who opens none speaks English.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from gettext import NullTranslations
from typing import TypeVar

T = TypeVar("T", bound=Hashable)

_ENGLISH = NullTranslations()
_SPOKEN = ContextVar("spoken", default=_ENGLISH)


@contextmanager
def speaking(catalogue: NullTranslations) -> Iterator[None]:
    """All that is said within is said in the language of this catalogue."""
    before = _SPOKEN.set(catalogue)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def remembered(most: int) -> Callable[[Callable[[T], str]], Callable[[T], str]]:
    """Keeps what a function has said last, in each language on its own."""

    def wrap(function: Callable[[T], str]) -> Callable[[T], str]:
        @lru_cache(maxsize=most)
        def said(_: NullTranslations, what: T) -> str:
            return function(what)

        return lambda what: said(_SPOKEN.get(), what)

    return wrap


def say(text: str, **values: object) -> str:
    """A text in the language spoken now, with its values where their names stand in braces."""
    said = _SPOKEN.get().gettext(text)
    return said.format_map(values) if values else said


def says(one: str, many: str, n: int, **values: object) -> str:
    """A text that depends on a number, which stands in it as {n}."""
    values["n"] = n
    return _SPOKEN.get().ngettext(one, many, n).format_map(values)
