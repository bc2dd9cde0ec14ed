"""Senders: what a channel does with its deliveries, and attempts that never raise."""

from collections.abc import Callable, Sequence
from typing import ParamSpec, Protocol, TypeVar

import structlog

from service.notify.outbox import Delivery, Outcome

log = structlog.get_logger()
Message = TypeVar("Message")
P = ParamSpec("P")


class Sender(Protocol[Message]):
    """Composes and sends the messages of a channel; made once in a process."""

    def compose(self, deliveries: Sequence[Delivery]) -> Message | None:
        """Compose one message about these; None if there is nothing left to tell.

        Several deliveries belong to one stream, such as the talk at a table. It may be called in
        another thread than `deliver`, and writes nothing to the database.
        """

    def deliver(self, deliveries: Sequence[Delivery], message: Message) -> Outcome:
        """Send a message; the outcome says whether a retry can help.

        While one message takes long, others are sent by further threads.
        """

    def close(self) -> None:
        """Close all connections; what is being sent over them fails."""


def send(sender: Sender[Message], deliveries: Sequence[Delivery]) -> Outcome:
    """Compose a message and send it."""
    message = sender.compose(deliveries)
    return Outcome("superseded") if message is None else sender.deliver(deliveries, message)


def attempted(attempt: Callable[P, Outcome], *args: P.args, **kwargs: P.kwargs) -> Outcome:
    """Return the outcome of an attempt; an error of our own is logged and leads to another."""
    try:
        return attempt(*args, **kwargs)
    except BaseException as error:  # native libraries raise errors that are no Exception
        log.exception("a delivery failed because of an error on our side")
        return Outcome("again", error=f"an error on our side: {type(error).__name__}")
