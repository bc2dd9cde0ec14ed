"""The channel of mail: letters to the address of an account."""

from datetime import timedelta
from threading import Event

from engine.translate import say
from service.desk import Desk
from service.games.table_notices import ANSWERED
from service.notify.channels import (
    Account,
    Channel,
    Description,
    Lane,
    Notice,
    Target,
    Transaction,
)
from service.notify.notice_kinds import ABOUT_ADDRESSES
from service.people import addresses
from workers.channels.mail.letters.writers import TOGETHER, WRITERS
from workers.channels.mail.sender import Mail
from workers.lanes.in_order import InOrder


class MailChannel(Channel):
    """Writes letters to the confirmed address of an account."""

    name = "mail"
    kinds = frozenset({*WRITERS, *TOGETHER})
    pauses = tuple(timedelta(minutes=n) for n in (1, 5, 15, 60, 180, 360, 720, 1440))
    is_for_people = True

    def targets(self, _: Transaction, account: Account, notice: Notice) -> tuple[Target, ...]:
        """Return the account's address, if mail can be delivered there.

        Whether a letter about another address may go is decided when it is composed. A decision
        that the answer to a player's own mail shows already needs no second letter.
        """
        if notice.data == ANSWERED:
            return ()
        reached = notice.kind in ABOUT_ADDRESSES or addresses.deliverable_address(
            account, notice.kind
        )
        return (Target(account, notice.seat),) if reached else ()

    def describe(self, _: Transaction, account: Account) -> Description:
        """Return what the settings page shows."""
        hint = say("An email address, such as you@example.org")
        return Description(
            say("Mail"), hint, addresses.deliverable_address(account, "") is not None
        )

    def lane(self, desk: Desk, stopping: Event) -> Lane:
        """Make the lane, which sends one letter after another."""
        return InOrder(desk, stopping, self, Mail(desk))
