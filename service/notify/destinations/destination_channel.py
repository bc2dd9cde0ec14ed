"""The interface of a channel on which accounts have destinations."""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from service.desk import Desk
from service.games.table_notices import ANSWERED
from service.notify import channels
from service.notify.channels import Account, Channel, Description, Notice, Target, Transaction
from service.notify.destinations.message_types import MESSAGE_TYPES
from service.settings import Settings
from store.notify import destinations
from store.people import accounts


class Input(NamedTuple):
    """A part of an address that its owner types."""

    name: str
    label: str
    hint: str
    type: str = "text"
    """The type of the field on the page, as in HTML."""
    is_required: bool = True


class Address(NamedTuple):
    """A new address on a channel, which has been checked."""

    parts: Mapping[str, str]
    """What is needed to call it; stored encrypted."""
    place: str
    """Where it leads; equal for all addresses that lead to the same room."""
    label: str
    """What its owner reads unless they choose something else; holds no secret."""
    is_shared: bool
    """Whether others read there, too."""
    needs_code: bool = False
    """Whether a code has to come from there first, which shows that its owner may write there."""


class Steps(NamedTuple):
    """What an owner has to do so that the code of a new destination arrives."""

    text: str
    """The text to send, with the code."""
    links: tuple[tuple[str, str], ...] = ()
    """Links that send it: a label and a URL."""
    before: str = ""
    """What comes first, in a sentence."""


class DestinationChannel(Channel):
    """A channel that sends messages to destinations; each account may have several."""

    kinds = frozenset(MESSAGE_TYPES)
    pauses = (
        *(timedelta(minutes=n) for n in (1, 5, 15, 30)),
        *(timedelta(hours=n) for n in (1, 3, 6, 12, 24)),
    )
    is_for_people = True
    is_off_without_mail = False
    is_for_rooms = False
    """Whether others always read there, too."""
    needs_script = False
    """Whether only a script in the browser can make an address."""

    @abstractmethod
    def title(self) -> str:
        """Return the name of the channel, in the reader's language."""

    @abstractmethod
    def hint(self) -> str:
        """Return what an address on this channel is, in the reader's language."""

    @abstractmethod
    def inputs(self) -> tuple[Input, ...]:
        """Return the parts of an address that its owner types."""

    def facts(self, _: Desk) -> dict[str, str]:
        """Return what a client has to know to make an address."""
        return {}

    @abstractmethod
    def address(self, settings: Settings, parts: Mapping[str, str]) -> Address:
        """Check the parts of a new address; refuse them if they cannot be one."""

    def steps(self, _: Settings, code: str) -> Steps:
        """Return how the code of a new destination is sent."""
        return Steps(code)

    def games_followed(self, tx: Transaction, games: Collection[str]) -> Collection[str]:
        """Return the games with a player who has a destination on this channel."""
        return destinations.games_followed(tx, self.name, games) if games else ()

    def targets(self, tx: Transaction, account: Account, notice: Notice) -> list[Target]:
        """Return the destinations that receive a notice, each with its own account.

        A room hears of everybody at the table at which its account sits. A decision that the
        answer to a player's own mail shows needs no message.
        """
        if notice.game is None or notice.data == ANSWERED:
            return []
        rows = destinations.subscribed(
            tx, self.name, account.id, notice.game, MESSAGE_TYPES[notice.kind]
        )
        others = accounts.by_ids(tx, {row.account for row in rows} - {account.id})
        owners = {**others, account.id: account}
        return [Target(owners[row.account], row.seat, destination=row.id) for row in rows]

    def describe(self, tx: Transaction, account: Account) -> Description:
        """Return what the settings page shows."""
        rows = destinations.of_account(tx, account.id)
        is_set_up = any(row.channel == self.name and row.off_since is None for row in rows)
        return Description(self.title(), self.hint(), is_set_up)


def destination_channels() -> list[DestinationChannel]:
    """Return the channels on which accounts have destinations."""
    return [channel for channel in channels.registered() if isinstance(channel, DestinationChannel)]


def find(name: str) -> DestinationChannel | None:
    """Return the channel with this name; None if there is none, or it has no destinations."""
    return next((channel for channel in destination_channels() if channel.name == name), None)


def document(desk: Desk, channel: DestinationChannel) -> dict[str, Any]:
    """Return a channel as clients see it."""
    is_available = channel.is_available(desk.settings)
    return {
        "name": channel.name,
        "title": channel.title(),
        "hint": channel.hint(),
        "available": is_available,
        "inputs": [
            {
                "name": part.name,
                "label": part.label,
                "hint": part.hint,
                "type": part.type,
                "required": part.is_required,
            }
            for part in channel.inputs()
        ],
        "facts": channel.facts(desk) if is_available else {},
    }
