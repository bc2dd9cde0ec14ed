"""Mail: letters are composed from the log at the time of sending, and handed to a transport."""

from collections.abc import Sequence
from concurrent.futures import Future

from service.desk import Desk
from service.notify.outbox import Delivery, Outcome
from service.people import addresses
from workers.channels.mail.letters.compose import Composed
from workers.channels.mail.scribe import Scribe
from workers.channels.mail.transport import Transport, transport_for


class Mail:
    """The channel of letters."""

    def __init__(
        self, desk: Desk, transport: Transport | None = None, *, pictures: bool = True
    ) -> None:
        self._desk = desk
        self._transport = transport or transport_for(desk)
        self._scribe = Scribe(desk, pictures=pictures)

    def deliver(self, letter: Sequence[Delivery]) -> Outcome:
        """Send one letter that tells of these, if they are still worth telling."""
        return self.send(letter, self.prepare(letter).result())

    def prepare(self, letter: Sequence[Delivery]) -> Future[Composed | None]:
        """The letter, ready to go; None if nobody is to be told any more.

        It is composed while the letters before are being sent.
        """
        return self._scribe.begin(letter)

    def send(self, letter: Sequence[Delivery], composed: Composed | None) -> Outcome:
        """Send a letter that was prepared."""
        if composed is None:
            return Outcome("superseded")
        posted = self._transport.post(
            letter[0].id, composed.sender, composed.recipient, composed.message
        )
        if posted.gone and composed.account is not None:
            addresses.record_bounce(self._desk, composed.account, composed.recipient)
        sent = len(composed.message) if posted.state == "sent" else None
        return Outcome(posted.state, posted.status, posted.error, sent)

    def close(self) -> None:
        """Give back the connection, and let the scribe's helper go."""
        self._scribe.close()
        self._transport.close()
