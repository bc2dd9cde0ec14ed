"""Destinations for their owners: list, add, change, test and remove them."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import orjson

from engine.text import clean, shortened
from engine.translate import say, says
from service import encryption, refusals
from service.desk import Desk
from service.games import table_lookup
from service.i18n.catalogue import sayable
from service.idempotency import Document, once
from service.ids import new_id
from service.notify.destinations import destination_channel, documents
from service.notify.destinations.destination_channel import Address, DestinationChannel
from service.notify.destinations.message_types import BY_DEFAULT, TEST, TYPES
from service.notify.outbox import Delivery
from service.people import address_fingerprints
from service.people.tokens import Caller, lock_account
from store import timestamps
from store.database import Transaction
from store.notify import deliveries, destinations
from store.notify.destinations import Destination

MOST_DESTINATIONS = 30
MOST_UNCONNECTED = 3
"""Destinations of an account whose codes may arrive: a worker looks for each of them."""
LONGEST_LABEL = 60
LONGEST_PART = 1000
"""Characters of one part of an address."""
CODE_LASTS = timedelta(hours=1)
"""How long the code of a new destination may arrive."""
CODE_BYTES = 9
TEST_EVERY = timedelta(seconds=10)
"""The least time between two test messages to a destination."""

# Stored with the destination in English, and translated when shown.
BY_OWNER = sayable("You have switched it off.")
SWITCHED_OFF = sayable("The destination was switched off.")


def place_of(desk: Desk, tx: Transaction, channel: str, place: str) -> str:
    """Return the keyed hash of a place, in a writing transaction."""
    return address_fingerprints.keyed_hash(desk, tx, f"place {channel} {place}")


def listed(desk: Desk, caller: Caller) -> list[Document]:
    """Return the caller's destinations, the oldest first."""
    with desk.database.reading() as tx:
        return [
            documents.document(desk, tx, row) for row in destinations.of_account(tx, caller.account)
        ]


def paused(desk: Desk, account: str) -> list[str]:
    """Return the labels of an account's destinations that were switched off by failures."""
    with desk.database.reading() as tx:
        rows = destinations.of_account(tx, account)
    return [row.label for row in rows if row.off_since and row.off_reason != BY_OWNER]


def read(desk: Desk, caller: Caller, id: str) -> Document:
    """Return one of the caller's destinations, without its secrets."""
    with desk.database.reading() as tx:
        return documents.document(desk, tx, owned(tx, caller, id))


def create(desk: Desk, caller: Caller, body: Mapping[str, Any], key: str | None) -> Document:
    """Create a destination; on some channels it is connected only after its code has arrived."""
    channel = _channel(desk, str(body["channel"]))
    address = channel.address(desk.settings, _parts(channel, body["address"]))
    types = _types(body.get("types", BY_DEFAULT))
    label = _label(body.get("label") or "") or address.label

    def run(tx: Transaction) -> Document:
        lock_account(tx, caller.account)
        now = desk.now()
        mine = destinations.of_account(tx, caller.account)
        if len(mine) >= MOST_DESTINATIONS:
            raise refusals.Refused(
                "forbidden",
                says(
                    "You already have {n} destination. Remove it first.",
                    "You already have {n} destinations. Remove one first.",
                    MOST_DESTINATIONS,
                ),
            )
        game = _game(tx, caller, body.get("game"))
        row = Destination(
            id=new_id(),
            account=caller.account,
            channel=channel.name,
            label=label,
            address=_sealed(desk, address),
            place="" if address.needs_code else place_of(desk, tx, channel.name, address.place),
            located=False,
            shared=address.is_shared,
            game=game,
            types=types,
            created=now,
        )
        _check_twins(mine, row)
        if address.needs_code:
            _check_unconnected(mine, now)
            code, until = secrets.token_hex(CODE_BYTES), timestamps.later(now, CODE_LASTS)
            row = row._replace(code=code, code_until=until)
        destinations.add(tx, row)
        return {"id": row.id}

    made, _ = once(desk, caller.account, "create_destination", key, _digestible(desk, body), run)
    with desk.database.reading() as tx:
        stored = destinations.destination(tx, made["id"])
        if stored is None:
            raise refusals.made_and_gone(
                say("The destination that this request created has been removed since.")
            )
        return documents.document(desk, tx, stored)


def change(desk: Desk, caller: Caller, id: str, body: Mapping[str, Any]) -> Document:
    """Change the given fields, and leave the rest."""
    now = desk.now()
    values: Document = {}
    if "types" in body:
        values["types"] = _types(body["types"])
    if "label" in body:
        values["label"] = _label(body["label"])
        if not values["label"]:
            raise refusals.unreadable(say("must not be empty."), "label")
    with desk.database.writing() as tx:
        lock_account(tx, caller.account)
        row = owned(tx, caller, id)
        if "game" in body:
            values["game"] = _game(tx, caller, body["game"])
            others = [
                other for other in destinations.of_account(tx, caller.account) if other.id != row.id
            ]
            _check_twins(others, row._replace(game=values["game"]))
        if body.get("on") and row.off_since is not None:
            values |= {"off_since": None, "off_reason": None, "failing_since": None}
        if body.get("on") is False and row.off_since is None:
            values |= {"off_since": now, "off_reason": BY_OWNER}
            destinations.give_up(tx, row.id, (), now, SWITCHED_OFF)
        if values:
            destinations.change(tx, row.id, values)
        return documents.document(desk, tx, owned(tx, caller, id))


