"""The page on which the owner of an address confirms a mail to the service as theirs."""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from service.desk import Desk
from service.i18n.catalogue import speaking_to
from service.links import signed_links
from service.replies.service_commands import runner
from service.replies.service_commands.writer import Writer
from store.errors import Clash
from store.notify import received_mail
from store.people import accounts
from store.people.accounts import Account

Payload = Mapping[str, Any]
Page = dict[str, Any]


def commands_page(desk: Desk, payload: Payload, choice: str | None = None) -> Page:
    """Show the lines of a mail, and carry them out if their owner says so; once for each link."""
    with desk.database.reading() as tx:
        account = accounts.account(tx, payload["account"])
        digest = _digest(payload)
        is_done = received_mail.is_stored(tx, payload["account"], digest)
    if account is None or not _is_sent_to(account, payload):
        return {"stands": "gone"}
    page: Page = {"name": account.name, "lines": [{"text": line} for line in payload["lines"]]}
    if is_done:
        return page | {"stands": "done"}
    if signed_links.is_expired(desk, payload):
        return page | {"stands": "late"}
    if choice != "play":
        return page | {"stands": {None: "open", "no": "refused"}.get(choice, "unchosen")}
    writer = Writer(desk, account.email or "", account, f"link-{digest.hex()[:32]}")
    with speaking_to(account.locale):
        outcome = runner.carry_out(writer, payload["lines"])
    # After a second click at the same time it is stored already; each line was carried out once.
    with suppress(Clash), desk.database.writing() as tx:
        received_mail.add(tx, account.id, digest, desk.now())
    desk.wakeup.send()
    return page | {"stands": "played", "lines": [line._asdict() for line in outcome.lines]}


def _is_sent_to(account: Account, payload: Payload) -> bool:
    """Return whether the address to which a link was sent is still that of the account."""
    email = account.email if account.email_confirmed else None
    return email is not None and signed_links.fingerprint(email) == payload["email"]


def _digest(payload: Payload) -> bytes:
    content = "\n".join((payload["until"], *payload["lines"]))
    return hashlib.sha256(f"commands {content}".encode()).digest()
