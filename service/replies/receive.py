"""Decides what to do with an incoming mail, whether it came by SMTP or by the API.

A reply is carried out only if it was sent to the address of a decision, comes from the account's
confirmed address, has passed DMARC at our own mail server, can be parsed in one way only, was
written by a person, and was not received before. A reply that cannot be trusted is not carried out:
its owner gets a letter that asks whether they wrote it. Automatic mail is never answered, and each
account gets only a limited number of answers a day.
"""

import hashlib
from typing import Any, NamedTuple

from engine.text import clean
from engine.translate import say
from service.desk import Desk
from service.i18n.catalogue import speaking_to
from service.refusals import not_found
from service.replies import bounces, incoming_mail, mailboxes, service_mail, sorting, trust
from service.replies.commands import runner
from service.replies.commands.conversation import Reply
from service.replies.commands.runner import Outcome
from service.replies.incoming_mail import Letter
from service.replies.mailboxes import Mailbox
from service.replies.quoting import MOST_LINES
from store.database import Transaction
from store.errors import Clash
from store.games import games
from store.games.games import Table
from store.notify import notices, received_mail
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account

MOST_BYTES = 1024 * 1024
"""The largest mail that is accepted, in bytes."""
ONCE = 1
"""Answers a day to mail that does not look like commands."""
MOST_IN_VAIN = 20
"""Answers a day to replies that changed nothing."""


class IncomingMail(NamedTuple):
    """An email with its envelope."""

    raw: bytes
    sender: str
    """The envelope's sender; empty for bounces and other automatic mail."""
    recipient: str
    passed: bool = False
    """Whether the caller of the API vouches that DMARC has passed for the From header."""


class _Reply(NamedTuple):
    """A reply, with the account, the table and the decision that it is about."""

    letter: Letter
    box: Mailbox
    account: Account
    table: Table
    seat: int
    decision_version: int | None
    """The version at which the decision was opened; None if the reply is about none."""
    digest: bytes
    """The hash that identifies the reply; empty if it was received before."""


def accepts(desk: Desk, recipient: str) -> bool:
    """Whether mail to this address is accepted."""
    if _is_for_complaints(desk, recipient) or service_mail.is_service_address(desk, recipient):
        return True
    return mailboxes.find(desk, recipient) is not None


def _is_for_complaints(desk: Desk, recipient: str) -> bool:
    return recipient.lower() == f"{bounces.COMPLAINTS}@{desk.settings.mail_domain}"


def receive(desk: Desk, mail: IncomingMail) -> str:
    """Carry out an email, queue an answer to it, and return what became of it.

    That is `answered`, `unsure` (its owner was asked to confirm it), `seen` (received before),
    `bounced` (a report that stops mail to an address), `automatic`, or `ignored`.
    """
    box = mailboxes.find(desk, mail.recipient)
    if box is None and not accepts(desk, mail.recipient):
        raise not_found(say("There is no such mailbox."))
    try:
        letter = incoming_mail.read(mail.raw)
    except incoming_mail.Unreadable:
        return "ignored"
    if sorting.is_automatic(letter, mail.sender):
        is_report = bounces.record_report(desk, letter, mail.recipient, box)
        return "bounced" if is_report else "automatic"
    if service_mail.is_service_address(desk, mail.recipient):
        return service_mail.receive(desk, letter, _digest(letter), vouched=mail.passed)
    if box and box.game is None:
        return _about_account(desk, letter, mail, box)
    reply = _find_subject(desk, letter, box) if box else None
    if reply is None:
        return "ignored"
    is_trusted = sorting.is_from(desk, letter, reply.account.email, vouched=mail.passed)
    return _carry_out(desk, reply) if is_trusted else _ask_owner(desk, reply)


def _about_account(desk: Desk, letter: Letter, mail: IncomingMail, box: Mailbox) -> str:
    """Receive a reply to a letter about an account, such as the one to confirm an address."""
    if service_mail.confirm_address(desk, letter, mail.recipient, box):
        return "answered"
    return service_mail.receive(desk, letter, _digest(letter), vouched=mail.passed)


def _find_subject(desk: Desk, letter: Letter, box: Mailbox) -> _Reply | None:
    """Find what a reply is about; None if it no longer exists, or its owner has no address."""
    if box.game is None:
        return None
    with desk.database.reading() as tx:
        account = accounts.account(tx, box.account)
        table = games.table(tx, box.game)
        digest = _digest(letter)
        is_stored = received_mail.is_stored(tx, box.account, digest)
    seat = table.seat_of(box.account) if table else None
    if account is None or table is None or seat is None:
        return None
    if account.email is None or account.email_confirmed is None:
        return None
    return _Reply(
        letter, box, account, table, seat.number, box.decision_version, b"" if is_stored else digest
    )


