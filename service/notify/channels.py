"""The interface of a channel, and the registry of channels.

The package `workers.channels` registers its channels here when it is imported, because the outbox
and the settings page need them and may not import the workers.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from datetime import timedelta
from threading import Event
from typing import NamedTuple, Protocol

from service.desk import Desk
from service.settings import Settings
from store.database import Transaction
from store.notify.notices import Notice
from store.people import accounts
from store.people.accounts import Account

__all__ = [
    "Account",
    "Channel",
    "Description",
    "Lane",
    "Notice",
    "Target",
    "Transaction",
    "described",
    "named",
    "register",
    "registered",
    "unregister",
]


class Description(NamedTuple):
    """A channel as the settings page shows it to an account."""

    title: str
    address: str
    """What an address on this channel looks like."""
    is_set_up: bool
    """Whether the account can receive messages on it."""


class Target(NamedTuple):
    """Where a notice goes on a channel."""

    account: Account
    """The account that receives it there, whose preferences hold."""
    seat: int | None = None
    """The seat of that account at the table, if the notice is about a game."""
    hook: str | None = None
    destination: str | None = None


class Lane(Protocol):
    """The threads that send what is due on a channel."""

    def start(self) -> None: ...

    def wake(self) -> None:
        """Look for due deliveries now."""

    def join(self) -> None:
        """Wait after a stop until sending has finished and all other claims are given back."""


class Channel(ABC):
    """A way to notify people or programs; a folder in `workers/channels`."""

    name: str
    """The name stored with each delivery; never changes."""
    kinds: Collection[str]
    """The kinds of notices it carries."""
    pauses: Sequence[timedelta]
    """The pauses between attempts; a delivery fails when the attempt after the last pause fails."""
    is_for_people: bool
    """Whether mute, quiet hours and merging apply; programs are notified at once."""
    is_off_without_mail: bool = True
    """Whether an account that wants no mail is not notified here either."""

    def is_available(self, _: Settings) -> bool:
        """Return whether the operator has set the channel up; by default nothing is needed."""
        return True

    def games_followed(self, _: Transaction, games: Collection[str]) -> Collection[str]:
        """Return those of these games about which it may have anything to send; by default all.

        A channel that few accounts use saves most notices the question for their targets.
        """
        return games

    @abstractmethod
    def targets(self, tx: Transaction, account: Account, notice: Notice) -> Collection[Target]:
        """List the targets of a notice to an account on this channel; empty if there are none."""

    @abstractmethod
    def describe(self, tx: Transaction, account: Account) -> Description:
        """Describe the channel for the settings page."""

    @abstractmethod
    def lane(self, desk: Desk, stopping: Event) -> Lane:
        """Create the lane that sends deliveries in this process until `stopping` is set."""


_channels: dict[str, Channel] = {}


def register(*channels: Channel) -> None:
    """Make channels known to the outbox, the deliverer and the settings page."""
    for channel in channels:
        if channel.name in _channels:
            raise ValueError(f"the channel {channel.name} is registered already")
        _channels[channel.name] = channel


def unregister(name: str) -> None:
    """Remove a channel; for tests that have registered their own."""
    del _channels[name]


def registered() -> list[Channel]:
    """Return all channels, in the order in which they were registered."""
    if not _channels:
        raise RuntimeError("no channel is registered; import workers.channels first")
    return list(_channels.values())


def named(name: str) -> Channel:
    """Return the channel with this name."""
    return _channels[name]


def described(desk: Desk, account: str) -> list[Description]:
    """Describe the channels for the settings page of an account.

    Those that the operator has not set up are left out, unless the account uses them already.
    """
    with desk.database.reading() as tx:
        row = accounts.account(tx, account)
        if row is None:
            return []
        every = [(channel, channel.describe(tx, row)) for channel in registered()]
    return [
        description
        for channel, description in every
        if description.is_set_up or channel.is_available(desk.settings)
    ]
