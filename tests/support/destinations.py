"""Destinations of players, and the messages that are sent there, in one thread."""

from collections.abc import Mapping
from typing import Any

import workers.channels  # noqa: F401  # registers the channels
from service.desk import Desk
from service.games import table_lookup
from service.idempotency import Document
from service.notify import channels, outbox
from service.notify.destinations import managing
from service.notify.destinations.message_types import TYPES
from service.notify.outbox import Delivery, Outcome
from service.people.tokens import Caller
from store.people import accounts
from tests.service.support.tables import keep_tickets, play
from tests.support.hook_receiver import Receiver
from tests.support.hooks import spread
from workers.calling.destination_sender import DestinationSender
from workers.calling.posting_channel import PostingChannel
from workers.lanes.sender import send

EVERYTHING = list(TYPES)


def caller(account: str) -> Caller:
    """A caller who may manage this account."""
    return Caller(account, "", frozenset({"manage"}))


def add(
    desk: Desk, account: str, channel: str, address: Mapping[str, str], **more: Any
) -> Document:
    """Add a destination of this account for every type of message."""
    body = {"channel": channel, "address": dict(address), "types": EVERYTHING, **more}
    return managing.create(desk, caller(account), body, None)


def room_url(receiver: Receiver, hook: int = 1) -> str:
    """The URL of a webhook as Discord makes them, at a receiver."""
    return f"http://127.0.0.1:{receiver.server_port}/api/webhooks/{hook}/token-{hook}"


def base(receiver: Receiver) -> str:
    """The address of a receiver, without a path."""
    return f"http://127.0.0.1:{receiver.server_port}"


def read(desk: Desk, account: str, destination: Mapping[str, Any]) -> Document:
    """A destination as its owner sees it."""
    return managing.read(desk, caller(account), destination["id"])


def posting(channel: str) -> PostingChannel:
    """The channel with this name."""
    found = channels.named(channel)
    assert isinstance(found, PostingChannel)
    return found


def deliver(desk: Desk, channel: str) -> list[tuple[Delivery, Outcome]]:
    """Send all that is due on a channel, as a worker does."""
    spread(desk)
    sender = DestinationSender(desk, posting(channel))
    done: list[tuple[Delivery, Outcome]] = []
    try:
        while claimed := outbox.claim(desk, posting(channel), 20):
            for message in claimed:
                outcome = send(sender, message)
                outcomes = [(delivery, outcome) for delivery in message]
                outbox.settle(desk, outcomes)
                done += outcomes
    finally:
        sender.close()
    return done


def states(done: list[tuple[Delivery, Outcome]]) -> list[str]:
    """The states of outcomes."""
    return [outcome.state for _, outcome in done]


def begin_turns(desk: Desk, game: str, players: list[str]) -> str:
    """Keep all tickets, so that the first turn begins; return the account whose turn it is."""
    keep_tickets(desk, game, players)
    return whose_turn(desk, game, players)


def whose_turn(desk: Desk, game: str, players: list[str]) -> str:
    """The account that has to take a turn."""
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, players[0])
    (seat,) = (seat for seat in table.seated if seat.awaited_since)
    assert seat.account is not None
    return seat.account


def name_of(desk: Desk, account: str) -> str:
    """The name of an account."""
    with desk.database.reading() as tx:
        row = accounts.account(tx, account)
    assert row is not None
    return row.name


def take_turn(desk: Desk, game: str, player: str) -> None:
    """Draw two cards from the deck, which is a whole turn."""
    play(desk, game, player, "draw")
    play(desk, game, player, "draw")
