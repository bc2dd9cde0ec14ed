"""A deliverer whose channels have senders of the test's own, and what became of deliveries."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from service.desk import Desk
from service.notify.channels import Lane
from service.notify.outbox import Delivery, Outcome
from tests.service.owing import on_its_way
from workers.background.deliverer import Deliverer
from workers.channels.mail.channel import MailChannel
from workers.channels.webhook.channel import WebhookChannel
from workers.channels.webhook.crews import Crews
from workers.lanes.in_order import InOrder


class Stub:
    """A sender that remembers what it was given, and does with it what the test says."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.open = threading.Event()
        self.open.set()

    def compose(self, deliveries: Sequence[Delivery]) -> str:
        """The words of a message."""
        return deliveries[0].id

    def deliver(self, deliveries: Sequence[Delivery], message: str) -> Outcome:
        """Send a message with its own words, as soon as the door is open."""
        assert message == deliveries[0].id
        return self.send(deliveries[0])

    def send(self, delivery: Delivery) -> Outcome:
        """Wait until the door is open; then it is sent."""
        self.given.append(delivery.id)
        assert self.open.wait(30)
        return self.outcome(delivery)

    def close(self) -> None:
        """Nothing is kept."""

    def outcome(self, _: Delivery) -> Outcome:
        """It arrives."""
        return Outcome("sent")


class StubbedMail(MailChannel):
    """Mail with a sender of the test's own."""

    def __init__(self, sender: Stub) -> None:
        self.sender = sender

    def lane(self, desk: Desk, stopping: threading.Event) -> Lane:
        """Sends in order, as mail does."""
        return InOrder(desk, stopping, self, self.sender)


class StubbedHooks(WebhookChannel):
    """Webhooks with a sender of the test's own."""

    def __init__(self, sender: Stub) -> None:
        self.sender = sender

    def lane(self, desk: Desk, stopping: threading.Event) -> Lane:
        """Sends by crews, as webhooks do."""
        return Crews(desk, stopping, self.sender)


def deliverer(desk: Desk, mail: Stub | None = None, hooks: Stub | None = None) -> Deliverer:
    """A deliverer with these senders."""
    return Deliverer(desk, [StubbedMail(mail or Stub()), StubbedHooks(hooks or Stub())])


def crews(working: Deliverer) -> Crews:
    """The lane of its hooks."""
    (lane,) = (lane for lane in working._lanes if isinstance(lane, Crews))
    return lane


@contextmanager
def delivering(
    desk: Desk, mail: Stub | None = None, hooks: Stub | None = None
) -> Iterator[Deliverer]:
    """A deliverer that runs."""
    made = deliverer(desk, mail, hooks)
    made.start()
    try:
        yield made
    finally:
        made.stop()


def hook_states(desk: Desk) -> list[tuple[str, str]]:
    """The hooks that were told something, and how each delivery stands."""
    return [(one, state) for one, state in on_its_way(desk, "hook", "state") if one]
