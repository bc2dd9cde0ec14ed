"""The address of the service: writing to it, and reading what it answers."""

import json
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from sqlalchemy import select

from service.desk import Desk
from service.people import accounts as account_service
from service.replies import mailboxes, receive
from store.notify import held_mail, received_mail
from store.people import accounts
from store.tables import deliveries, games, notices
from tests.service.support.post import MX, confirm, letter

UNPROVEN: dict[str, str] = {"authentication_results": f"{MX}; dmarc=none"}
FORGED: dict[str, str] = {"authentication_results": f"{MX}; dmarc=fail header.from=example.org"}


class Office(NamedTuple):
    """A desk at whose service address mail arrives."""

    desk: Desk

    def write(self, *lines: str, sender: str = "ada@example.org", **headers: str | None) -> str:
        """Receive a mail to the service; return what became of it."""
        raw = letter(*lines, **{"from": sender, **headers})
        return self.deliver(raw, self.desk.settings.service_address, sender)

    def deliver(self, raw: bytes, recipient: str, sender: str = "ada@example.org") -> str:
        """Receive these bytes."""
        return receive.receive(self.desk, receive.IncomingMail(raw, sender, recipient))

    def player(self, name: str, email: str) -> str:
        """The id of a new account with a confirmed address."""
        id: str = account_service.create(self.desk, {"name": name}, None)["account"]["id"]
        confirm(self.desk, id, email)
        return id

    def answers(self, kind: str = "commands_answered") -> list[dict[str, Any]]:
        """The data of each notice of this kind, the oldest first."""
        with self.desk.database.reading() as tx:
            rows = tx.execute(select(notices).where(notices.c.kind == kind).order_by(notices.c.id))
            return [json.loads(row.data) for row in rows]

    def results(self) -> list[tuple[str, bool]]:
        """Each line of the last answer: what came of it, and whether it was carried out."""
        return [(line["result"], line["ok"]) for line in self.answers()[-1]["lines"]]

    def to_strangers(self) -> list[dict[str, Any]]:
        """The data of each answer to an address without an account."""
        with self.desk.database.reading() as tx:
            rows = tx.execute(select(deliveries).where(deliveries.c.account.is_(None)))
            return [json.loads(row.data) for row in rows]

    def tables(self) -> int:
        """How many games are stored."""
        with self.desk.database.reading() as tx:
            return len(tx.execute(select(games.c.id)).all())

    def account(self, name: str) -> accounts.Account | None:
        """The account with this name."""
        with self.desk.database.reading() as tx:
            id = accounts.id_by_name(tx, name.lower())
            return accounts.account(tx, id) if id else None

    def confirmation_address(self, name: str, email: str) -> str:
        """The address at which “yes” confirms this address of an account, stored."""
        account = self.account(name)
        assert account is not None
        address = mailboxes.confirmation(self.desk, account.id, email)
        mailboxes.store(self.desk, [address])
        return address.email

    def held(self, account: str) -> list[str]:
        """The reason for each mail that is held for an account, the newest first."""
        with self.desk.database.reading() as tx:
            return [mail.reason for mail in held_mail.of_account(tx, account)]


def office_at(desk: Desk) -> Office:
    """The service address of a desk whose mail server checks senders."""
    return Office(desk._replace(settings=replace(desk.settings, mail_authserv=MX)))


class Dead(Exception):
    """Stands for the death of the process."""


def die_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process die, once, when a mail is about to be marked as received."""
    add, deaths = received_mail.add, iter([Dead()])

    def die(*args: Any) -> None:
        for death in deaths:
            raise death
        add(*args)

    monkeypatch.setattr(received_mail, "add", die)
