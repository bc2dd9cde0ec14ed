"""Visitors who read the test language, and what is not translated on their pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from service.boards import atlas
from service.notify.hook_types import TYPES
from tests.service.support.owing import change
from tests.site.visiting import Guest
from tests.support.foreign_readers import english_in, names_on, page_text
from tests.support.mail_links import Place, placed

NAMES = (
    *("Ada", "Ben", "Cem", "Dan", "nobody"),
    *("USA", "Europe", "United Kingdom", "Browser", "UTC", "Slack", "Discord", "ntfy"),
)
"""Names of players, boards, browsers, the time zone and other services: not translated."""
LETTER = (
    "Subject",
    "To",
    "MIME-Version",
    "Content-Type",
    "multipart/alternative; boundary=nm-first",
)
CODES = ("read", "play", "manage", "webhook.ping", "tk_", "Pa", *TYPES, *LETTER)
"""Codes and header names for programmers and the letters on cards: the same in every language."""
ORDERS = ("draw for 2 turns", "take green, else draw", "claim … when I can", "draw")
"""Examples of orders, which are notation in every language."""


class Visitors:
    """Visitors who read the test language, and the untranslated words on their pages.

    The stranger's browser sends Accept-Language; the member's did so only when signing up.
    """

    def __init__(self, place: Place) -> None:
        self.place, self.app, self.desk = place, place.app, place.desk
        self.stranger, self.member = Guest(self.app), Guest(self.app)
        for guest in (self.stranger, self.member):
            guest.web.environ_base["HTTP_ACCEPT_LANGUAGE"] = "nl-BE,nl;q=0.9"
        self.member.send("/sign-up", "/sign-in", name="Cem", email="cem@example.org")
        del self.member.web.environ_base["HTTP_ACCEPT_LANGUAGE"]
        self.left: dict[str, set[str]] = {}
        maps = [atlas.board(board) for board in atlas.board_ids()]
        self.names = [*NAMES, *CODES, *ORDERS, *(map_.name for map_ in maps)]
        self.names += [name for map_ in maps for name in names_on(map_)]

    def look(self, answer: TestResponse, *codes: str) -> str:
        """Record the untranslated words of a page besides these codes, and return its HTML."""
        where = f"{answer.request.method} {answer.request.path} {answer.status_code}"
        if answer.status_code == 303:
            return ""
        assert "text/html" in answer.headers["Content-Type"], where
        if 'lang="nl"' not in answer.text:
            self.left[where] = {"the whole page"}
        elif left := english_in(page_text(answer.text), *codes, *self.names):
            self.left[where] = left
        return answer.text

    def get(self, *paths: str, who: Guest | None = None) -> None:
        """Load pages, and record their untranslated words."""
        for url in paths:
            self.look((who or self.member).web.get(url, headers={"Accept": "text/html"}))

    def send(self, where: str, page: str = "/settings", **fields: object) -> None:
        """Send a form as the member, and record the untranslated words of the response."""
        self.look(self.member.send(where, page, **fields))


@pytest.fixture
def visitors(tmp_path: Path, foreign: str) -> Iterator[Visitors]:
    """Visitors of an application with a game, whose players read the test language."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db", DATA_DIR=str(tmp_path)) as place:
        for player in place.players:
            change(place.desk, player, locale=foreign)
        yield Visitors(place)
