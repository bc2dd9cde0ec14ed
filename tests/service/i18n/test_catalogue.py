"""Languages of the catalogue, and the language of the current reader."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.translate import say
from service.i18n import catalogue

MESSAGES = """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Played."
msgstr "Jogado."
"""


@pytest.fixture
def portuguese(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A catalogue with one more language, pt-BR, in a single file."""
    folder = tmp_path / "pt_BR"
    folder.mkdir()
    (folder / "messages.po").write_text(MESSAGES, encoding="utf-8")
    monkeypatch.setattr(catalogue, "LOCALES", tmp_path)
    _forget()
    yield
    _forget()


def _forget() -> None:
    for cached in (catalogue.languages, catalogue.language_for, catalogue.catalogue):
        cached.cache_clear()


@pytest.mark.usefixtures("portuguese")
def test_a_language_is_a_file() -> None:
    """Readers with its locale get its texts, and in English those that it lacks."""
    assert ("en", "pt-BR") == catalogue.languages()
    with catalogue.speaking_to("pt-BR"):
        assert ("pt-BR", "Jogado.") == (catalogue.current_language(), say("Played."))
        assert "Confirm" == say("Confirm")


@pytest.mark.usefixtures("portuguese")
@pytest.mark.parametrize(
    ("locale", "language"),
    [("pt-BR", "pt-BR"), ("pt-BR-x-rio", "pt-BR"), ("pt", "en"), ("de", "en"), ("", "en")],
)
def test_a_locale_gets_the_nearest_language(locale: str, language: str) -> None:
    """Subtags are dropped from the end until a language fits; without one it is English."""
    assert language == catalogue.language_for(locale)


@pytest.mark.usefixtures("portuguese")
def test_the_language_ends_with_the_block() -> None:
    """The language is reset at the end of the block, even if the block raises."""
    with pytest.raises(ZeroDivisionError), catalogue.speaking_to("pt-BR"):
        1 / 0  # noqa: B018  # it fails
    assert ("en", "Played.") == (catalogue.current_language(), say("Played."))


def test_a_marked_text_stays_english() -> None:
    """`sayable` marks a text for translation and returns it in English."""
    with catalogue.speaking_to("pt-BR"):
        assert "Played." == catalogue.sayable("Played.")
