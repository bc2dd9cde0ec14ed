"""Everything about an incoming mail on which its fate depends."""

from enum import StrEnum
from typing import NamedTuple

from service.replies import trust
from service.replies.incoming_mail import Letter
from service.replies.trust import Verdict


class Destination(StrEnum):
    """What the address that a mail was sent to stands for."""

    COMPLAINTS = "complaints"
    """The address for feedback loops."""
    SERVICE = "service"
    """The address of the service itself."""
    ACCOUNT = "account"
    """An account: where its mail bounces to, or where its address is confirmed."""
    NO_SEAT = "no seat"
    """A game that does not exist any more, or in which the account has no seat."""
    DECISION = "decision"
    """A decision that is still open."""
    NO_DECISION = "no decision"
    """A decision that is over."""
    SEAT = "seat"
    """A seat at any time: its lasting address, or that of table talk."""


class Arrival(NamedTuple):
    """A mail, with everything that its fate depends on."""

    letter: Letter
    envelope_from: str
    destination: Destination = Destination.NO_DECISION
    owner: str | None = None
    """The confirmed email address of the account; None if it has none."""
    verdict: Verdict = Verdict.NONE
    is_readable: bool = True
    """Whether it is within our limits."""
    is_copy: bool = False
    """Whether it was carried out before."""
    is_bouncing: bool = False
    """Whether mail to the owner bounces."""
    has_commands: bool = False
    """Whether it begins like a command."""
    leaves_table: bool = False
    """Whether it has the line `leave yes`, which a reading before a crash may have carried out."""

    @property
    def sender(self) -> str | None:
        """The address in the From header, if it can be read in one way only."""
        return trust.sender_of(self.letter)

    @property
    def senders(self) -> tuple[str, ...]:
        """The addresses in the envelope and in the From header."""
        return tuple(filter(None, (self.envelope_from, self.sender)))

    @property
    def is_from_owner(self) -> bool:
        """Whether the From header names the mailbox of the owner; that alone proves nothing."""
        sender, owner = self.sender, self.owner
        return sender is not None and owner is not None and trust.is_same_mailbox(sender, owner)

    @property
    def is_certain(self) -> bool:
        """Whether the owner has certainly written it."""
        # The server that checked DMARC may have read another From header of an odd letter.
        return self.is_from_owner and self.verdict is Verdict.PASS and not self.letter.is_odd

    @property
    def may_be_forged(self) -> bool:
        """Whether something speaks against the owner as the sender."""
        return not self.is_from_owner or self.verdict is Verdict.FAIL
