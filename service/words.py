"""The one catalogue of texts for people: English is what stands in the code, others lie in files.

A language is a file, `locales/<language>/messages.po`; `make messages` finds every text that is
marked in code and templates. Nobody has to touch code to add one.
"""

from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).parent.parent / "locales"
ENGLISH = "en"


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
