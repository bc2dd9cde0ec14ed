"""Translates texts for people with gettext; the English text is in the code.

The caller opens the reader's catalogue with `speaking`. Without one, texts stay English.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from gettext import NullTranslations
from typing import TypeVar

T = TypeVar("T", bound=Hashable)
R = TypeVar("R")

_ENGLISH = NullTranslations()
_CATALOGUE = ContextVar("catalogue", default=_ENGLISH)


@contextmanager
def speaking(catalogue: NullTranslations) -> Iterator[None]:
    """Translate all texts inside the block with this catalogue."""
    before = _CATALOGUE.set(catalogue)
    try:
        yield
    finally:
        _CATALOGUE.reset(before)


def cached_by_language(most: int) -> Callable[[Callable[[T], R]], Callable[[T], R]]:
    """Like `lru_cache` for a function whose result depends on the language."""

    def wrap(function: Callable[[T], R]) -> Callable[[T], R]:
        @lru_cache(maxsize=most)
        def translated(_: NullTranslations, argument: T) -> R:
            return function(argument)

        return lambda argument: translated(_CATALOGUE.get(), argument)

    return wrap


def say(text: str, **values: object) -> str:
    """Translate a text, and fill in the values at their names in braces."""
    translated = _CATALOGUE.get().gettext(text)
    return translated.format_map(values) if values else translated


def says(singular: str, many: str, n: int, **values: object) -> str:
    """Translate a text that depends on a number, which appears in it as {n}."""
    values["n"] = n
    return _CATALOGUE.get().ngettext(singular, many, n).format_map(values)
