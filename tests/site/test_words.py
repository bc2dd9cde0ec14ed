"""The catalogue of texts, its translations, and the language of a reader."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from flask import Flask

from service.i18n import catalogue
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
    """A second language, which is added by a file alone."""
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "messages.po").write_text(GERMAN, encoding="utf-8")
    monkeypatch.setattr(catalogue, "LOCALES", tmp_path)
    for kept in (catalogue.languages, catalogue.language_for, catalogue.catalogue):
        kept.cache_clear()
    yield
    for kept in (catalogue.languages, catalogue.language_for, catalogue.catalogue):
        kept.cache_clear()


@pytest.mark.usefixtures("german")
def test_a_reader_is_spoken_to_in_their_language(app: Flask) -> None:
    """The account's locale or Accept-Language sets the language; missing texts are English."""
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
    """Locales without a translation, and variants of English, are served in English."""
    assert {"en"} == {
        catalogue.language_for(tag) for tag in ("en", "en-GB", "xx", "zh-Hant-TW", "")
    }


def test_the_catalogue_is_up_to_date() -> None:
    """The catalogue's template and all translations are up to date and without faults."""
    assert [] == list(messages.faults(messages.collected(), messages.LOCALES))


TEXTS = (
    *("A card", "{who} waits", "%(who)s waits"),
    ("{n} card of {who}", "{n} cards of {who}"),
)


def _catalogue(*texts: str | tuple[str, ...], locale: str | None = None) -> Catalog:
    made = Catalog(locale=locale)
    for text in texts:
        made.add(text, None, [("code.py", 1)])
    return made


def _language(
    folder: Path, translations: dict[str, str | tuple[str, ...]], *texts: str | tuple[str, ...]
) -> list[str]:
    """The faults of a made-up language that has these texts and these translations."""
    (folder / "eo").mkdir()
    known = _catalogue(*texts, locale="eo")
    for text, translation in translations.items():
        known[text].string = translation
    (folder / "messages.pot").write_bytes(messages.written(_catalogue(*TEXTS)))
    (folder / "eo" / "messages.po").write_bytes(messages.written(known))
    return list(messages.faults(_catalogue(*TEXTS), folder))


@pytest.mark.parametrize(
    ("translations", "wrong"),
    [
        ({"A card": "Karto"}, None),
        ({"{who} waits": "Atendas {who}", "%(who)s waits": "Atendas %(who)s"}, None),
        ({"{n} card of {who}": ("karto de {who}", "{n} kartoj de {who}")}, None),
        ({"{who} waits": "Atendas"}, "lacks {who}"),
        ({"{who} waits": "Atendas {kiu}"}, "has {kiu}"),
        ({"{who} waits": "Atendas {who"}, "lacks {who}"),
        ({"{who} waits": "{who} atendas {"}, "has { outside"),
        ({"%(who)s waits": "Atendas {who}"}, "has {who}"),
        ({"%(who)s waits": "%(who)s atendas 100%"}, "has % outside"),
        ({"{n} card of {who}": ("karto", "{n} kartoj de {who}")}, "lacks {who}"),
        ({"A card": "{n} karto"}, "has {n}"),
    ],
)
def test_a_translation_has_the_values_of_its_text(
    tmp_path: Path, translations: dict[str, str | tuple[str, ...]], wrong: str | None
) -> None:
    """A translation has exactly the placeholders of its text; a singular may omit the number."""
    translated = _language(tmp_path, translations, *TEXTS)
    assert [] == translated if wrong is None else wrong in translated[0]


def test_a_language_that_lacks_a_text_is_out_of_date(tmp_path: Path) -> None:
    """A translation file that lacks a text is reported as out of date."""
    late = "locales/eo/messages.po is out of date; run: make messages"
    assert [late] == _language(tmp_path, {}, *TEXTS[1:])


def test_a_map_without_variants_is_collected(tmp_path: Path) -> None:
    """The name of a map is collected, even if the map has no variants."""
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "map.toml").write_text('name = "Toy railways"\n', encoding="utf-8")

    assert "Toy railways" in messages.collected(tmp_path)


def test_texts_that_were_not_collected_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check fails while texts are not collected, and passes once they are."""
    monkeypatch.setattr(messages, "collected", lambda: _catalogue(*TEXTS))
    assert 1 == messages.main(check=True, folder=tmp_path)
    (tmp_path / "eo").mkdir()
    (tmp_path / "eo" / "messages.po").write_bytes(messages.written(Catalog(locale="eo")))
    assert 0 == messages.main(check=False, folder=tmp_path)
    assert 0 == messages.main(check=True, folder=tmp_path)
