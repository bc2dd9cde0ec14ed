"""Incoming mail: players with confirmed addresses, and mails as a mail server passes them on."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import select

from service.desk import Desk
from service.games import lobby, talk
from service.replies import incoming_mail, mailboxes, receive
from service.replies.commands import runner
from service.replies.commands.conversation import Reply
from service.replies.commands.runner import Outcome
from service.replies.mailboxes import Address
from store.games import games
from store.games.games import Seated
from store.people import accounts
from store.tables import moves, notices
from tests.service.support.addresses import reply_address
from tests.service.support.tables import table

MX = "mx.example.net"
PASSED = f"{MX}; dmarc=pass (p=none dis=none) header.from=example.org"
RECEIVED = "from mail.example.org by mx.example.net with ESMTPS; Mon, 2 Mar 2026 18:30:00 +0000"


class Post(NamedTuple):
    """A desk with a running game whose players have confirmed addresses."""

    desk: Desk
    game: str
    players: list[str]
    """The account of each seat, in the order of the seats."""

    def at(self, moment: str) -> "Post":
        """The same game, with the clock stopped at this moment."""
        return self._replace(desk=self.desk._replace(now=lambda: moment))

    def at_open_table(self) -> "Post":
        """The same players, of whom the first has opened a table that waits for others."""
        new = lobby.NewGame("usa", (), 3, title="Sunday")
        return self._replace(game=lobby.open_game(self.desk, self.players[0], new, None)["id"])

    def carry_out(self, *lines: str) -> Outcome:
        """Carry out lines of the first player about no decision, always with the same key."""
        return runner.carry_out(self.desk, Reply(self.players[0], self.game, None, lines, "key"))

    def seat(self, number: int = 0) -> Seated:
        """A seat as it is stored now."""
        with self.desk.database.reading() as tx:
            row = games.table(tx, self.game)
        assert row is not None
        return row.seated[number]

    def address(self, number: int = 0) -> str:
        """The reply address of this seat's open decision."""
        version = self.seat(number).decision_version
        assert version is not None
        return reply_address(self.desk, self.players[number], self.game, number, version)

    def lasting_address(self, number: int = 0) -> str:
        """The lasting address of this seat, stored."""
        return self._stored(mailboxes.lasting, number)

    def talk_address(self, number: int = 0) -> str:
        """The address for replies to table talk of this seat, stored."""
        return self._stored(mailboxes.talk, number)

    def _stored(self, make: Callable[..., Address], number: int) -> str:
        links = self.seat(number).links
        address = make(self.desk, self.players[number], self.game, number, links)
        mailboxes.store(self.desk, [address])
        return address.email

    def write(self, *lines: str, number: int = 0, **headers: str | None) -> str:
        """Receive a mail of this seat at its lasting address; return its outcome."""
        own = {"from": f"Player <seat{number}@example.org>", **headers}
        return self.take(letter(*lines, **own), self.lasting_address(number))

    def answer_talk(self, *lines: str, number: int = 0, **headers: str | None) -> str:
        """Receive a reply of this seat to table talk; return its outcome."""
        own = {"from": f"Player <seat{number}@example.org>", **headers}
        return self.take(letter(*lines, **own), self.talk_address(number))

    def messages(self) -> list[str]:
        """The texts of the messages at the table."""
        rows = talk.messages_after(self.desk, self.players[0], self.game, 0, 100)
        return [row["text"] for row in rows]

    def take(self, raw: bytes, recipient: str, sender: str = "seat0@example.org") -> str:
        """Receive a mail; return its outcome."""
        return receive.receive(self.desk, receive.IncomingMail(raw, sender, recipient))

    def reply(self, *lines: str, number: int = 0, **headers: str | None) -> str:
        """Receive a reply of this seat with valid headers; return its outcome."""
        own = {"from": f"Player <seat{number}@example.org>", **headers}
        return self.take(letter(*lines, **own), self.address(number))

    def moves(self) -> int:
        """The number of stored moves."""
        with self.desk.database.reading() as tx:
            return len(tx.execute(select(moves.c.number)).all())

    def answers(self, kind: str = "letter_answered") -> list[dict[str, Any]]:
        """The data of each notice of this kind, with its account and row, the oldest first."""
        with self.desk.database.reading() as tx:
            rows = tx.execute(select(notices).where(notices.c.kind == kind).order_by(notices.c.id))
            return [{**_data(row.data), "account": row.account, "row": row} for row in rows]

    def results(self) -> list[tuple[str, bool]]:
        """The lines of the last answer, each with whether it was carried out."""
        return [(line["text"], line["ok"]) for line in self.answers()[-1]["lines"]]


def _data(text: str | None) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(text or "{}")
    return document


def opened(desk: Desk, board: str = "usa", **more: Any) -> Post:
    """Start a game of two players with confirmed addresses, which awaits both of them."""
    desk = desk._replace(settings=replace(desk.settings, mail_authserv=MX))
    game, players = table(desk, "Ada", "Ben", board=board, **more)
    for number, account in enumerate(players):
        confirm(desk, account, f"seat{number}@example.org")
    return Post(desk, game, players)


def confirm(desk: Desk, account: str, email: str) -> None:
    """Give an account this address, already confirmed."""
    with desk.database.writing() as tx:
        accounts.change(tx, account, {"email": email, "email_confirmed": desk.now()})


_ids = iter(range(10**9))


def letter(*lines: str, **headers: str | None) -> bytes:
    """A mail as our mail server passes it on; a header that is None is left out."""
    above = {"authentication-results": PASSED, "received": RECEIVED}
    usual = {
        "from": "Player <seat0@example.org>",
        "subject": "Re: your turn",
        "date": "Mon, 2 Mar 2026 18:30:00 +0000",
        "message-id": f"<{next(_ids)}@mail.example.org>",
        "content-type": "text/plain; charset=utf-8",
    }
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    all_of_them = {**above, **usual, **given}
    head = [f"{name}: {value}" for name, value in all_of_them.items() if value is not None]
    quoted = ["", "On Mon, 2 Mar 2026 Nightmail <nightmail@example.net> wrote:", "> draw", ""]
    return "\r\n".join([*head, "", *lines, *quoted]).encode()


def mail(body: str | bytes, kind: str = "text/plain; charset=utf-8", *headers: str) -> bytes:
    """A mail with this body and content type."""
    head = ["From: ada@example.org", f"Content-Type: {kind}", *headers, "", ""]
    return "\r\n".join(head).encode() + (body if isinstance(body, bytes) else body.encode())


def written_lines(
    body: str | bytes, kind: str = "text/plain; charset=utf-8", *more: str
) -> list[str]:
    """The lines that are read from a mail with this body."""
    return list(incoming_mail.read(mail(body, kind, *more)).lines)
