"""Reports about our own mail: bounces (RFC 3464) and complaints (RFC 5965).

Either stops mail to an address until its owner gives it again. Reports are never answered.
"""

from collections.abc import Iterator, Sequence

from service.desk import Desk
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


def record_report(desk: Desk, letter: Letter, recipient: str, box: Mailbox | None) -> bool:
    """Stop mail to the address that a bounce or complaint is about; return whether it did."""
    fields = [dict(reversed(block)) for block in letter.reports]
    unwelcome = any(report.get("feedback-type", "").lower() in _UNWELCOME for report in fields)
    if not unwelcome and not any(map(_is_permanent_failure, fields)):
        return False
    candidates = [(recipient, box)] if box else []
    for address, mailbox in (*candidates, *_reported_boxes(desk, letter.reports)):
        with desk.database.reading() as tx:
            account = accounts.account(tx, mailbox.account)
        emails = (account.email, account.new_email) if account else ()
        for email in filter(None, emails):
            if _is_about(desk, address, mailbox, email, fields):
                addresses.record_bounce(desk, mailbox.account, email)
                return True
    return False


def _is_permanent_failure(fields: dict[str, str]) -> bool:
    """Whether a letter cannot be delivered at all; a status of 4 means that it is tried again."""
    failed = fields.get("action", "failed").strip().lower() == "failed"
    return failed and fields.get("status", "").strip().startswith("5.")


def _reported_boxes(
    desk: Desk, reports: Sequence[Sequence[Header]]
) -> Iterator[tuple[str, Mailbox]]:
    """Addresses of ours in the headers of the mail that a report is about."""
    for block in reports:
        for name, value in block:
            address = value.strip(" <>")
            if name in _OUR_ADDRESS_IN and (box := mailboxes.find(desk, address)):
                yield address, box


def _is_about(
    desk: Desk, address: str, box: Mailbox, email: str, fields: Sequence[dict[str, str]]
) -> bool:
    """Whether a report is about this address of the account, and not about a former one."""
    if box.purpose == "bounce":
        return mailboxes.is_bounce_address(desk, address, box.account, email)
    names = ("final-recipient", "original-recipient", "original-rcpt-to", "to")
    recipients = [report[name] for report in fields for name in names if name in report]
    return email.lower() in [value.rpartition(";")[2].strip(" <>").lower() for value in recipients]
