"""Destinations as their owners see them, without their addresses."""

from service.desk import Desk
from service.idempotency import Document
from service.notify.destinations import destination_channel
from service.notify.destinations.message_types import TEST
from store.database import Transaction
from store.notify import destinations
from store.notify.destinations import Destination


def channel_documents(desk: Desk) -> list[Document]:
    """Return the channels on which accounts can have destinations."""
    return [
        destination_channel.document(desk, channel)
        for channel in destination_channel.destination_channels()
    ]


def document(desk: Desk, tx: Transaction, row: Destination) -> Document:
    """Return a destination as its owner sees it."""
    last = destinations.last_test(tx, row.id, TEST)
    return {
        "id": row.id,
        "channel": row.channel,
        "label": row.label,
        "shared": row.shared,
        "game": row.game,
        "types": list(row.types),
        "on": row.off_since is None,
        "off_since": row.off_since,
        "off_reason": row.off_reason,
        "connect": _connect(desk, row),
        "last_success": row.last_success,
        "last_failure": row.last_failure,
        "last_error": row.last_error,
        "failing_since": row.failing_since,
        "test": None if last is None else last._asdict(),
        "created": row.created,
    }


def _connect(desk: Desk, row: Destination) -> Document | None:
    """Return how a destination is connected; None if it is."""
    channel = destination_channel.find(row.channel)
    if row.code is None or channel is None:
        return None
    steps = channel.steps(desk.settings, row.code)
    return {
        "text": steps.text,
        "before": steps.before,
        "links": [{"label": label, "url": url} for label, url in steps.links],
        "until": row.code_until,
        "expired": (row.code_until or "") <= desk.now(),
    }
