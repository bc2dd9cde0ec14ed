"""Mail to the address of the service itself, at which players sign on, open and join games.

The sender is known by the From header alone, so commands are carried out only if our own mail
server vouches for it. An owner whose server does not is asked to confirm the lines on a page. Mail
of a player that is neither carried out nor answered is kept for them to see. A sender without an
account can sign on: the letter that asks them to confirm their address is sent to that address, so
nobody can sign on for somebody else.
"""

import hashlib
from typing import Any

from engine.text import clean
from engine.translate import say
from service.desk import Desk
from service.i18n.catalogue import speaking_to
from service.links import signed_links
from service.notify.outbox import Delivery
from service.people import addresses, mail_limits, profile, tokens
from service.refusals import Refused
from service.replies import answer_limits, held_mail, mailboxes, sorting, trust
from service.replies.arrival import Arrival, Destination
from service.replies.incoming_mail import Letter
from service.replies.mailboxes import Mailbox
from service.replies.outcomes import ANSWERED, DUPLICATE, HELD, IGNORED, UNANSWERED, UNSURE
from service.replies.quoting import MOST_LINES
from service.replies.service_commands import people, runner
from service.replies.service_commands.runner import ServiceLine, ServiceOutcome
from service.replies.service_commands.writer import Writer
from service.replies.sorting import Fate, Rule
from service.replies.trust import Verdict
from store.database import Transaction
from store.errors import Clash
from store.notify import deliveries, notices, received_mail
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account

COMMANDS_ANSWERED, COMMANDS_UNSURE = "commands_answered", "commands_unsure"
"""Kinds of notices."""
TO_STRANGER = "stranger_answered"
"""The kind of delivery with an answer to an address without an account."""


def is_service_address(desk: Desk, recipient: str) -> bool:
    """Return whether this is the address of the service."""
    return recipient.lower() == desk.settings.service_address.lower()


def receive(desk: Desk, arrival: Arrival, digest: bytes) -> str:
    """Carry out a mail to the service, and return what became of it."""
    sender, verdict, letter = arrival.sender, arrival.verdict, arrival.letter
    if sender is None:
        return IGNORED
    account, others = people.owners(desk, sender)
    is_proven = arrival._replace(owner=sender).is_certain
    key = f"letter-{digest.hex()[:32]}"
    writer = Writer(desk, sender, account, key, others, is_proven=is_proven)
    needs_no_proof = verdict is not Verdict.FAIL and runner.needs_no_proof(writer, letter.lines)
    if account is None:
        may_write = is_proven or needs_no_proof  # or anybody may have written it in their name
        return _from_stranger(writer, letter, digest) if may_write else IGNORED
    rule = _rule(desk, account, arrival, digest)
    if rule.fate is Fate.DROP:
        return DUPLICATE
    if rule.fate is Fate.CARRY_OUT or needs_no_proof:
        return _carry_out(writer, account, letter, digest)
    return _hold(desk, account, letter, digest, rule)


def _rule(desk: Desk, account: Account, arrival: Arrival, digest: bytes) -> Rule:
    """Return the rule that decides about a mail of this player, as about a reply to a letter."""
    with desk.database.reading() as tx:
        is_copy = received_mail.is_stored(tx, account.id, digest)
    return sorting.sort(
        arrival._replace(
            destination=Destination.SEAT,
            owner=account.email,
            is_copy=is_copy,
            is_bouncing=account.bounced is not None,
            has_commands=runner.looks_like_commands(arrival.letter.lines),
        )
    )


def confirm_address(
    desk: Desk, letter: Letter, digest: bytes, recipient: str, box: Mailbox
) -> str | None:
    """Confirm an address, if this is the reply “yes” to the letter that asks for it; else None.

    The address of the reply was only in that letter, so whoever writes to it has read the letter.
    Other accounts that have given the same address keep what they have.
    """
    if not runner.says_yes(letter.lines):
        return None
    with desk.database.writing() as tx:
        if accounts.account(tx, box.account) is None:
            return None
        account = tokens.lock_account(tx, box.account)
        if received_mail.is_stored(tx, account.id, digest):
            return DUPLICATE
        email = addresses.unconfirmed_address(account, desk.now())
        if email is None or not _is_from_reader(desk, letter, recipient, account.id, email):
            return None
        addresses.confirm(desk, tx, account, signed_links.fingerprint(email))
        received_mail.add(tx, account.id, digest, desk.now())
        with speaking_to(account.locale):
            outcome = _welcome(account, letter)
        notices.add(tx, [_answer(account.id, letter, outcome)], desk.now())
    desk.wakeup.send()
    return ANSWERED


def _is_from_reader(desk: Desk, letter: Letter, recipient: str, account: str, email: str) -> bool:
    """Return whether a mail comes from this address, and replies to the letter that confirms it."""
    sender = trust.sender_of(letter)
    if sender is None or not trust.is_same_mailbox(sender, email):
        return False
    return mailboxes.is_confirmation_address(desk, recipient, account, email)


def _welcome(account: Account, letter: Letter) -> ServiceOutcome:
    """Return the answer to “yes”: the address is confirmed, and these are the commands."""
    sentence = say("Your address is confirmed. You play here as {name}.", name=account.name)
    guide = runner.show_help()
    lines = [
        ServiceLine(letter.lines[0], sentence, ok=True, changed=True),
        ServiceLine("help", guide.sentence, ok=True, items=guide.items),
    ]
    return ServiceOutcome(lines, letter.lines[1:])