def delete(desk: Desk, caller: Caller, id: str) -> None:
    """Remove a destination and all its deliveries."""
    with desk.database.writing() as tx:
        lock_account(tx, caller.account)
        destinations.remove(tx, owned(tx, caller, id).id)


def send_test(desk: Desk, caller: Caller, id: str, key: str | None) -> Document:
    """Send a test message to a destination, also to one that is switched off."""

    def run(tx: Transaction) -> Document:
        lock_account(tx, caller.account)
        row, now = owned(tx, caller, id), desk.now()
        if row.code is not None:
            raise refusals.Refused("forbidden", say("This destination is not connected yet."))
        last = destinations.last_test(tx, row.id, TEST)
        if last and timestamps.later(last.at, TEST_EVERY) > now:
            raise refusals.Refused(
                "rate_limited",
                say("You have just sent a test; wait a few seconds."),
                retry_after=int(TEST_EVERY.total_seconds()),
            )
        nothing = None, None, None, None
        delivery = Delivery(
            *(new_id(), row.account, row.channel, None, TEST, *nothing, now, 0, now),
            destination=row.id,
        )
        deliveries.add(tx, [delivery])
        return {"id": row.id}

    once(desk, caller.account, "test_destination", key, {"destination": id}, run)
    desk.wakeup.send()
    return read(desk, caller, id)


def owned(tx: Transaction, caller: Caller, id: str) -> Destination:
    """Return the caller's destination with this id."""
    row = destinations.destination(tx, id)
    if row is None or row.account != caller.account:
        raise refusals.not_found(say("There is no such destination."))
    return row


def _channel(desk: Desk, name: str) -> DestinationChannel:
    channel = destination_channel.find(name)
    if channel is None:
        names = ", ".join(known.name for known in destination_channel.destination_channels())
        raise refusals.unreadable(say("must be one of {names}.", names=names), "channel")
    if not channel.is_available(desk.settings):
        raise refusals.Refused(
            "forbidden",
            say("The people who run this service have not set up {title}.", title=channel.title()),
        )
    return channel


def _parts(channel: DestinationChannel, parts: Mapping[str, Any]) -> dict[str, str]:
    """Return the parts of an address that are not empty; refuse unknown ones."""
    known = [part.name for part in channel.inputs()]
    if not set(known).issuperset(parts):
        names = ", ".join(known) or say("nothing")
        raise refusals.unreadable(say("takes only {names} here.", names=names), "address")
    for text in parts.values():
        if not isinstance(text, str) or len(text) > LONGEST_PART or not text.isprintable():
            sentence = say("must be single lines of at most {n} characters.", n=LONGEST_PART)
            raise refusals.unreadable(sentence, "address")
    return {name: text.strip() for name, text in parts.items() if text.strip()}


def _sealed(desk: Desk, address: Address) -> bytes:
    return encryption.encrypt(desk.settings, orjson.dumps(dict(address.parts)))


def _digestible(desk: Desk, body: Mapping[str, Any]) -> Document:
    """Return the request as its recorded answer identifies it, without the secret address."""
    with desk.database.noting() as tx:
        text = orjson.dumps(body["address"], option=orjson.OPT_SORT_KEYS).decode()
        place = address_fingerprints.keyed_hash(desk, tx, f"address {text}")
    return {**body, "address": place}


def _check_unconnected(mine: Sequence[Destination], now: str) -> None:
    """Refuse to wait for more codes than a worker should look for."""
    waiting = [row for row in mine if row.code is not None and (row.code_until or "") > now]
    if len(waiting) >= MOST_UNCONNECTED:
        raise refusals.Refused(
            "forbidden", say("Connect or remove the destinations that you have begun to add.")
        )


def _check_twins(others: Sequence[Destination], new: Destination) -> None:
    """Refuse a second destination at the same place for the same game."""
    for other in others:
        overlap = None in (new.game, other.game) or new.game == other.game
        if other.place and other.place == new.place and overlap:
            raise refusals.Refused(
                "destination_exists",
                say("You already have a destination there: {label}.", label=other.label),
            )


def _types(names: Sequence[str]) -> tuple[str, ...]:
    if not names or not set(TYPES).issuperset(names):
        raise refusals.unreadable(
            say("must be one or more of {names}.", names=", ".join(TYPES)), "types"
        )
    return tuple(name for name in TYPES if name in names)


def _label(text: str) -> str:
    return shortened(clean(text).strip(), LONGEST_LABEL)


def _game(tx: Transaction, caller: Caller, game: str | None) -> str | None:
    if not game:
        return None
    try:
        table = table_lookup.table_of(tx, game, caller.account)
    except refusals.Refused:  # 404 would mean that the destination does not exist
        table = None
    if table is None or table.seat_of(caller.account) is None:
        raise refusals.unreadable(say("must be a game in which you play."), "game")
    return table.id
