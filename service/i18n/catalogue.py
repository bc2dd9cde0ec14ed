"""The catalogue of texts for people: English is written in the code, other languages are files.

A language is a file, `locales/<language>/messages.po`. `make messages` collects every text that is
marked in code, templates and maps, so adding a language needs no change of code.
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
"""The language of the current reader."""


@contextmanager
def speaking_to(locale: str) -> Iterator[None]:
    """Translate all texts within this block for a reader with this locale.

    Letters, pages and answers to replies use it; clients of the API get English.
    """
    language = language_for(locale)
    before = _LANGUAGE.set(language)
    try:
        with speaking(catalogue(language)):
            yield
    finally:
        _LANGUAGE.reset(before)


def current_language() -> str:
    """Return the language of the current reader, as a BCP 47 tag."""
    return _LANGUAGE.get()


def sayable(text: str) -> str:
    """Mark a text for the catalogue; `say` translates it when it is shown."""
    return text


@cache
def languages() -> tuple[str, ...]:
    """Return all languages of the catalogue as BCP 47 tags, English first."""
    folders = sorted(path.parent.name for path in LOCALES.glob("*/messages.po"))
    return ENGLISH, *(name.replace("_", "-") for name in folders)


@lru_cache(maxsize=256)
def language_for(locale: str) -> str:
    """Return the catalogue's language that fits a locale best: pt-BR, else pt, else English."""
    tag = locale
    while tag:
        if tag in languages():
            return tag
        tag = tag.rpartition("-")[0]
    return ENGLISH


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the translations of a language."""
    if language == ENGLISH:
        return NullTranslations()
    # Compiled when it is read, so that no compiled files have to be built and kept.
    with (LOCALES / language.replace("-", "_") / "messages.po").open("rb") as file:
        messages = read_po(file)
    compiled = BytesIO()
    write_mo(compiled, messages)
    compiled.seek(0)
    return GNUTranslations(compiled)
