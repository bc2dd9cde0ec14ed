"""Mail: letters are composed from the log at the time of sending, and handed to a transport."""

from collections.abc import Sequence

from service import addressees
from service.desk import Desk
from service.outbox import Delivery, Outcome
from workers.compose import Composed, Composer
from workers.transport import Transport, transport_for


class Mail:
    """The channel of letters."""

    def __init__(
        self, desk: Desk, transport: Transport | None = None, *, pictures: bool = True
    ) -> None:
        self._desk = desk
        self._transport = transport or transport_for(desk)
        self._composer = Composer(desk, pictures=pictures)

    def deliver(self, letter: Sequence[Delivery]) -> Outcome:
        """Send one letter that tells of these, if they are still worth telling."""
        return self.send(letter, self.prepare(letter))

    def prepare(self, letter: Sequence[Delivery]) -> Composed | None:
        """The letter, ready to go; None if nobody is to be told any more.

        It may be called from another thread, while the letter before is being sent.
        """
        return self._composer.composed(letter)

    def send(self, letter: Sequence[Delivery], composed: Composed | None) -> Outcome:
        """Send a letter that was prepared."""
        if composed is None:
            return Outcome("superseded")
        posted = self._transport.post(
            letter[0].id, composed.sender, composed.recipient, composed.message
        )
        if posted.gone and composed.account is not None:
            addressees.mark_gone(self._desk, composed.account, composed.recipient)
        sent = len(composed.message) if posted.state == "sent" else None
        return Outcome(posted.state, posted.status, posted.error, sent)

    def close(self) -> None:
        """Give back the connection."""
        self._transport.close()
