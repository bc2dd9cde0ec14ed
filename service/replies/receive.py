"""What becomes of a mail that came in, by whichever door: the one place that decides.

A letter counts only if it answers a decision at its own address, comes from the account's own
confirmed address, has passed DMARC for it at our own mail server, can be read in one way only, was
written by a person, and was not read before. With anything less its owner is asked whether they
meant it. Machines are never answered, and nobody more often than the budget below allows.
"""

import hashlib
import re
from typing import Any, NamedTuple

from engine.text import clean
from engine.translate import say
from service.desk import Desk
from service.i18n.catalogue import speaking_to
from service.refusals import not_found
from service.replies import bounces, incoming_mail, mailboxes, reply_commands, trust
from service.replies.incoming_mail import Letter
from service.replies.mailboxes import Mailbox
from service.replies.quoting import MOST
from service.replies.reply_commands import Carried
from store.database import Transaction
from store.errors import Clash
from store.games import games
from store.games.games import Table
from store.notify import notices
from store.notify import received_mail as store
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account

MOST_BYTES = 1024 * 1024
"""No larger mail is taken in."""
ONCE = 1
MOST_IN_VAIN = 20
"""So many letters a day are answered that moved nothing, however they begin."""

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>")


class Arrived(NamedTuple):
    """A mail, and what the door knows about it."""

    raw: bytes
    sender: str
    """Of the envelope; empty for a machine that wants no answer."""
    recipient: str
    passed: bool = False
    """Whether whoever brings it vouches that DMARC has passed for its From."""


class _Sheet(NamedTuple):
    """A letter, next to what it is about."""

    letter: Letter
    box: Mailbox
    account: Account
    table: Table
    seat: int
    asked: int
    digest: bytes


def is_known(desk: Desk, recipient: str) -> bool:
    """Whether mail to this address is taken in."""
    return _is_for_complaints(desk, recipient) or mailboxes.read(desk, recipient) is not None


def _is_for_complaints(desk: Desk, recipient: str) -> bool:
    return recipient.lower() == f"{bounces.COMPLAINTS}@{desk.settings.mail_domain}"


def receive(desk: Desk, arrived: Arrived) -> str:
    """Do what a mail asks for, and store its answer; what became of it.

    That is `answered`, `unsure` (its owner was asked to confirm it), `seen` before, `bounced` (a
    report that stops mail to an address), `automatic`, or `ignored`.
    """
    box = mailboxes.read(desk, arrived.recipient)
    if box is None and not _is_for_complaints(desk, arrived.recipient):
        raise not_found(say("There is no such mailbox."))
    try:
        letter = incoming_mail.read(arrived.raw)
    except incoming_mail.Unreadable:
        return "ignored"
    if trust.is_automatic(letter, arrived.sender):
        return "bounced" if bounces.note(desk, letter, arrived.recipient, box) else "automatic"
    sheet = _sheet(desk, letter, box) if box else None
    if sheet is None:
        return "ignored"
    return _answered(desk, sheet) if _is_trusted(desk, sheet, arrived) else _doubted(desk, sheet)


def _sheet(desk: Desk, letter: Letter, box: Mailbox) -> _Sheet | None:
    """What a letter is about; None if that is nothing any more, or its owner cannot be told."""
    if box.game is None or box.asked is None:
        return None
    with desk.database.reading() as tx:
        account = accounts.account(tx, box.account)
        table = games.table(tx, box.game)
        digest = _digest(letter)
        seen = store.known(tx, box.account, digest)
    seat = table.seat_of(box.account) if table else None
    if account is None or table is None or seat is None:
        return None
    if account.email is None or account.email_confirmed is None:
        return None
    return _Sheet(letter, box, account, table, seat.number, box.asked, b"" if seen else digest)


def _digest(letter: Letter) -> bytes:
    """Tells a letter from all others, by whichever way it comes."""
    named = message_id(letter)
    said = [named] if named else [*map(letter.one, ("from", "date", "subject")), *letter.lines]
    return hashlib.sha256("\n".join(["letter", *said]).encode(errors="replace")).digest()


def message_id(letter: Letter) -> str | None:
    """The name that a letter has given itself, if it can be repeated."""
    match = _MESSAGE_ID.fullmatch(letter.one("message-id"))
    return match[0] if match else None


