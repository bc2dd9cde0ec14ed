"""Who writes to the service address, and what a command answers."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.translate import say
from service.desk import Desk
from service.people import mail_limits
from service.people.tokens import Caller
from service.refusals import Refused
from store.people.accounts import Account


class Answer(NamedTuple):
    """What a command has done, or what was asked."""

    sentence: str
    items: tuple[str, ...] = ()
    """Further lines, such as the games of a list."""
    changed: bool = True
    """Whether the command has changed something; False for questions."""


@dataclass
class Writer:
    """The sender of a mail to the service; a command may give them an account."""

    desk: Desk
    email: str
    """The address in the From header."""
    account: Account | None
    key: str
    """Identifies the mail, also when it is read again; part of each line's idempotency key."""
    others: tuple[str, ...] = ()
    """Names of further accounts with this address."""
    is_proven: bool = True
    """Whether the mail certainly comes from that address."""
    signed_on: bool = False
    """Whether this mail has created an account, whose address is to be confirmed."""

    @property
    def player(self) -> Account:
        """The account; refused if the address has none."""
        if self.account is None:
            raise Refused(
                "forbidden",
                say(
                    "No player has the address {email} yet. To become one, write “sign on” and "
                    "the name under which you want to play.",
                    email=self.email,
                ),
            )
        if self.others:
            names = ", ".join((self.account.name, *self.others))
            raise Refused(
                "forbidden",
                say(
                    "Several players have this address: {names}. Begin your mail with “as” and "
                    "the name of the one you are now, for example “as {name}”.",
                    names=names,
                    name=self.account.name,
                ),
            )
        return self.account

    @property
    def source(self) -> str:
        """What the limits for letters to strangers count, in place of a client's IP address."""
        return self.email if self.is_proven else mail_limits.UNPROVEN_MAIL

    @property
    def caller(self) -> Caller:
        """The account as a caller of the service."""
        return Caller(self.player.id, "", frozenset())

    def key_of(self, number: int) -> str:
        """Return the idempotency key of a line."""
        return f"{self.key}-{number}"
