"""Readers of the test language, and the untranslated words in a mail or on a page."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest

from engine.board import Board
from service.i18n import catalogue
from tests.support.pseudo_language import Marked, unmarked

FOREIGN = "nl"
"""The locale of the test language; Babel knows its names of days and months."""
SPOKEN = ("alt", "title", "aria-label", "placeholder", "data-cannot")
"""Attributes whose text people read or hear."""
SILENT = ("script", "style", "code", "pre", "time", "datalist")
"""Elements without translated text: scripts, code, times that Babel formats, language tags."""
EMPTY = ("input", "img", "link", "meta", "br", "source")
_COMMAND = re.compile(r"\[[^\]]*\]")
_ADDRESS = re.compile(r"\S+(?:://|@)\S+|/v1/\S+")
_WORD = re.compile(r"[^\W\d_]{2,}")


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A locale whose translations are the texts of the catalogue in brackets."""
    real = catalogue.catalogue
    monkeypatch.setattr(catalogue, "languages", lambda: (catalogue.ENGLISH, FOREIGN))
    monkeypatch.setattr(
        catalogue, "catalogue", lambda language: Marked() if language == FOREIGN else real(language)
    )
    catalogue.language_for.cache_clear()
    yield FOREIGN
    catalogue.language_for.cache_clear()


class _Page(HTMLParser):
    """Collects the text of a page and of the attributes that people read or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if not self._silent and tag not in SILENT:
            self.texts += [given[name] or "" for name in SPOKEN if name in given]
        named = given.get("name") == "time_zone" or (given.get("lang") == "en" and tag != "html")
        if tag not in EMPTY and (self._silent or tag in SILENT or named):
            self._silent.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._silent and tag not in EMPTY:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.texts.append(data)


def page_text(page: str) -> str:
    """The text that people read or hear on a page."""
    reader = _Page()
    reader.feed(page)
    return "\n".join(reader.texts)


def english_in(text: str, *names: str) -> set[str]:
    """The untranslated words in a text, without names, commands and addresses."""
    left = unmarked(text + "⟧" * (text.count("⟦") - text.count("⟧")))
    left = _ADDRESS.sub(" ", _COMMAND.sub(" ", left))
    known = {word for name in ("Nightmail", *names) for word in _WORD.findall(name)}
    return set(_WORD.findall(left)) - known


def names_on(board: Board) -> list[str]:
    """The names of a board's cities and other places, which are not translated."""
    cities = [city.name for city in board.cities.values()]
    return [*cities, *(place.name for place in board.places.values())]
