"""Receives incoming mail, whether it came by SMTP or by the API, and does what its fate is.

The table in `sorting` decides about each mail. A reply is carried out only if it certainly comes
from the account's owner, and was not received before. If that is not certain, the owner gets a
letter that asks whether they wrote it. Mail that is not carried out is kept for its owner to see,
unless a machine sent it. How many letters such mail can cause is limited.
"""

import hashlib
from typing import Any, NamedTuple

from engine.text import clean
from engine.translate import say
from service.desk import Desk
from service.i18n.catalogue import speaking_to
from service.people import addresses
from service.refusals import not_found
from service.replies import (
    answer_limits,
    bounces,
    held_mail,
    incoming_mail,
    mailboxes,
    service_mail,
    sorting,
    trust,
)
from service.replies.arrival import Arrival, Destination
from service.replies.commands import resigning, runner, several_games
from service.replies.commands.conversation import Reply
from service.replies.commands.runner import Outcome
from service.replies.incoming_mail import Letter
from service.replies.mailboxes import Mailbox
from service.replies.outcomes import (
    ANSWERED,
    AUTOMATIC,
    BOUNCED,
    DUPLICATE,
    HELD,
    IGNORED,
    UNANSWERED,
    UNSURE,
)
from service.replies.quoting import MOST_LINES
from service.replies.sorting import FOR_SERVICE, MACHINES, Fate, Rule
from service.replies.trust import Verdict
from store.database import Transaction
from store.errors import Clash
from store.games import games
from store.games.games import Seated, Table
from store.notify import notices, received_mail
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account

MOST_BYTES = 1024 * 1024
"""The largest mail that is accepted, in bytes."""

_DROPPED = {"received_before": DUPLICATE, "no_report": IGNORED, "to_service": IGNORED}
"""What became of mail that was dropped for these reasons; all other mail came from machines."""
_NOTHING = Letter((), "", (), ())
"""Stands for a mail beyond our limits, which is not read."""


class IncomingMail(NamedTuple):
    """An email with its envelope."""

    raw: bytes
    sender: str
    """The envelope's sender; empty for bounces and other automatic mail."""
    recipient: str
    passed: bool = False
    """Whether the caller of the API vouches that DMARC has passed for the From header."""
    failed: bool = False
    """Whether the caller of the API says that DMARC has failed for the From header."""


class _Subject(NamedTuple):
    """What a mail is about: an account, perhaps with its seat in a game.

    Mail about several games has no table; its decisions are those of the mailbox.
    """

    box: Mailbox
    account: Account
    digest: bytes
    """The hash that identifies the mail at its address."""
    old_digest: bytes
    """The same without the address, as earlier releases have stored it."""
    is_copy: bool
    """Whether it was carried out before."""
    table: Table | None
    seat: Seated | None

    def notice(self, kind: str, version: int | None, data: dict[str, Any]) -> Notice:
        """Return a notice to the owner about their seat."""
        number = self.seat.number if self.seat else self.box.seat
        return Notice(self.account.id, kind, self.box.game, number, version, data)


def accepts(desk: Desk, recipient: str) -> bool:
    """Return whether mail to this address is accepted."""
    if _is_for_complaints(desk, recipient) or service_mail.is_service_address(desk, recipient):
        return True
    return mailboxes.find(desk, recipient) is not None


def _is_for_complaints(desk: Desk, recipient: str) -> bool:
    return recipient.lower() == f"{bounces.COMPLAINTS}@{desk.settings.mail_domain}"


def receive(desk: Desk, mail: IncomingMail) -> str:
    """Carry out, hold, answer or drop an email, as its fate says; return a code of `outcomes`."""
    box = mailboxes.find(desk, mail.recipient)
    if box is None and not accepts(desk, mail.recipient):
        raise not_found(say("There is no such mailbox."))
    try:
        letter, is_readable = incoming_mail.read(mail.raw), True
    except incoming_mail.Unreadable:
        letter, is_readable = _NOTHING, False
    digest = _digest(letter, mail.raw)
    subject = _find_subject(desk, box, mail.recipient, digest) if box else None
    arrival = _arrival(desk, mail, letter, subject)._replace(is_readable=is_readable)
    rule = sorting.sort(arrival)
    if rule in MACHINES and bounces.record_report(desk, letter, mail.recipient, box):
        return BOUNCED
    if rule.reason in FOR_SERVICE:
        became = _to_service(desk, mail, arrival, digest, box)
        if became != IGNORED:
            return became
    if rule.fate is Fate.DROP:
        return _DROPPED.get(rule.reason, AUTOMATIC)
    if subject is None:
        return IGNORED
    if rule.fate is Fate.CARRY_OUT:
        return _carry_out(desk, subject, letter)
    return _hold(desk, subject, letter, rule)


