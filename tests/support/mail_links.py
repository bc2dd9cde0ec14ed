"""A game whose players have mail addresses, and the links in their letters."""

import html
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine import Entry
from service.desk import Desk
from service.games import lobby, moves
from service.games.inviting import invitations
from service.games.move_requests import MoveRequest
from service.links import signed_links
from service.people import accounts
from service.views import story
from service.views.story import OpenDecision
from store import timestamps
from store.games import games
from store.games.games import Seated
from store.people import accounts as account_rows
from tests.api.serving import fresh_app
from tests.service.support import tables

ADDRESS = "{}@example.org"
_CHOICE = re.compile(r'<input type="(?:radio|checkbox)" name="(choice|things)" value="([^"]*)"')


Answer = dict[str, list[str]]
"""The fields of a form, filled in."""


class Place(NamedTuple):
    """An application, and a game of two players in it."""

    app: Flask
    desk: Desk
    game: str
    players: list[str]

    @property
    def web(self) -> FlaskClient:
        """A new HTTP client without cookies."""
        return self.app.test_client()

    def seat(self, number: int = 0) -> Seated:
        """A seat as it is stored now."""
        with self.desk.database.reading() as tx:
            table = games.table(tx, self.game)
        assert table is not None
        return table.seated[number]

    def version(self) -> int:
        """The version of the game."""
        with self.desk.database.reading() as tx:
            return games.version(tx, self.game) or 0

    def action(self, entry: str | None = None, number: int = 0) -> str:
        """The path of an action link for an entry of a seat's open decision, by its text."""
        version = self.seat(number).decision_version
        assert version is not None
        if entry is None:
            entry = self.entries(number)[0].text
        return path(action_link(self.desk, self.game, number, version, entry))

    def entries(self, number: int = 0) -> list[Entry]:
        """The menu of a seat's open decision."""
        return [numbered.entry for numbered in self._decision(number).entries]

    def _decision(self, number: int) -> OpenDecision:
        seat_story = story.of_account(self.desk, self.game, self.players[number])
        assert seat_story is not None
        assert seat_story.decision is not None
        return seat_story.decision

    def letter(self, *lines: str, number: int = 0) -> str:
        """The path of a link that confirms a reply with these lines."""
        version = self.seat(number).decision_version
        assert version is not None
        desk, now = self.desk, self.desk.now()
        link = signed_links.confirm_letter(desk, self.game, number, version, list(lines), now)
        return path(link)

    def commands(self, *lines: str) -> str:
        """The path of a link that confirms a mail of the first seat to the service."""
        with self.desk.database.reading() as tx:
            account = account_rows.account(tx, self.players[0])
        assert account is not None
        email = account.email or ""
        return path(signed_links.confirm_commands(self.desk, account.id, email, list(lines)))

    def turn(self, number: int | None = None) -> str:
        """The path of the turn link of a seat; by default of the seat that is awaited first."""
        if number is None:
            number = self.awaited()
        decision = self.seat(number).decision_version
        assert decision is not None
        return path(signed_links.turn(self.desk, self.game, number, decision))

    def awaited(self) -> int:
        """The first seat with an open decision."""
        return 0 if self.seat(0).decision_version is not None else 1

    def void(self, number: int = 0) -> None:
        """Report an email to a seat as forwarded."""
        link = path(signed_links.forwarded(self.desk, self.game, number))
        assert 200 == self.web.post(link, data={"choice": "void"}).status_code

    def move(self, number: int = 0) -> None:
        """Make a move for a seat without using a link."""
        text = self._decision(number).examples[0].text
        moves.submit(self.desk, self.players[number], self.game, MoveRequest(text))

    def past_tickets(self) -> None:
        """Let everybody choose their first tickets, so that one of them has a turn."""
        tables.keep_tickets(self.desk, self.game, self.players)

    @contextmanager
    def later(self, by: timedelta) -> Iterator[None]:
        """Move the application's clock forward inside the block."""
        now = self.desk.now
        moved: Callable[[], str] = lambda: timestamps.later(now(), by)  # noqa: E731  # it has a type
        self.app.extensions["nightmail"] = self.desk._replace(now=moved)
        try:
            yield
        finally:
            self.app.extensions["nightmail"] = self.desk


@contextmanager
def placed(url: str, board: str = "usa", **environ: str) -> Iterator[Place]:
    """An application on this database, with a game of two players who have addresses."""
    app, desk = fresh_app(url, **environ)
    game, players = tables.table(desk, "Ada", "Ben", board=board)
    for player in players:
        with desk.database.writing() as tx:
            account = account_rows.account(tx, player)
            assert account is not None
            email = ADDRESS.format(account.name.lower())
            account_rows.change(tx, player, {"email": email, "email_confirmed": desk.now()})
    try:
        yield Place(app, desk, game, players)
    finally:
        desk.close()


def action_link(desk: Desk, game: str, seat: int, version: int, entry: str) -> str:
    """The link to play one entry of the menu of a decision, named by its text."""
    return signed_links.actions(desk, game, seat, version, [entry])[entry]


def path(link: str) -> str:
    """The path of a link, without its scheme and host."""
    return "/" + link.split("/", 3)[3]


def choices(page: TestResponse | str) -> list[str]:
    """The choices that a page's form offers: of one of them, or of several things."""
    return [value for _, value in _fields(page)]


def answer(page: TestResponse | str) -> Answer:
    """A form filled in: the first choice made, or everything ticked but the last box."""
    fields = _fields(page)
    things = [value for name, value in fields if name == "things"]
    return {"things": things} if things else {name: [value] for name, value in fields[:1]}


def _fields(page: TestResponse | str) -> list[tuple[str, str]]:
    text = page if isinstance(page, str) else page.text
    return [(name, html.unescape(value)) for name, value in _CHOICE.findall(text)]


def hosted(desk: Desk, host: str, guest: dict[str, str], **more: Any) -> tuple[str, str]:
    """Open a table and invite a guest; returns the game and the path of the invitation."""
    new_game = lobby.NewGame("usa", (), 3)._replace(**more)
    game = lobby.open_game(desk, host, new_game, None)["id"]
    made = invitations.invite(desk, host, game, guest, None)
    return game, path(signed_links.invitation(desk, made["id"]))


def unconfirmed(place: Place, email: str = "cem@example.org") -> tuple[str, str]:
    """Create an account; returns its id and the path of the link that confirms its address."""
    made = accounts.create(place.desk, {"name": "Cem", "email": email}, None)["account"]["id"]
    return made, path(signed_links.confirm_address(place.desk, made, email))
