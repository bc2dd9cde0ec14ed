"""Connecting destinations whose owners have to send a code from there."""

from collections.abc import Mapping
from typing import NamedTuple

import orjson

from service import encryption
from service.desk import Desk
from service.notify.destinations import destination_channel
from service.notify.destinations.managing import place_of
from service.people.tokens import lock_account
from store.notify import destinations


class Waiting(NamedTuple):
    """A destination whose code may still arrive."""

    id: str
    code: str
    parts: Mapping[str, str]


class Chat(NamedTuple):
    """A chat from which a code has arrived."""

    parts: Mapping[str, str]
    """The address of the chat."""
    place: str
    label: str
    is_shared: bool


def waiting(desk: Desk, channel: str) -> list[Waiting]:
    """Return the destinations on a channel whose codes may still arrive."""
    with desk.database.reading() as tx:
        rows = destinations.unconnected(tx, channel, desk.now())
    unsealed = [(row, encryption.decrypt(desk.settings, row.address)) for row in rows]
    return [
        Waiting(row.id, row.code or "", orjson.loads(parts)) for row, parts in unsealed if parts
    ]


def connect(desk: Desk, channel: str, code: str, chat: Chat) -> bool:
    """Connect the destination with this code to a chat; False if no destination waits for it.

    A destination of the same account that leads to the same chat for the same game is replaced.
    """
    if not any(row.code == code for row in waiting(desk, channel)):
        return False
    with desk.database.writing() as tx:
        rows = destinations.unconnected(tx, channel, desk.now())
        row = next((row for row in rows if row.code == code), None)
        if row is None:
            return False
        lock_account(tx, row.account)
        place = place_of(desk, tx, channel, chat.place)
        for other in destinations.of_account(tx, row.account):
            overlaps = None in (other.game, row.game) or other.game == row.game
            if other.id != row.id and other.place == place and overlaps:
                destinations.remove(tx, other.id)
        values = {
            "address": encryption.encrypt(desk.settings, orjson.dumps(dict(chat.parts))),
            "place": place,
            "shared": chat.is_shared,
            "label": chat.label if row.label == _default_label(channel) else row.label,
            "code": None,
            "code_until": None,
        }
        return destinations.change(tx, row.id, values)


def _default_label(channel: str) -> str:
    """Return the label of a destination on this channel for which none was chosen."""
    known = destination_channel.find(channel)
    return known.title() if known else ""
