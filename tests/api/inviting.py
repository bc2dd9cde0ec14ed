"""Helpers for invitations: a host, a table with free seats, and the emails to guests."""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.games.inviting import invitation_letters
from service.links import signed_links
from store.games import games
from store.games.games import Table
from store.tables import deliveries, invitations
from tests.api.serving import fresh_app, newcomer
from tests.support.mail_links import path

Headers = dict[str, str]
EMAIL = "dan@example.org"


class Tables:
    """An application, a host, and their table with two free seats."""

    def __init__(self, url: str, **environ: str) -> None:
        self.app, self.desk = fresh_app(url, **environ)
        self.web: FlaskClient = self.app.test_client()
        self.account, self.host = newcomer(self.web, "Ada")
        self.game = self.opened()

    def opened(self, **more: Any) -> str:
        """Open a table and return its id."""
        body = {
            "board": "usa",
            "seats": 3,
            "title": "Evening train",
            "visibility": "public",
            **more,
        }
        return str((self.web.post("/v1/games", json=body, headers=self.host).json or {})["id"])

    def invite(self, game: str = "", headers: Any = None, **guest: str) -> TestResponse:
        """Send an invitation."""
        url = f"/v1/games/{game or self.game}/invitations"
        return self.web.post(url, json=guest, headers=self.host if headers is None else headers)

    def listed(self, headers: Headers | None = None) -> list[dict[str, Any]]:
        """List the invitations."""
        url = f"/v1/games/{self.game}/invitations"
        answer = self.web.get(url, headers=headers or self.host)
        return list((answer.json or {})["invitations"])

    def link(self, **guest: str) -> str:
        """Return the path of the link in an invitation."""
        made = self.invite(**guest).json or {}
        return path(signed_links.invitation(self.desk, made["id"]))

    def table(self) -> Table:
        """Read the table."""
        with self.desk.database.reading() as tx:
            row = games.table(tx, self.game)
        assert row is not None
        return row

    def names(self) -> list[str | None]:
        """List the players."""
        return [seat.name for seat in self.table().seated]

    def let_reservations_end(self) -> None:
        """Let all reservations end now."""
        with self.desk.database.writing() as tx:
            tx.execute(invitations.update().values(reserved_until=self.desk.now()))

    def letters(self) -> list[str]:
        """List the addresses that invitations would be sent to."""
        with self.desk.database.reading() as tx:
            rows = tx.execute(deliveries.select().where(deliveries.c.kind == "invited")).all()
        made = [invitation_letters.letter(self.desk, _id(row.data)) for row in rows]
        return [letter.email for letter in made if letter]


def _id(data: str) -> str:
    return data.split('"')[3]
