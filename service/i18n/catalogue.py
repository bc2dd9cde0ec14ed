"""The one catalogue of texts for people: English is what stands in the code, others lie in files.

A language is a file, `locales/<language>/messages.po`; `make messages` finds every text that is
marked in code, templates and maps. Nobody has to touch code to add one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from engine.translate import speaking

LOCALES = Path(__file__).parents[2] / "locales"
ENGLISH = "en"
_LANGUAGE = ContextVar("language", default=ENGLISH)


@contextmanager
def speaking_to(locale: str) -> Iterator[None]:
    """All that is said within is said to a reader with this locale, in the language for them.

    Mails, pages and answers to mails open it; programs are spoken to in English.
    """
    language = language_for(locale)
    before = _LANGUAGE.set(language)
    try:
        with speaking(catalogue(language)):
            yield
    finally:
        _LANGUAGE.reset(before)


def spoken() -> str:
    """The language that is spoken now, as BCP 47 spells it."""
    return _LANGUAGE.get()


def sayable(text: str) -> str:
    """Marks a text that is kept in English, and said when somebody reads it."""
    return text


@cache
def languages() -> tuple[str, ...]:
    """Every language that we speak, as BCP 47 spells it; English comes first."""
    found = sorted(path.parent.name for path in LOCALES.glob("*/messages.po"))
    return ENGLISH, *(name.replace("_", "-") for name in found)


@lru_cache(maxsize=256)
def language_for(locale: str) -> str:
    """The language in which somebody with this locale is spoken to."""
    said = locale
    while said:
        if said in languages():
            return said
        said = said.rpartition("-")[0]
    return ENGLISH


@cache
def catalogue(language: str) -> NullTranslations:
    """The texts of a language that we speak."""
    if language == ENGLISH:
        return NullTranslations()
    # Compiled while it is read, so that no file has to be made from another.
    with (LOCALES / language.replace("-", "_") / "messages.po").open("rb") as file:
        known = read_po(file)
    compiled = BytesIO()
    write_mo(compiled, known)
    compiled.seek(0)
    return GNUTranslations(compiled)
