"""Mail to the address of the service itself, at which players sign on, open and join games.

The sender is known by the From header alone, so commands are carried out only if our own mail
server vouches for it. An owner whose server does not is asked to confirm the lines on a page. A
sender without an account can sign on: the letter that asks them to confirm their address is sent to
that address, so nobody can sign on for somebody else.
"""

import hashlib
from typing import Any

from engine.text import clean
from engine.translate import say
from service.desk import Desk
from service.i18n.catalogue import speaking_to
from service.notify.outbox import Delivery
from service.people import addresses, mail_limits, profile
from service.refusals import Refused
from service.replies import mailboxes, trust
from service.replies.arrival import Arrival
from service.replies.incoming_mail import Letter
from service.replies.mailboxes import Mailbox
from service.replies.quoting import MOST_LINES
from service.replies.service_commands import people, runner
from service.replies.service_commands.runner import ServiceLine, ServiceOutcome
from service.replies.service_commands.writer import Writer
from service.replies.trust import Verdict
from store.database import Transaction
from store.errors import Clash
from store.notify import deliveries, notices, received_mail
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account

ANSWERED, UNSURE, TO_STRANGER = "commands_answered", "commands_unsure", "stranger_answered"
"""Kinds of notices and deliveries."""
MOST_IN_VAIN = 20
"""Answers a day to mail that changed nothing."""
MOST_QUESTIONS = 10
"""Letters a day that ask whether their reader wrote a mail, where nothing says who did."""


def is_service_address(desk: Desk, recipient: str) -> bool:
    """Whether this is the address of the service."""
    return recipient.lower() == desk.settings.service_address.lower()


def receive(desk: Desk, letter: Letter, digest: bytes, verdict: Verdict) -> str:
    """Carry out a mail to the service, and return what became of it."""
    sender = trust.sender_of(letter)
    if sender is None:
        return "ignored"
    is_certain = Arrival(letter, "", owner=sender, verdict=verdict).is_certain
    account, others = people.owners(desk, sender)
    writer = Writer(desk, sender, account, f"letter-{digest.hex()[:32]}", others)
    if account is None and verdict is Verdict.FAIL:
        return "ignored"  # somebody else has used the address
    if account is None:
        return _from_stranger(writer, letter, digest, is_certain=is_certain)
    with desk.database.reading() as tx:
        if received_mail.is_stored(tx, account.id, digest):
            return "seen"
    if not is_certain:
        return _ask(desk, account, letter, digest, verdict)
    return _carry_out(writer, account, letter, digest)


def confirm_address(desk: Desk, letter: Letter, recipient: str, box: Mailbox) -> bool:
    """Confirm an address, if this is the reply “yes” to the letter that asks for it.

    The address of the reply was only in that letter, so whoever writes to it has read the letter.
    """
    with desk.database.reading() as tx:
        account = accounts.account(tx, box.account)
    email = addresses.unconfirmed_address(account, desk.now()) if account else None
    sender = trust.sender_of(letter)
    if account is None or email is None or sender != email.lower():
        return False
    is_own = mailboxes.is_confirmation_address(desk, recipient, account.id, email)
    if not is_own or letter.lines[:1] not in (("yes",), ("Yes",), ("YES",)):
        return False
    if not people.confirm(desk, account.id, email):
        return False
    with speaking_to(account.locale), desk.database.writing() as tx:
        welcome = say("Your address is confirmed. You play here as {name}.", name=account.name)
        shown = runner.carry_out(Writer(desk, email, account, ""), ["help"]).lines
        outcome = ServiceOutcome([ServiceLine(letter.lines[0], welcome, ok=True), *shown])
        notices.add(tx, [_answer(account.id, letter, outcome)], desk.now())
    desk.wakeup.send()
    return True


