"""Reports about our own mail: that it came back (RFC 3464), or is unwelcome (RFC 5965).

Either stops mail to an address. Nobody is answered, and whoever changes their address starts anew.
"""

from collections.abc import Iterator, Sequence

from service.desk import Desk
from service.people import addresses
from service.replies import mailboxes
from service.replies.incoming_mail import Header, Letter
from service.replies.mailboxes import Mailbox
from store.people import accounts

COMPLAINTS = "complaints"
"""The local part to which feedback loops send; reports are all that is read there."""
_UNWELCOME = ("abuse", "fraud", "virus", "other")
_NAMED_IN = ("return-path", "reply-to", "x-original-return-path", "original-mail-from")
"""Where in our own mail an address stands that says whose mail it was."""


def note(desk: Desk, letter: Letter, recipient: str, box: Mailbox | None) -> bool:
    """Stop mail to an address if a report says so; whether it does."""
    fields = [dict(reversed(block)) for block in letter.reports]
    unwelcome = any(one.get("feedback-type", "").lower() in _UNWELCOME for one in fields)
    if not unwelcome and not any(map(_came_back, fields)):
        return False
    named = [(recipient, box)] if box else []
    for address, found in (*named, *_boxes(desk, letter.reports)):
        with desk.database.reading() as tx:
            account = accounts.account(tx, found.account)
        known = (account.email, account.new_email) if account else ()
        for email in filter(None, known):
            if _is_about(desk, address, found, email, fields):
                addresses.record_bounce(desk, found.account, email)
                return True
    return False


def _came_back(fields: dict[str, str]) -> bool:
    """Whether a letter could not be delivered for good; a 4 means that they will try again."""
    failed = fields.get("action", "failed").strip().lower() == "failed"
    return failed and fields.get("status", "").strip().startswith("5.")


def _boxes(desk: Desk, reports: Sequence[Sequence[Header]]) -> Iterator[tuple[str, Mailbox]]:
    """The addresses of ours that stand in the mail that is reported on."""
    for block in reports:
        for name, value in block:
            address = value.strip(" <>")
            if name in _NAMED_IN and (box := mailboxes.read(desk, address)):
                yield address, box


def _is_about(
    desk: Desk, address: str, box: Mailbox, email: str, fields: Sequence[dict[str, str]]
) -> bool:
    """Whether a report is about this address of the account, and not about an old one."""
    if box.purpose == "bounce":
        return mailboxes.is_for(desk, address, box.account, email)
    named = ("final-recipient", "original-recipient", "original-rcpt-to", "to")
    said = [one[name] for one in fields for name in named if name in one]
    return email.lower() in [value.rpartition(";")[2].strip(" <>").lower() for value in said]
