"""A channel that sends each message with one HTTP request."""

from abc import abstractmethod
from collections.abc import Mapping
from threading import Event

from service.desk import Desk
from service.notify.channels import Lane
from service.notify.destinations.announcements import Announcement
from service.notify.destinations.destination_channel import DestinationChannel
from service.notify.hook_targets import is_public
from service.settings import Settings
from workers.calling import verdicts
from workers.calling.connector import Answer, Connector, Request, anywhere
from workers.calling.destination_sender import DestinationSender
from workers.calling.verdicts import Verdict
from workers.lanes.in_order import InOrder

DEADLINE = 8.0
"""Seconds for a request: nobody waits for its answer, but other messages wait behind it."""
MOST_BODY = 256 * 1024
"""Bytes of a response that are read."""


class PostingChannel(DestinationChannel):
    """A channel that sends each message with one HTTP request."""

    @abstractmethod
    def request(self, desk: Desk, parts: Mapping[str, str], message: Announcement) -> Request:
        """Return the request that sends a message; refused if the address is not allowed now."""

    def verdict(self, answer: Answer, now: str) -> Verdict:
        """Return what a response means; by default, by its status."""
        return verdicts.by_status(answer, now)

    def locating(self, _: Desk, __: Mapping[str, str]) -> Request | None:
        """Return the request that asks to which room an address leads; None if it says so."""
        return None

    def located(self, _: Mapping[str, str], __: Answer) -> str | None:
        """Return the room that the response names; None if it names none."""
        return None

    def connector(self, settings: Settings) -> Connector:
        """Return the connector that calls the addresses of players: public ones only."""
        is_allowed = anywhere if settings.webhook_targets == "any" else is_public
        return Connector(is_allowed, deadline=DEADLINE, most_body=MOST_BODY)

    def lane(self, desk: Desk, stopping: Event) -> Lane:
        """Return the lane that sends one message after another."""
        return InOrder(desk, stopping, self, DestinationSender(desk, self))
