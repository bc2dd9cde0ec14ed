"""The toy channel: appends lines to the files of accounts that have one."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from threading import Event

from service.desk import Desk
from service.notify.channels import (
    Account,
    Channel,
    Description,
    Lane,
    Notice,
    Target,
    Transaction,
)
from service.notify.outbox import Delivery, Outcome
from workers.lanes.in_order import InOrder

FULL, GONE = "full", "gone"
"""Last lines of a file that refuse the next line: for now, or for good."""


class ToyChannel(Channel):
    """Notifies an account by lines in a file that has the account's id as its name."""

    name = "toy"
    kinds = frozenset({"game_started", "game_finished", "message_posted"})
    pauses = (timedelta(minutes=1), timedelta(hours=1))
    is_for_people = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def targets(self, _: Transaction, account: Account, notice: Notice) -> tuple[Target, ...]:
        """One target if the account has a file and the notice is about a game."""
        has_file = (self.folder / account.id).exists() and notice.game
        return (Target(account, notice.seat),) if has_file else ()

    def describe(self, _: Transaction, account: Account) -> Description:
        """Describe the channel for the settings page."""
        return Description("Toy", "A file of your own", (self.folder / account.id).exists())

    def lane(self, desk: Desk, stopping: Event) -> Lane:
        """Send one line after another."""
        return InOrder(desk, stopping, self, ToySender(self.folder))


class ToySender:
    """Appends lines."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def compose(self, deliveries: Sequence[Delivery]) -> str | None:
        """Write one line about all deliveries."""
        return " ".join(f"{delivery.kind} {delivery.game}" for delivery in deliveries)

    def deliver(self, deliveries: Sequence[Delivery], message: str) -> Outcome:
        """Append the line; a full file is retried, a file that is gone fails for good."""
        file = self._folder / deliveries[0].account
        last = file.read_text(encoding="utf-8").splitlines()[-1:]
        if last == [GONE]:
            return Outcome("failed", error="gone")
        if last == [FULL]:
            return Outcome("again", error=f"full {deliveries[0].attempts}")
        with file.open("a", encoding="utf-8") as lines:
            lines.write(f"{message}\n")
        return Outcome("sent", sent_bytes=len(message))

    def close(self) -> None:
        """Do nothing: no file is kept open."""
