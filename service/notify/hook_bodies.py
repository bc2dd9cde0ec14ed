"""The bodies of webhook messages, byte for byte as they are signed and sent.

Bodies are not stored: each is built from the log and the table when it is sent, as the recipient's
seat sees the game. So a retry sends the same content.
"""

from collections.abc import Callable, Mapping
from typing import Any

import orjson

from engine import Refusal
from service.desk import Desk
from service.games import decisions, reading, table_lookup, talk
from service.memory.positions import Position, folded
from service.notify.hook_deliveries import REDELIVER
from service.notify.hook_types import HOOK_TYPES
from service.notify.outbox import Delivery
from store.database import Transaction
from store.games import games
from store.games.games import Table
from store.notify import hooks

Document = dict[str, Any]


def body(desk: Desk, delivery: Delivery) -> bytes | None:
    """Build the body of a delivery; None if there is nothing left to send."""
    try:
        data = DATA[delivery.kind](desk, delivery)
    except Refusal:  # the account may not see the game any more
        return None
    if data is None:
        return None
    return message(delivery.kind, delivery.at, data)


def message(kind: str, at: str, data: Document | None) -> bytes:
    """Encode a webhook message about an event at this time."""
    return orjson.dumps({"type": HOOK_TYPES[kind], "timestamp": at, "data": data})


def _decision(desk: Desk, delivery: Delivery) -> Document | None:
    """Return the decision as it was opened; None if it is closed or the seat has resigned.

    If the owner asked for a redelivery, a closed decision is sent as well.
    """
    game, version = _about(delivery)
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, delivery.account)
        seat = table.seat_of(delivery.account)
        if seat is None or seat.resigned:
            return None
        is_open = seat.decision_version == version
        if not is_open and not (delivery.data or {}).get(REDELIVER):
            return None
        position = _position(desk, tx, table, version)
    since, until = (seat.awaited_since, seat.deadline) if is_open else (delivery.at, None)
    return decisions.document(table, position, seat.number, since, until)


def _position(desk: Desk, tx: Transaction, table: Table, version: int) -> Position:
    position = desk.positions.of(tx, table)
    if position.version == version:
        return position
    return folded(table, games.moves_between(tx, table.id, 0, version))


def _game(desk: Desk, delivery: Delivery) -> Document:
    game, version = _about(delivery)
    with desk.database.reading() as tx:
        table = table_lookup.table_of(tx, game, delivery.account)
    return {
        "game": game,
        "title": table.title,
        "version": version,
        "seat": table_lookup.sight_of(table, delivery.account),
    }


def _moved(desk: Desk, delivery: Delivery) -> Document:
    """Return the events of the moves that were stored together up to this version."""
    document = _game(desk, delivery)
    game, version = _about(delivery)
    with desk.database.reading() as tx:
        after = hooks.events_before(tx, game, version)
    events = reading.events(desk, game, delivery.account, after)["events"]
    return document | {"events": [event for event in events if event["version"] <= version]}


def _expired(desk: Desk, delivery: Delivery) -> Document:
    """Return the move that was played for a seat whose deadline had passed."""
    data = delivery.data or {}
    played = {"text": data.get("text"), "label": data.get("label")}
    return _game(desk, delivery) | {"deadline": data.get("deadline"), "played": played}


def _finished(desk: Desk, delivery: Delivery) -> Document:
    document = _game(desk, delivery)
    _, page = reading.game(desk, document["game"], delivery.account)
    return document | {"result": orjson.loads(page)["result"]}


def _message(desk: Desk, delivery: Delivery) -> Document | None:
    game, number = _about(delivery)
    messages = talk.messages_after(desk, delivery.account, game, number - 1, 1)
    if not messages or messages[0]["number"] != number:
        return None  # deleted together with its author
    return {"game": game, "message": messages[0]}


def _ping(_: Desk, delivery: Delivery) -> Document:
    return {"hook": delivery.hook}


def _about(delivery: Delivery) -> tuple[str, int]:
    if delivery.game is None or delivery.version is None:
        raise ValueError(f"a delivery of the kind {delivery.kind} is about no game")
    return delivery.game, delivery.version


DATA: Mapping[str, Callable[[Desk, Delivery], Document | None]] = {
    "decision_opened": _decision,
    "decision_reminder": _decision,
    "decision_expired": _expired,
    "game_started": _game,
    "game_moved": _moved,
    "game_finished": _finished,
    "message_posted": _message,
    "webhook_ping": _ping,
}
