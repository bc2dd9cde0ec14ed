"""Sets the language of a page for the duration of a request. The API always answers in English."""

from collections.abc import Iterable
from contextlib import ExitStack

from flask import Blueprint, Flask, g

from api.http.request import current_request
from service.i18n import catalogue


def set_language(locale: str) -> None:
    """Use the language of this locale for the rest of the request."""
    if "language" not in g:
        g.language = ExitStack()
    g.language.enter_context(catalogue.speaking_to(locale))


def set_browser_language() -> None:
    """Use the language that the browser prefers, if we have it, or English."""
    set_language(
        current_request().accept_languages.best_match(catalogue.languages()) or catalogue.ENGLISH
    )


def set_up(app: Flask, pages: Iterable[Blueprint]) -> None:
    """Set the language for these pages, before anything can refuse a request with a text."""
    names = frozenset(blueprint.name for blueprint in pages)

    @app.before_request
    def begin() -> None:
        if current_request().blueprint in names:
            set_browser_language()

    @app.teardown_request
    def end(_: BaseException | None) -> None:
        g.pop("language", ExitStack()).close()