def _carry_out(writer: Writer, account: Account, letter: Letter, digest: bytes) -> str:
    """Carry out the lines of a player, and queue the answer, both at most once."""
    desk, now = writer.desk, writer.desk.now()
    try:
        with speaking_to(account.locale):
            outcome = runner.carry_out(writer, letter.lines)
            with desk.database.writing() as tx:
                received_mail.add(tx, account.id, digest, now)
                held_mail.release(tx, account.id, digest)  # it was not certain when it came before
                became = _answer_or_hold(tx, account, letter, digest, outcome, now)
    except Clash:
        if _is_stored(desk, account.id, digest):  # by another process
            return DUPLICATE
        raise
    desk.wakeup.send()
    return became


def _is_stored(desk: Desk, account: str, digest: bytes) -> bool:
    """Return whether a mail was received or is held."""
    with desk.database.reading() as tx:
        is_received = received_mail.is_stored(tx, account, digest)
        return is_received or held_mail.is_held(tx, account, digest)


def _box(account: Account) -> Mailbox:
    """Return the address of the service, as the limits and the list of held mail see it."""
    return Mailbox("reply", account.id)


def _answer_or_hold(
    tx: Transaction,
    account: Account,
    letter: Letter,
    digest: bytes,
    outcome: ServiceOutcome,
    now: str,
) -> str:
    """Queue the answer to a mail, or hold the mail if it changed nothing and gets no answer."""
    box, note = _box(account), None
    if account.bounced:
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
    notices.add(tx, [_answer(account.id, letter, outcome, note)], now)
    return ANSWERED


def _answer(
    account: str, letter: Letter, outcome: ServiceOutcome, note: str | None = None
) -> Notice:
    return Notice(account, COMMANDS_ANSWERED, data=_data(letter, outcome) | {"note": note})


def _data(letter: Letter, outcome: ServiceOutcome) -> dict[str, Any]:
    return {
        "lines": [line._asdict() | {"text": clean(line.text)} for line in outcome.lines],
        "unread": [clean(line) for line in outcome.unread],
        "message_id": trust.message_id(letter),
    }


def _hold(desk: Desk, account: Account, letter: Letter, digest: bytes, rule: Rule) -> str:
    """Keep a mail for its owner to see, and ask whether they wrote it if its fate is that.

    Nobody is asked about a mail that does not begin with a command: there is nothing to confirm.
    """
    now = desk.now()
    try:
        with speaking_to(account.locale), desk.database.writing() as tx:
            if not held_mail.hold(tx, _box(account), letter, digest, rule, now):
                return DUPLICATE
            may_ask = rule.fate is Fate.CONFIRM and runner.looks_like_commands(letter.lines)
            is_asked = may_ask and _ask(tx, account, letter, rule, now)
    except Clash:
        if _is_stored(desk, account.id, digest):  # by another process
            return DUPLICATE
        raise
    if not is_asked:
        return HELD
    desk.wakeup.send()
    return UNSURE


def _ask(tx: Transaction, account: Account, letter: Letter, rule: Rule, now: str) -> bool:
    """Owe the owner a letter that asks whether they wrote a mail; False if there were enough."""
    box = _box(account)
    spend = answer_limits.spend_question if rule.asks_each else answer_limits.spend_for_stranger
    left = spend(tx, box, now)
    if left is None:
        return False
    data = {
        "lines": [clean(line) for line in letter.lines[:MOST_LINES]],
        "why": say(rule.sentence),
        "sender": trust.sender_of(letter),
        "message_id": trust.message_id(letter),
        "note": answer_limits.last_question(box) if rule.asks_each and left == 0 else None,
    }
    notices.add(tx, [Notice(account.id, COMMANDS_UNSURE, data=data)], now)
    return True


def _from_stranger(writer: Writer, letter: Letter, digest: bytes) -> str:
    """Let a sender without an account sign on or accept an invitation, and answer them."""
    locale = _language_of(letter)
    with speaking_to(locale):
        outcome = runner.carry_out(writer, letter.lines)
    if writer.account is not None:  # an invitation has made one
        return _answer_newcomer(writer, writer.account, letter, digest, outcome)
    if writer.signed_on and len(letter.lines) == 1:
        return ANSWERED  # the letter that asks to confirm the address says everything
    if not writer.is_proven:
        return IGNORED  # we must not write to an address that anybody can name
    data = _data(letter, outcome) | {"email": writer.email, "locale": locale}
    return _answer_stranger(writer.desk, data, digest)


def _answer_newcomer(
    writer: Writer, account: Account, letter: Letter, digest: bytes, outcome: ServiceOutcome
) -> str:
    desk, now = writer.desk, writer.desk.now()
    try:
        with desk.database.writing() as tx:
            received_mail.add(tx, account.id, digest, now)
            notices.add(tx, [_answer(account.id, letter, outcome)], now)
    except Clash:
        if _is_stored(desk, account.id, digest):  # by another process
            return DUPLICATE
        raise
    desk.wakeup.send()
    return ANSWERED


def _answer_stranger(desk: Desk, data: dict[str, Any], digest: bytes) -> str:
    """Owe an answer to an address without an account; a copy of a mail gets none."""
    now, id = desk.now(), hashlib.sha256(digest).hexdigest()[:22]
    answer = Delivery(id, "", "mail", None, TO_STRANGER, None, None, None, data, now, 0, now)
    try:
        with desk.database.writing() as tx:
            if not mail_limits.may_send(desk, tx, TO_STRANGER, data["email"]):
                return IGNORED
            deliveries.add(tx, [answer])
    except Clash:
        return DUPLICATE
    desk.wakeup.send()
    return ANSWERED


def _language_of(letter: Letter) -> str:
    """Return the language of a mail, as its sender's program names it, or else English."""
    try:
        return profile.checked_locale(letter.single("content-language"))
    except Refused:
        return "en"
