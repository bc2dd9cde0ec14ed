"""Reports about our own mail: bounces (RFC 3464, or plain text) and complaints (RFC 5965).

Mail to an address stops when reports say repeatedly that it does not exist, or when its reader
complains. Other failures concern one letter. Reports are never answered.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from service.desk import Desk
from service.notify import bounce_kinds, mail_providers
from service.people import addresses
from service.replies import mailboxes
from service.replies.incoming_mail import Header, Letter
from service.replies.mailboxes import Mailbox
from store.people import accounts

COMPLAINTS = "complaints"
"""The local part of the address for feedback loops; only reports are read there."""
_UNWELCOME = ("abuse", "fraud", "virus", "other")
"""Types of feedback that count as a complaint."""
_OUR_ADDRESS_IN = ("return-path", "reply-to", "x-original-return-path", "original-mail-from")
"""Headers of our own mail that hold one of our addresses, which tells whose mail it was."""
_RECIPIENT_IN = ("final-recipient", "original-recipient", "original-rcpt-to", "to")
_COPY_BEGINS = (
    *("below this line is a copy of the message", "this is a copy of"),
    *(
        "original message follows",
        "message headers",
        "headers of the message",
        "the body of the message is",
        "received:",
    ),
)
"""Phrases in the line above the copy of our own letter in a plain-text report."""
_FAILURE_SAYS = (
    *("this is the qmail-send program", "undeliver", "could not be delivered", "not delivered"),
    *("couldn't be delivered", "wasn't delivered", "delivery failed", "delivery has failed"),
    *("delivery to the following", "permanent fatal errors", "permanent error", "returned mail"),
    *("unable to deliver", "failure notice", "failed permanently"),
)
"""Phrases of which a plain-text report has at least one, and an automatic reply none."""
_MESSAGE_ID = re.compile(r"<([^<>@\s]{1,200})@")


class _Verdict(NamedTuple):
    """What a report says about a letter."""

    kind: str
    """One of `bounce_kinds`, `complaint`, or `delivered`."""
    letter: str


def record_report(desk: Desk, letter: Letter, recipient: str, box: Mailbox | None) -> bool:
    """Record a bounce or complaint about one of our letters; return whether it is one."""
    fields = [dict(reversed(block)) for block in letter.reports]
    verdict = _verdict(letter, fields)
    subject = _subject(desk, letter, fields, recipient, box) if verdict else None
    if verdict is None or subject is None:
        return False
    account, email = subject
    if verdict.kind == "delivered":
        addresses.record_arrival(desk, account)
        return False
    if verdict.kind == "complaint":
        addresses.record_complaint(desk, account, email)
    elif verdict.kind == bounce_kinds.GONE:
        addresses.record_missing(desk, account, email, verdict.letter)
    elif verdict.kind == bounce_kinds.POLICY:
        mail_providers.count_refusal(desk, email)
    return True


def _verdict(letter: Letter, fields: Sequence[dict[str, str]]) -> _Verdict | None:
    """Return what a report says; None if it is no report, or the letter may still arrive."""
    if any(report.get("feedback-type", "").lower() in _UNWELCOME for report in fields):
        return _Verdict("complaint", "")
    about = _letter_of(letter, fields)
    statuses = [report for report in fields if "action" in report or "status" in report]
    if statuses:
        return next(filter(None, (_by_fields(letter, report, about) for report in statuses)), None)
    if any("feedback-type" in report for report in fields):
        return None
    text = _own_text(letter)
    is_report = letter.all("x-failed-recipients") or _has(text, _FAILURE_SAYS)
    return _by_text(text, about) if is_report else None


def _by_fields(letter: Letter, report: dict[str, str], about: str) -> _Verdict | None:
    """Return what the fields of a delivery status say, or its text if its status says nothing."""
    action, status = (report.get(name, "").strip().lower() for name in ("action", "status"))
    status = status.partition(" ")[0]
    if action == "delivered" or status.startswith("2."):
        return _Verdict("delivered", about)
    if action not in ("failed", ""):
        return None
    diagnostic = report.get("diagnostic-code", "")
    text = diagnostic or _own_text(letter)
    if not status:
        return _by_text(text, about)
    refusal = bounce_kinds.refusal(None, text, status)
    return _Verdict(refusal.kind, about) if status.startswith("5.") else None


def _by_text(text: str, about: str) -> _Verdict | None:
    refusal = bounce_kinds.refusal(None, text)
    return _Verdict(refusal.kind, about) if refusal.is_permanent else None


def _own_text(letter: Letter) -> str:
    """Return the text of a report up to the copy of our letter."""
    lines: list[str] = []
    for line in letter.text:
        if _has(line, _COPY_BEGINS):
            break
        lines.append(line)
    return "\n".join(lines)


def _has(text: str, phrases: Sequence[str]) -> bool:
    plain = " ".join(text.lower().replace("’", "'").split())
    return any(phrase in plain for phrase in phrases)


def _letter_of(letter: Letter, fields: Sequence[dict[str, str]]) -> str:
    """Return the id of the letter that a report is about, or of the report if it names none."""
    ids = [report["message-id"] for report in fields if "message-id" in report]
    ids += [line for line in letter.text if line.lower().startswith("message-id:")]
    matches = map(_MESSAGE_ID.search, [*ids, letter.single("message-id")])
    return next((match[1] for match in matches if match), "")


def _subject(
    desk: Desk,
    letter: Letter,
    fields: Sequence[dict[str, str]],
    recipient: str,
    box: Mailbox | None,
) -> tuple[str, str] | None:
    """Return the account and the address that a report is about."""
    candidates = [(recipient, box)] if box else []
    for address, mailbox in (*candidates, *_reported_boxes(desk, letter.reports)):
        with desk.database.reading() as tx:
            account = accounts.account(tx, mailbox.account)
        emails = (account.email, account.new_email) if account else ()
        for email in filter(None, emails):
            if _is_about(desk, address, mailbox, email, letter, fields):
                return mailbox.account, email
    return None


def _reported_boxes(
    desk: Desk, reports: Sequence[Sequence[Header]]
) -> Iterator[tuple[str, Mailbox]]:
    """Yield addresses of ours in the headers of the mail that a report is about."""
    for block in reports:
        for name, value in block:
            address = value.strip(" <>")
            if name in _OUR_ADDRESS_IN and (box := mailboxes.find(desk, address)):
                yield address, box


def _is_about(
    desk: Desk,
    address: str,
    box: Mailbox,
    email: str,
    letter: Letter,
    fields: Sequence[dict[str, str]],
) -> bool:
    """Return whether a report is about this address of the account, and not about a former one."""
    if box.purpose == "bounce":
        return mailboxes.is_bounce_address(desk, address, box.account, email)
    recipients = [report[name] for report in fields for name in _RECIPIENT_IN if name in report]
    recipients += letter.all("x-failed-recipients")
    return email.lower() in [value.rpartition(";")[2].strip(" <>").lower() for value in recipients]
