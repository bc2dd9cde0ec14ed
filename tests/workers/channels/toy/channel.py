"""The toy channel: lines in a file, for people whose name the test has written there."""

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from threading import Event

from service.desk import Desk
from service.notify.channels import Account, Channel, Description, Lane, Notice, Transaction
from service.notify.outbox import Delivery, Outcome
from workers.lanes.in_order import InOrder

FULL, GONE = "full", "gone"
"""What a file can say to the next line: not now, or never again."""


class ToyChannel(Channel):
    """Tells an account what happens, by lines in a file that is called like the account."""

    name = "toy"
    kinds = frozenset({"game_started", "game_finished", "message_posted"})
    pauses = (timedelta(minutes=1), timedelta(hours=1))
    is_for_people = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def targets(self, _: Transaction, account: Account, notice: Notice) -> tuple[None, ...]:
        """The file of an account, if there is one."""
        return (None,) if (self.folder / account.id).exists() and notice.game else ()

    def describe(self, account: Account) -> Description:
        """What the settings page shows."""
        return Description("Toy", "A file of your own", (self.folder / account.id).exists())

    def lane(self, desk: Desk, stopping: Event) -> Lane:
        """One line after another."""
        return InOrder(desk, stopping, self, ToySender(self.folder))


class ToySender:
    """Appends lines."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def compose(self, deliveries: Sequence[Delivery]) -> str | None:
        """One line about all of them."""
        return " ".join(f"{delivery.kind} {delivery.game}" for delivery in deliveries)

    def deliver(self, deliveries: Sequence[Delivery], message: str) -> Outcome:
        """Append the line; a full file is tried again, one that is gone is given up."""
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
        """Nothing is kept open."""