def _digest(letter: Letter) -> bytes:
    """A hash that identifies a letter by its Message-ID, or else by its headers and lines."""
    id = trust.message_id(letter)
    parts = [id] if id else [*map(letter.single, ("from", "date", "subject")), *letter.lines]
    return hashlib.sha256("\n".join(["letter", *parts]).encode(errors="replace")).digest()


def _carry_out(desk: Desk, reply: _Reply) -> str:
    """Carry out a reply and queue an answer to it, both at most once."""
    if not reply.digest:
        return "seen"
    commands = Reply(
        reply.account.id,
        reply.table.id,
        reply.decision_version,
        reply.letter.lines,
        f"letter-{reply.digest.hex()[:32]}",
        is_talk=reply.box.purpose == "talk",
    )
    with speaking_to(reply.account.locale):  # the results are sentences for the answer
        outcome = runner.carry_out(desk, commands)
    now = desk.now()
    try:
        with desk.database.writing() as tx:
            received_mail.add(tx, reply.account.id, reply.digest, now)
            may_answer = _may_answer(tx, reply, outcome, now)
            if may_answer:
                notices.add(tx, [_answer(tx, reply, outcome)], now)
    except Clash:
        with desk.database.reading() as tx:
            if received_mail.is_stored(tx, reply.account.id, reply.digest):  # by another process
                return "seen"
        raise
    desk.wakeup.send()
    return "answered" if may_answer else "ignored"


def _may_answer(tx: Transaction, reply: _Reply, outcome: Outcome, now: str) -> bool:
    """Whether to answer a reply; the limits end a loop with a machine that answers our mail."""
    if reply.account.bounced:
        return False
    if outcome.changed:
        return True
    if not runner.looks_like_commands(reply.table, reply.letter.lines):
        return _spend(tx, reply, "not meant for us", ONCE, now)
    return _spend(tx, reply, "in vain", MOST_IN_VAIN, now)


def _answer(tx: Transaction, reply: _Reply, outcome: Outcome) -> Notice:
    table = games.table(tx, reply.table.id)
    data: dict[str, Any] = {
        "lines": [line._asdict() | {"text": _cleaned(line.text)} for line in outcome.lines],
        "help": outcome.has("help") or not outcome.lines,
        "status": outcome.has("status"),
        "stale": outcome.stale,
        "shows": list(outcome.shows),
        "needs_moves": outcome.needs_moves,
        "title": reply.table.title,
        "message_id": trust.message_id(reply.letter),
    }
    version = table.version if table else reply.table.version
    return Notice(reply.account.id, "letter_answered", reply.table.id, reply.seat, version, data)


def _cleaned(text: str) -> str:
    """The lines that were read, safe to repeat."""
    return "\n".join(map(clean, text.split("\n")))


def _ask_owner(desk: Desk, reply: _Reply) -> str:
    """Owe the account's owner a letter that asks whether they wrote this reply."""
    if not reply.digest:
        return "seen"
    is_message = reply.box.purpose == "talk" and bool(reply.letter.lines)
    if reply.account.bounced or not (
        is_message or runner.looks_like_commands(reply.table, reply.letter.lines)
    ):
        return "ignored"
    lines = [clean(line) for line in reply.letter.lines[:MOST_LINES]]
    now = desk.now()
    # A stranger who knows a reply address can make us write to its owner once a day. Replies from
    # the owner's address, whose server does not sign them, are asked about once per decision.
    is_from_owner = trust.sender_of(reply.letter) == (reply.account.email or "").lower()
    subject = f"unsure {reply.table.id} {reply.decision_version}" if is_from_owner else "unsure"
    with desk.database.writing() as tx:
        if not _spend(tx, reply, subject, ONCE, now):
            return "ignored"
        data = {"lines": lines, "message_id": trust.message_id(reply.letter)}
        notice = Notice(
            reply.account.id,
            "letter_unsure",
            reply.table.id,
            reply.seat,
            reply.decision_version,
            data,
        )
        notices.add(tx, [notice], now)
    desk.wakeup.send()
    return "unsure"


def _spend(tx: Transaction, reply: _Reply, subject: str, limit: int, now: str) -> bool:
    return received_mail.spend(tx, reply.account.id, subject, limit, now)