def _to_service(
    desk: Desk, mail: IncomingMail, arrival: Arrival, digest: bytes, box: Mailbox | None
) -> str:
    """Receive mail to the service, or a reply to a letter about an account."""
    letter = arrival.letter
    if box is not None:
        became = service_mail.confirm_address(desk, letter, digest, mail.recipient, box)
        if became is not None:
            return became
    # It may go to several addresses of the service, and is carried out once.
    digest = _digest_at(desk.settings.service_address, digest)
    arrival = arrival._replace(verdict=_verdict(desk, mail, letter))
    return service_mail.receive(desk, arrival, digest)


def _verdict(desk: Desk, mail: IncomingMail, letter: Letter) -> Verdict:
    """Return what the caller of the API says about the sender, or else our own mail server."""
    if mail.passed:
        return Verdict.PASS
    return Verdict.FAIL if mail.failed else sorting.verdict_on(desk, letter)


def _find_subject(
    desk: Desk, box: Mailbox, recipient: str, letter_digest: bytes
) -> _Subject | None:
    """Find what a mail is about; None if the account no longer exists."""
    digest = _digest_at(recipient, letter_digest)
    with desk.database.reading() as tx:
        account = accounts.account(tx, box.account)
        table = games.table(tx, box.game) if box.game else None
        is_copy = any(
            received_mail.is_stored(tx, box.account, known) for known in (digest, letter_digest)
        )
    if account is None:
        return None
    seat = table.seat_of(box.account) if table else None
    return _Subject(
        box=box,
        account=account,
        digest=digest,
        old_digest=letter_digest,
        is_copy=is_copy,
        table=table,
        seat=seat,
    )


def _arrival(desk: Desk, mail: IncomingMail, letter: Letter, subject: _Subject | None) -> Arrival:
    """Collect what the fate of a mail depends on."""
    if subject is None:
        return Arrival(letter, mail.sender, _destination_without_account(desk, mail.recipient))
    account, table = subject.account, subject.table
    has_commands = table is not None and runner.looks_like_commands(table, letter.lines)
    if decisions := subject.box.decisions:
        with desk.database.reading() as tx:
            has_commands = several_games.looks_like_commands(tx, decisions, letter.lines)
    return Arrival(
        letter,
        mail.sender,
        _destination(desk, subject),
        owner=account.email if account.email_confirmed else None,
        verdict=_verdict(desk, mail, letter),
        is_copy=subject.is_copy,
        is_bouncing=account.bounced is not None,
        has_commands=has_commands,
        leaves_table=subject.box.game is not None and resigning.leaves(letter.lines),
    )


def _destination_without_account(desk: Desk, recipient: str) -> Destination:
    if _is_for_complaints(desk, recipient):
        return Destination.COMPLAINTS
    is_for_service = service_mail.is_service_address(desk, recipient)
    return Destination.SERVICE if is_for_service else Destination.NO_SEAT


def _destination(desk: Desk, subject: _Subject) -> Destination:
    box, seat = subject.box, subject.seat
    if box.decisions:
        with desk.database.reading() as tx:
            return several_games.destination(tx, box)
    if box.game is None:
        return Destination.ACCOUNT
    if seat is None:
        return Destination.NO_SEAT
    if box.decision_version is None:
        return Destination.SEAT
    is_open = box.decision_version == seat.decision_version
    return Destination.DECISION if is_open else Destination.NO_DECISION


def _digest(letter: Letter, raw: bytes = b"") -> bytes:
    """Return a hash that identifies a letter: of its Message-ID, or else its headers and lines."""
    if letter is _NOTHING:
        return hashlib.sha256(raw).digest()
    id = trust.message_id(letter)
    parts = [id] if id else [*map(letter.single, ("from", "date", "subject")), *letter.lines]
    return hashlib.sha256("\n".join(["letter", *parts]).encode(errors="replace")).digest()


def _digest_at(recipient: str, digest: bytes) -> bytes:
    """Return a hash that identifies a letter at one address; sent to two, it is read at both."""
    return hashlib.sha256(recipient.lower().encode(errors="replace") + b"\n" + digest).digest()


