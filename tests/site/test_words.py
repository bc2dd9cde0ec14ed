"""One catalogue for all texts, and the language of whoever reads."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from service import words
from tests.site.visiting import Guest
from tools import messages

GERMAN = """\
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "Open games"
msgstr "Offene Spiele"

msgid "%(num)s free seat"
msgid_plural "%(num)s free seats"
msgstr[0] "%(num)s freier Platz"
msgstr[1] "%(num)s freie Plätze"
"""


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A second language, which takes a file and no line of code."""
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "messages.po").write_text(GERMAN, encoding="utf-8")
    monkeypatch.setattr(words, "LOCALES", tmp_path)
    for kept in (words.languages, words.language_for, words.catalogue):
        kept.cache_clear()
    yield
    for kept in (words.languages, words.language_for, words.catalogue):
        kept.cache_clear()


@pytest.mark.usefixtures("german")
def test_a_reader_is_spoken_to_in_their_language(app: Flask) -> None:
    """By the account's locale, or by what the browser asks for; what is missing is English."""
    Guest(app, "Ada").game(easy="0", seats="3")
    stranger = Guest(app)
    page = stranger.web.get("/games/open", headers={"Accept-Language": "de-AT,de;q=0.9"}).text
    assert '<html lang="de">' in page
    assert "<h1>Offene Spiele</h1>" in page
    assert "2 freie Plätze" in page
    assert "Boards and rules" in page
    ben = Guest(app, "Ben")
    assert '<html lang="en">' in ben.web.get("/games/open").text
    ben.send("/settings/profile", locale="de-CH")
    assert "<h1>Offene Spiele</h1>" in ben.web.get("/games/open").text


def test_a_language_that_we_do_not_speak_is_english() -> None:
    """Whatever the locale is."""
    assert {"en"} == {words.language_for(said) for said in ("en", "en-GB", "xx", "zh-Hant-TW", "")}


def test_the_catalogue_is_up_to_date() -> None:
    """Every text stands in the file that translators begin with, and every language fits."""
    assert [] == list(messages.faults(messages.collected(), messages.LOCALES))
