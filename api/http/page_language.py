"""The language in which a page is written: the reader's, for as long as the request lasts.

Programs are spoken to in English: for them nothing is opened here.
"""

from collections.abc import Iterable
from contextlib import ExitStack

from flask import Blueprint, Flask, g

from api.http.edge import asked
from service.i18n import catalogue


def speak_to(locale: str) -> None:
    """From here to its end this request speaks to a reader with this locale."""
    if "speech" not in g:
        g.speech = ExitStack()
    g.speech.enter_context(catalogue.speaking_to(locale))


def speak_as_asked() -> None:
    """The same to whoever is not known yet: what their browser asks for, if we speak it."""
    speak_to(asked().accept_languages.best_match(catalogue.languages()) or catalogue.ENGLISH)


def set_up(app: Flask, pages: Iterable[Blueprint]) -> None:
    """Let these pages speak; this comes before whatever may refuse a request in words."""
    names = frozenset(blueprint.name for blueprint in pages)

    @app.before_request
    def begin() -> None:
        if asked().blueprint in names:
            speak_as_asked()

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        g.pop("speech", ExitStack()).close()