def _is_trusted(desk: Desk, sheet: _Sheet, arrived: Arrived) -> bool:
    if sheet.letter.is_odd:
        return False  # whoever has checked it may have read another From
    sender, own = trust.sender_of(sheet.letter), sheet.account.email
    if sender is None or own is None or sender != own.lower():
        return False
    domain = sender.rpartition("@")[2]
    return arrived.passed or trust.is_aligned(sheet.letter, desk.settings.mail_authserv, domain)


def _answered(desk: Desk, sheet: _Sheet) -> str:
    """Carry a letter out and owe its answer, both once."""
    if not sheet.digest:
        return "seen"
    wanted = reply_commands.Letter(
        sheet.account.id,
        sheet.table.id,
        sheet.asked,
        sheet.letter.lines,
        f"letter-{sheet.digest.hex()[:32]}",
    )
    with speaking_to(sheet.account.locale):  # its answer tells what came of each line
        carried = reply_commands.carry_out(desk, wanted)
    now = desk.now()
    try:
        with desk.database.writing() as tx:
            store.add(tx, sheet.account.id, sheet.digest, now)
            told = _may_answer(tx, sheet, carried, now)
            if told:
                notices.add(tx, [_answer(tx, sheet, carried)], now)
    except Clash:
        with desk.database.reading() as tx:
            if store.known(tx, sheet.account.id, sheet.digest):  # it was read beside us
                return "seen"
        raise
    desk.doorbell.ring()
    return "answered" if told else "ignored"


def _may_answer(tx: Transaction, sheet: _Sheet, carried: Carried, now: str) -> bool:
    """Whether somebody seems to be there who reads answers, and not a machine that answers them."""
    if sheet.account.bounced:
        return False
    if carried.changed:
        return True
    if not reply_commands.is_meant_for_us(sheet.table, sheet.letter.lines):
        return _spend(tx, sheet, "not meant for us", ONCE, now)
    return _spend(tx, sheet, "in vain", MOST_IN_VAIN, now)


def _answer(tx: Transaction, sheet: _Sheet, carried: Carried) -> Notice:
    table = games.table(tx, sheet.table.id)
    data: dict[str, Any] = {
        "lines": [line._asdict() | {"text": clean(line.text)} for line in carried.lines],
        "help": carried.has("help") or not carried.lines,
        "status": carried.has("status"),
        "stale": carried.stale,
        "message_id": message_id(sheet.letter),
    }
    version = table.version if table else sheet.table.version
    return Notice(sheet.account.id, "letter_answered", sheet.table.id, sheet.seat, version, data)


def _doubted(desk: Desk, sheet: _Sheet) -> str:
    """Ask the owner of an address whether they have written what came to it."""
    if not sheet.digest:
        return "seen"
    if sheet.account.bounced or not reply_commands.is_meant_for_us(sheet.table, sheet.letter.lines):
        return "ignored"
    lines = [clean(line) for line in sheet.letter.lines[:MOST]]
    now = desk.now()
    # Whoever got hold of an address can make us write to its owner once a day; the owner's own
    # letters, from a server that proves nothing, are asked about for each decision.
    own = trust.sender_of(sheet.letter) == (sheet.account.email or "").lower()
    what = f"unsure {sheet.table.id} {sheet.asked}" if own else "unsure"
    with desk.database.writing() as tx:
        if not _spend(tx, sheet, what, ONCE, now):
            return "ignored"
        data = {"lines": lines, "message_id": message_id(sheet.letter)}
        notice = Notice(
            sheet.account.id, "letter_unsure", sheet.table.id, sheet.seat, sheet.asked, data
        )
        notices.add(tx, [notice], now)
    desk.doorbell.ring()
    return "unsure"


def _spend(tx: Transaction, sheet: _Sheet, what: str, most: int, now: str) -> bool:
    """Use up one of the answers of a kind that an account may have in a day."""
    for number in range(most):
        slot = hashlib.sha256(f"budget {what} {now[:10]} {number}".encode()).digest()
        if not store.known(tx, sheet.account.id, slot):
            store.add(tx, sheet.account.id, slot, now)
            return True
    return False
