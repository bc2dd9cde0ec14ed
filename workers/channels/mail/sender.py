"""Composes letters and hands them to a transport."""

from collections.abc import Sequence

from service.desk import Desk
from service.notify.outbox import Delivery, Outcome
from service.people import addresses
from service.replies import mailboxes
from workers.channels.mail.letters.compose import Composed, Composer
from workers.channels.mail.transport import Transport, transport_for


class Mail:
    """Composes and sends letters."""

    def __init__(
        self, desk: Desk, transport: Transport | None = None, *, pictures: bool = True
    ) -> None:
        self._desk = desk
        self._transport = transport or transport_for(desk)
        self._composer = Composer(desk, pictures=pictures)

    def compose(self, deliveries: Sequence[Delivery]) -> Composed | None:
        """A letter about these; None if there is no news left, or no recipient."""
        return self._composer.composed(deliveries)

    def deliver(self, deliveries: Sequence[Delivery], message: Composed) -> Outcome:
        """Store the addresses at which the letter is answered, and send it."""
        mailboxes.store(self._desk, message.addresses)
        posted = self._transport.post(
            deliveries[0].id, message.sender, message.recipient, message.message
        )
        if posted.gone and message.account is not None:
            addresses.record_bounce(self._desk, message.account, message.recipient)
        sent = len(message.message) if posted.state == "sent" else None
        return Outcome(posted.state, posted.status, posted.error, sent)

    def close(self) -> None:
        """Close the connection to the mail server."""
        self._transport.close()