def _carry_out(desk: Desk, subject: _Subject, letter: Letter) -> str:
    """Carry out a reply and queue an answer to it, both at most once."""
    account, digest = subject.account, subject.digest
    commands = Reply(
        account.id,
        subject.box.game or "",
        subject.box.decision_version,
        letter.lines,
        f"letter-{digest.hex()[:32]}",
        is_talk=subject.box.purpose == "talk",
        message=letter.message,
        has_gaps=letter.has_gaps,
    )
    now = desk.now()
    try:
        with speaking_to(account.locale):  # the results are sentences for the answer
            if decisions := subject.box.decisions:
                outcome = several_games.carry_out(desk, commands, decisions)
            else:
                outcome = runner.carry_out(desk, commands)
            addresses.record_arrival(desk, account.id)  # our letter to this address was read
            with desk.database.writing() as tx:
                received_mail.add(tx, account.id, digest, now)
                for known in (digest, subject.old_digest):
                    held_mail.release(tx, account.id, known)  # it was not certain before
                became = _answer(tx, subject, letter, outcome, now)
    except Clash:
        with desk.database.reading() as tx:
            if received_mail.is_stored(tx, account.id, digest):  # by another process
                return DUPLICATE
        raise
    desk.wakeup.send()
    return became


def _answer(tx: Transaction, subject: _Subject, letter: Letter, outcome: Outcome, now: str) -> str:
    """Queue the answer to a reply, or hold the reply; return what became of it."""
    box, digest, note = subject.box, subject.digest, None
    if subject.account.bounced:
        if outcome.changed:
            return UNANSWERED
        held_mail.hold(tx, box, letter, digest, sorting.UNREACHABLE, now)
        return HELD
    if not outcome.changed:
        is_understood = outcome.is_understood
        left = answer_limits.spend_answer(tx, box, now, is_understood=is_understood)
        if left is None:
            held_mail.hold(tx, box, letter, digest, sorting.ANSWERED_ENOUGH, now)
            return HELD
        if left == 0:
            note = answer_limits.last_answer(box, is_understood=is_understood)
    notices.add(tx, [_answer_notice(tx, subject, letter, outcome, note)], now)
    return ANSWERED


def _answer_notice(
    tx: Transaction, subject: _Subject, letter: Letter, outcome: Outcome, note: str | None
) -> Notice:
    data: dict[str, Any] = {
        "lines": [line._asdict() | {"text": _cleaned(line.text)} for line in outcome.lines],
        "unread": [clean(line) for line in outcome.unread],
        "shows": list(outcome.shows),
        "needs_moves": outcome.needs_moves,
        "title": subject.table.title if subject.table else say("Your table"),
        "message_id": trust.message_id(letter),
        "note": note,
    }
    if subject.box.decisions:
        data["games"] = [decision._asdict() for decision in subject.box.decisions]
    version = games.version(tx, subject.box.game or "")
    return subject.notice("letter_answered", version, data)


def _cleaned(text: str) -> str:
    """Return the lines that were read, safe to repeat."""
    return "\n".join(map(clean, text.split("\n")))


def _hold(desk: Desk, subject: _Subject, letter: Letter, rule: Rule) -> str:
    """Keep a mail for its owner to see, and ask whether they wrote it if its fate is that."""
    now = desk.now()
    try:
        with speaking_to(subject.account.locale), desk.database.writing() as tx:
            if held_mail.is_held(tx, subject.account.id, subject.old_digest):
                return DUPLICATE
            if not held_mail.hold(tx, subject.box, letter, subject.digest, rule, now):
                return DUPLICATE
            is_asked = rule.fate is Fate.CONFIRM and _ask_owner(tx, subject, letter, rule, now)
    except Clash:
        with desk.database.reading() as tx:
            if held_mail.is_held(tx, subject.account.id, subject.digest):  # by another process
                return DUPLICATE
        raise
    if not is_asked:
        return HELD
    desk.wakeup.send()
    return UNSURE


def _ask_owner(tx: Transaction, subject: _Subject, letter: Letter, rule: Rule, now: str) -> bool:
    """Owe the owner a letter that asks whether they wrote a mail; False if there were enough."""
    box = subject.box
    spend = answer_limits.spend_question if rule.asks_each else answer_limits.spend_for_stranger
    left = spend(tx, box, now)
    if left is None:
        return False
    written = letter.lines[:MOST_LINES]
    lines = [
        clean(line) for line in runner.lines_to_confirm(written, is_talk=box.purpose == "talk")
    ]
    data: dict[str, Any] = {
        "lines": lines,
        "title": subject.table.title if subject.table else "",
        "why": say(rule.sentence),
        "sender": trust.sender_of(letter),
        "message_id": trust.message_id(letter),
        "note": answer_limits.last_question(box) if rule.asks_each and left == 0 else None,
    }
    if box.decisions:
        data |= several_games.split_by_game(lines, box.decisions)
    notices.add(tx, [subject.notice("letter_unsure", box.decision_version, data)], now)
    return True
