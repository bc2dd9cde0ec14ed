"""A deliverer with stub senders, and the states of its deliveries."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from service.desk import Desk
from service.notify.channels import Lane
from service.notify.outbox import Delivery, Outcome
from tests.service.support.owing import on_its_way
from workers.background.deliverer import Deliverer
from workers.channels.mail.channel import MailChannel
from workers.channels.webhook.channel import WebhookChannel
from workers.channels.webhook.crews import Crews
from workers.lanes.in_order import InOrder


class Stub:
    """A sender that records deliveries, and waits while its gate `open` is closed."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.open = threading.Event()
        self.open.set()

    def compose(self, deliveries: Sequence[Delivery]) -> str:
        """Return the delivery's id as the message."""
        return deliveries[0].id

    def deliver(self, deliveries: Sequence[Delivery], message: str) -> Outcome:
        """Check the message, and send it."""
        assert message == deliveries[0].id
        return self.send(deliveries[0])

    def send(self, delivery: Delivery) -> Outcome:
        """Record the delivery, wait until the gate is open, and return the outcome."""
        self.given.append(delivery.id)
        assert self.open.wait(30)
        return self.outcome(delivery)

    def close(self) -> None:
        """Do nothing: no resource is held."""

    def outcome(self, _: Delivery) -> Outcome:
        """Report the delivery as sent."""
        return Outcome("sent")


class StubbedMail(MailChannel):
    """Mail with a stub sender."""

    def __init__(self, sender: Stub) -> None:
        self.sender = sender

    def lane(self, desk: Desk, stopping: threading.Event) -> Lane:
        """Send in order, as mail does."""
        return InOrder(desk, stopping, self, self.sender)


class StubbedHooks(WebhookChannel):
    """Webhooks with a stub sender."""

    def __init__(self, sender: Stub) -> None:
        self.sender = sender

    def lane(self, desk: Desk, stopping: threading.Event) -> Lane:
        """Send by crews, as webhooks do."""
        return Crews(desk, stopping, self.sender)


def deliverer(desk: Desk, mail: Stub | None = None, hooks: Stub | None = None) -> Deliverer:
    """A deliverer with these stubs."""
    return Deliverer(desk, [StubbedMail(mail or Stub()), StubbedHooks(hooks or Stub())])


def crews(working: Deliverer) -> Crews:
    """The lane of the webhooks."""
    (lane,) = (lane for lane in working._lanes if isinstance(lane, Crews))
    return lane


@contextmanager
def delivering(
    desk: Desk, mail: Stub | None = None, hooks: Stub | None = None
) -> Iterator[Deliverer]:
    """Run a deliverer inside a `with` block."""
    made = deliverer(desk, mail, hooks)
    made.start()
    try:
        yield made
    finally:
        made.stop()


def hook_states(desk: Desk) -> list[tuple[str, str]]:
    """Hook and state of every delivery to a hook."""
    return [(hook, state) for hook, state in on_its_way(desk, "hook", "state") if hook]
