"""Composes letters and hands them to a transport."""

from collections.abc import Sequence
from datetime import timedelta

import structlog

from service.desk import Desk, StoreError
from service.notify import bounce_kinds, mail_providers
from service.notify.outbox import Delivery, Outcome
from service.people import addresses
from service.replies import mailboxes
from workers.channels.mail.letters.compose import Composed, Composer
from workers.channels.mail.transport import Posted, Transport, transport_for

AFTER_REFUSAL = timedelta(hours=1)
"""The least pause after a permanent refusal that is tried again all the same, such as one for
policy: an operator needs time to mend what is wrong, and haste would make it worse."""


log = structlog.get_logger()


class Mail:
    """Composes and sends letters."""

    def __init__(
        self, desk: Desk, transport: Transport | None = None, *, pictures: bool = True
    ) -> None:
        self._desk = desk
        self._transport = transport or transport_for(desk)
        self._tally = mail_providers.Tally(desk)
        self._composer = Composer(desk, pictures=pictures)

    def compose(self, deliveries: Sequence[Delivery]) -> Composed | None:
        """Return a letter about these; None if there is no news left, or no recipient."""
        return self._composer.composed(deliveries)

    def deliver(self, deliveries: Sequence[Delivery], message: Composed) -> Outcome:
        """Store the addresses at which the letter is answered, and send it."""
        mailboxes.store(self._desk, message.addresses)
        posted = self._transport.post(
            deliveries[0].id, message.sender, message.recipient, message.message
        )
        is_sent = posted.state == "sent"
        try:
            self._record(deliveries[0].id, message, posted)
        except StoreError as error:
            # What the server has answered stands: a letter that was sent is not sent again.
            log.warning("the answer to a letter was not counted", error=type(error).__name__)
        return Outcome(
            posted.state,
            posted.status,
            posted.error,
            sent_bytes=len(message.message) if is_sent else None,
            retry_after=AFTER_REFUSAL if posted.kind else None,
        )

    def _record(self, id: str, message: Composed, posted: Posted) -> None:
        """Count what the server has answered, for the recipient and for its provider."""
        is_sent = posted.state == "sent"
        if posted.kind == bounce_kinds.GONE and message.account is not None:
            addresses.record_missing(self._desk, message.account, message.recipient, id)
        if is_sent or posted.kind == bounce_kinds.POLICY:
            self._tally.add(message.recipient, refused=not is_sent)

    def close(self) -> None:
        """Close the connections to the mail server; letters that are being sent fail."""
        self._transport.close()