def _carry_out(writer: Writer, account: Account, letter: Letter, digest: bytes) -> str:
    """Carry out the lines of a player, and queue the answer, both at most once."""
    desk = writer.desk
    with speaking_to(account.locale):
        outcome = runner.carry_out(writer, letter.lines)
    now = desk.now()
    try:
        with desk.database.writing() as tx:
            received_mail.add(tx, account.id, digest, now)
            may_answer = account.bounced is None and (
                outcome.changed or _spend(tx, account.id, "service in vain", MOST_IN_VAIN, now)
            )
            if may_answer:
                notices.add(tx, [_answer(account.id, letter, outcome)], now)
    except Clash:
        with desk.database.reading() as tx:
            if received_mail.is_stored(tx, account.id, digest):  # by another process
                return "seen"
        raise
    desk.wakeup.send()
    return "answered" if may_answer else "ignored"


def _spend(tx: Transaction, account: str, subject: str, limit: int, now: str) -> bool:
    """Count an answer of a kind for today; return False if none was left."""
    return received_mail.spend(tx, account, f"{subject} {now[:10]}", limit, now) is not None


def _answer(account: str, letter: Letter, outcome: ServiceOutcome) -> Notice:
    return Notice(account, ANSWERED, data=_data(letter, outcome))


def _data(letter: Letter, outcome: ServiceOutcome) -> dict[str, Any]:
    return {
        "lines": [line._asdict() | {"text": clean(line.text)} for line in outcome.lines],
        "unread": [clean(line) for line in outcome.unread],
        "message_id": trust.message_id(letter),
    }


def _ask(desk: Desk, account: Account, letter: Letter, digest: bytes, verdict: Verdict) -> str:
    """Owe the owner of an address a letter that asks whether they wrote this mail, once."""
    if account.bounced or not runner.looks_like_commands(letter.lines):
        return "ignored"
    now = desk.now()
    lines = [clean(line) for line in letter.lines[:MOST_LINES]]
    with desk.database.writing() as tx:
        if not _spend(tx, account.id, f"service copy {digest.hex()}", 1, now):
            return "seen"
        subject, most = ("forged", 1) if verdict is Verdict.FAIL else ("unsure", MOST_QUESTIONS)
        if not _spend(tx, account.id, f"service {subject}", most, now):
            return "ignored"
        data = {"lines": lines, "message_id": trust.message_id(letter)}
        notices.add(tx, [Notice(account.id, UNSURE, data=data)], now)
    desk.wakeup.send()
    return "unsure"


def _from_stranger(writer: Writer, letter: Letter, digest: bytes, *, is_certain: bool) -> str:
    """Let a sender without an account sign on or accept an invitation, and answer them."""
    if not is_certain and not runner.needs_no_proof(letter.lines):
        return "ignored"  # anybody may have written it in somebody else's name
    locale = _language_of(letter)
    with speaking_to(locale):
        outcome = runner.carry_out(writer, letter.lines)
    if writer.account is not None:  # an invitation has made one
        return _answer_newcomer(writer, writer.account, letter, digest, outcome)
    if writer.signed_on and len(letter.lines) == 1:
        return "answered"  # the letter that asks to confirm the address says everything
    if not is_certain:
        return "ignored"
    data = _data(letter, outcome) | {"email": writer.email, "locale": locale}
    return _answer_stranger(writer.desk, data, digest)


def _answer_newcomer(
    writer: Writer, account: Account, letter: Letter, digest: bytes, outcome: ServiceOutcome
) -> str:
    with writer.desk.database.writing() as tx:
        received_mail.add(tx, account.id, digest, writer.desk.now())
        notices.add(tx, [_answer(account.id, letter, outcome)], writer.desk.now())
    writer.desk.wakeup.send()
    return "answered"


def _answer_stranger(desk: Desk, data: dict[str, Any], digest: bytes) -> str:
    """Owe an answer to an address without an account; a copy of a mail gets none."""
    now, id = desk.now(), hashlib.sha256(digest).hexdigest()[:22]
    answer = Delivery(id, "", "mail", None, TO_STRANGER, None, None, None, data, now, 0, now)
    try:
        with desk.database.writing() as tx:
            if not mail_limits.may_send(desk, tx, TO_STRANGER, data["email"]):
                return "ignored"
            deliveries.add(tx, [answer])
    except Clash:
        return "seen"
    desk.wakeup.send()
    return "answered"


def _language_of(letter: Letter) -> str:
    """The language in which a mail was written, as its sender's program says; or else English."""
    try:
        return profile.checked_locale(letter.single("content-language"))
    except Refused:
        return "en"
