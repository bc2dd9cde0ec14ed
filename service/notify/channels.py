"""Channels: what one has to say about itself, and which there are.

The package `workers.channels` registers its channels here when it is imported, because the outbox
and the settings page need to know them and may not import the workers.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from datetime import timedelta
from threading import Event
from typing import NamedTuple, Protocol

from service.desk import Desk
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
    """Whether the account can be told anything on it."""


class Lane(Protocol):
    """The threads that send what is due on a channel."""

    def start(self) -> None: ...

    def wake(self) -> None:
        """Look for due deliveries now."""

    def join(self) -> None:
        """Wait until what is being sent is finished and all else given back, once it is stopped."""


class Channel(ABC):
    """A way to tell people or programs what happens; a folder in `workers/channels`."""

    name: str
    """As it is stored with each delivery; never changes."""
    kinds: Collection[str]
    """The kinds of notices that it carries."""
    pauses: Sequence[timedelta]
    """The pauses after failed attempts; after the last pause and attempt a delivery has failed."""
    is_for_people: bool
    """Whether mute, quiet hours, merging and such apply; programs are told at once."""

    @abstractmethod
    def targets(self, tx: Transaction, account: Account, notice: Notice) -> Collection[str | None]:
        """Where on this channel an account can be told of a notice; empty if nowhere.

        None is the account itself, for channels on which it has a single address.
        """

    @abstractmethod
    def describe(self, account: Account) -> Description:
        """What the settings page shows."""

    @abstractmethod
    def lane(self, desk: Desk, stopping: Event) -> Lane:
        """What sends its deliveries in this process, once started and until `stopping` is set."""


_channels: dict[str, Channel] = {}


def register(*channels: Channel) -> None:
    """Make channels known to the outbox, the deliverer and the settings page."""
    for channel in channels:
        if channel.name in _channels:
            raise ValueError(f"the channel {channel.name} is registered already")
        _channels[channel.name] = channel


def unregister(name: str) -> None:
    """Forget a channel, as tests do after they have registered their own."""
    del _channels[name]


def registered() -> list[Channel]:
    """All channels, in the order in which they were registered."""
    if not _channels:
        raise RuntimeError("no channel is registered; import workers.channels first")
    return list(_channels.values())


def named(name: str) -> Channel:
    """The channel with this name."""
    return _channels[name]


def described(desk: Desk, account: str) -> list[Description]:
    """All channels, as the settings page shows them to an account."""
    with desk.database.reading() as tx:
        row = accounts.account(tx, account)
    return [channel.describe(row) for channel in registered()] if row else []
