"""What the senders of channels need to know of a destination, and record about it."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import NamedTuple

import orjson

from engine.text import clean, shortened
from service import encryption
from service.desk import Desk
from service.i18n.catalogue import sayable
from service.notify.destinations.managing import SWITCHED_OFF, place_of
from service.notify.outbox import Delivery
from service.people.tokens import lock_account
from store import timestamps
from store.database import Transaction
from store.notify import destinations, notices, told_places
from store.notify.destinations import Destination
from store.notify.notices import Notice
from store.people import accounts

PATIENCE = timedelta(days=3)
"""How long a destination may fail before it is switched off."""
RETENTION = timedelta(days=40)
"""How long it is known what a place was told; longer than any delivery waits."""
LONGEST_ERROR = 300

# Stored with the destination in English, and translated when shown.
SILENT = sayable("Nothing has arrived for 3 days.")
PAUSED = "destination_paused"
"""The kind of the notice that a destination was switched off."""


class Place(NamedTuple):
    """A destination, and what is needed to call it."""

    row: Destination
    parts: Mapping[str, str] | None
    """The address; None if its key is lost."""
    locale: str

    def held_for(self, now: str) -> timedelta | None:
        """Return how long its service has asked us to wait; None if it has not."""
        if self.row.held_until is None or self.row.held_until <= now:
            return None
        return timestamps.read(self.row.held_until) - timestamps.read(now)


class Claim(NamedTuple):
    """Which events a message may tell a place."""

    mine: frozenset[str]
    is_busy: bool
    """Whether another delivery is telling the place of one of them, and may still fail."""


def place(desk: Desk, id: str | None) -> Place | None:
    """Return a destination; None if it was removed."""
    with desk.database.reading() as tx:
        row = destinations.destination(tx, id or "")
        account = accounts.account(tx, row.account) if row else None
    if row is None or account is None:
        return None
    parts = encryption.decrypt(desk.settings, row.address)
    return Place(row, None if parts is None else orjson.loads(parts), account.locale)


def claim(desk: Desk, place: str, events: Mapping[str, str]) -> Claim:
    """Claim the events of deliveries, so that no other delivery tells the place of them, too."""
    mine, is_busy, now = set(), False, desk.now()
    with desk.database.writing() as tx:
        for event, delivery in sorted(events.items()):  # in one order, so that none deadlocks
            teller = told_places.claim(tx, place, event, delivery, now)
            if teller.delivery == delivery and not teller.sent:
                mine.add(event)
            elif not teller.sent:
                is_busy = True
    return Claim(frozenset(mine), is_busy)


def sent(desk: Desk, row: Destination, place: str, events: Mapping[str, str]) -> None:
    """Record a success, and what the place was told."""
    now = desk.now()
    with desk.database.writing() as tx:
        for event, delivery in sorted(events.items()):
            told_places.mark_sent(tx, place, event, delivery, now)
        working = {"last_success": now, "failing_since": None, "held_until": None}
        destinations.change(tx, row.id, working)


def hold(desk: Desk, row: Destination, wait: timedelta) -> None:
    """Record that a service has asked us to wait."""
    with desk.database.writing() as tx:
        destinations.change(tx, row.id, {"held_until": timestamps.later(desk.now(), wait)})


def failed(
    desk: Desk, row: Destination, error: str, deliveries: Collection[Delivery], *, ends: bool
) -> bool:
    """Record a failed attempt; returns whether to retry.

    A destination that has failed for too long, or for good, is switched off, and its owner is
    notified.
    """
    now = desk.now()
    error = shortened(clean(error), LONGEST_ERROR)
    with desk.database.writing() as tx:
        lock_account(tx, row.account)  # lock accounts before their destinations, as everywhere
        current = destinations.destination(tx, row.id)
        if current is None:
            return False
        since = current.failing_since or now
        values = {"last_failure": now, "last_error": error, "failing_since": since}
        destinations.change(tx, row.id, values)
        is_lasting = timestamps.later(since, PATIENCE) <= now
        if current.off_since is not None or not (ends or is_lasting):
            return current.off_since is None
        _switch_off(tx, current, error if ends else SILENT, now, deliveries)
    desk.wakeup.send()
    return False


def _switch_off(
    tx: Transaction, row: Destination, reason: str, now: str, but: Collection[Delivery]
) -> None:
    destinations.change(tx, row.id, {"off_since": now, "off_reason": reason})
    destinations.give_up(tx, row.id, [delivery.id for delivery in but], now, SWITCHED_OFF)
    data = {"destination": row.id, "label": row.label, "reason": reason}
    notices.add(tx, [Notice(row.account, PAUSED, data=data)], now)


def prune(desk: Desk, row: Destination) -> None:
    """Remove a destination that its own device has given up."""
    with desk.database.writing() as tx:
        destinations.remove(tx, row.id)


def locate(desk: Desk, row: Destination, named: str | None) -> str:
    """Store the place that a service has named, and return its hash; None keeps the one there."""
    with desk.database.writing() as tx:
        place = place_of(desk, tx, row.channel, named) if named else row.place
        destinations.change(tx, row.id, {"place": place, "located": True})
    return place


def tidy(desk: Desk) -> None:
    """Delete what places were told long ago."""
    with desk.database.writing() as tx:
        told_places.forget(tx, timestamps.later(desk.now(), -RETENTION))
