"""The outbox: notices become deliveries, which processes claim, send and settle.

The database alone knows what is still to be sent. A process claims a delivery under a lease; if
the process dies, the lease ends and another process sends it, under the same id.
"""

import random
from collections.abc import Sequence
from datetime import timedelta
from operator import attrgetter
from typing import NamedTuple

from service.desk import Desk
from service.ids import new_id
from service.notify import channels
from service.notify.channels import Channel
from service.notify.telling import Telling, stream_of, tellings
from store import timestamps
from store.database import Transaction
from store.notify import deliveries, hook_claims, notices
from store.notify.deliveries import Report, Stream
from store.notify.notices import Owed
from store.people import accounts

Delivery = deliveries.Delivery

AT_ONCE = 100
"""Notices that are spread in one transaction."""
LEASE = timedelta(seconds=25)
"""How long a claim holds, so that 30 s after a crash another process sends what was claimed. While
an attempt takes longer, its process renews the lease."""
LONGEST_ATTEMPT = timedelta(seconds=20)
"""An attempt begins only while this much of its lease is left."""
JITTER = 0.2
"""The share by which a pause before a retry is made longer or shorter at random."""
RETENTION = timedelta(days=30)
"""How long a settled delivery is kept, to be listed and sent again."""


class Outcome(NamedTuple):
    """The result of an attempt."""

    state: str
    """sent, superseded, failed (for good), or again (a retry may succeed)."""
    status: int | None = None
    error: str | None = None
    sent_bytes: int | None = None
    answer_bytes: int | None = None
    retry_after: timedelta | None = None
    """How long the server has asked us to wait."""


def spread(desk: Desk) -> int:
    """Turn notices into deliveries on the channels that carry them; returns how many notices."""
    with desk.database.reading() as tx:  # usually there are none, and no lock is needed
        if not notices.any_owed(tx):
            return 0
    registered = channels.registered()
    with desk.database.writing() as tx:
        waiting = notices.take(tx, AT_ONCE)
        people = accounts.by_ids(tx, {owed.notice.account for owed in waiting})
        games = {owed.notice.game for owed in waiting if owed.notice.game is not None}
        followed = {channel.name: channel.games_followed(tx, games) for channel in registered}
        new_deliveries = [
            _delivery(owed, channel, telling)
            for owed in waiting
            if (account := people.get(owed.notice.account))
            for channel in registered
            if owed.notice.game is None or owed.notice.game in followed[channel.name]
            for telling in tellings(tx, channel, account, owed)
        ]
        deliveries.add(tx, new_deliveries)
    return len(waiting)


def _delivery(owed: Owed, channel: Channel, telling: Telling) -> Delivery:
    """Return the delivery is due from the time of its event, or later, so older events go first."""
    notice = owed.notice
    return Delivery(
        id=new_id(),
        account=telling.target.account.id,
        channel=channel.name,
        hook=telling.target.hook,
        kind=notice.kind,
        game=notice.game,
        seat=notice.seat,
        version=notice.version,
        data=notice.data,
        at=owed.at,
        attempts=0,
        not_before=telling.when,
        destination=telling.target.destination,
    )


def claim(desk: Desk, channel: Channel, most: int) -> list[list[Delivery]]:
    """Claim due deliveries on a channel, grouped into messages.

    Deliveries of one stream, for example the talk at a table, form one message.
    """
    now = desk.now()
    until = timestamps.later(now, LEASE)
    with desk.database.reading() as tx:
        if not deliveries.any_due(tx, now):
            return []
    messages: list[list[Delivery]] = []
    with desk.database.noting() as tx:
        claimed = deliveries.claim(tx, channel.name, now, until, most)
        people = accounts.by_ids(tx, {delivery.account for delivery in claimed})
        merged: dict[Stream, list[Delivery]] = {}
        for delivery in claimed:
            account = people.get(delivery.account)
            about = delivery.kind, delivery.game, delivery.destination
            stream = stream_of(channel, account, *about)
            if stream is None:
                messages.append([delivery])
            elif stream in merged:
                merged[stream].append(delivery)
            else:
                others = deliveries.claim_stream(tx, stream, now, until)
                merged[stream] = message = [delivery, *others]
                messages.append(message)
    # The first delivery gives the message its id: a retry must have the same id.
    return [sorted(message, key=attrgetter("at", "id")) for message in messages]


def settle(
    desk: Desk,
    outcomes: Sequence[tuple[Delivery, Outcome]],
    *,
    untried: Sequence[Delivery] = (),
    goes_on: bool = False,
) -> None:
    """Store the outcomes of attempts, and release claims that were not tried.

    Hooks stay busy if their run goes on.
    The commit does not wait for the disk: what a power failure undoes is sent again, with the same
    id.
    """
    now, jitter = desk.now(), random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311  # not used for secrets
    with desk.database.noting() as tx:
        if not goes_on:
            _release(tx, outcomes)
        reports = [_report(delivery, outcome, now, jitter) for delivery, outcome in outcomes]
        deliveries.report(tx, reports)
        if untried:
            deliveries.give_back(tx, untried)


def _release(tx: Transaction, outcomes: Sequence[tuple[Delivery, Outcome]]) -> None:
    """Mark hooks as not busy; always before their deliveries, to avoid a deadlock."""
    busy = {(delivery.hook, delivery.not_before) for delivery, _ in outcomes if delivery.hook}
    for hook, until in sorted(busy):
        hook_claims.release(tx, hook, until)


def _report(delivery: Delivery, outcome: Outcome, now: str, jitter: float) -> Report:
    results = outcome.status, outcome.error, outcome.sent_bytes, outcome.answer_bytes
    if outcome.state != "again":
        return Report(delivery.id, delivery.not_before, outcome.state, now, now, *results)
    pause = _pause(delivery, outcome, jitter)
    if pause is None:
        return Report(delivery.id, delivery.not_before, "failed", now, now, *results)
    due = timestamps.later(now, pause)
    return Report(delivery.id, delivery.not_before, "waiting", None, due, *results)


def _pause(delivery: Delivery, outcome: Outcome, jitter: float) -> timedelta | None:
    """Return the pause before the next attempt; None after the last."""
    pauses = channels.named(delivery.channel).pauses
    if delivery.attempts > len(pauses):
        return None
    pause = pauses[delivery.attempts - 1] * jitter
    return max(pause, outcome.retry_after) if outcome.retry_after else pause


def is_in_time(desk: Desk, message: Sequence[Delivery]) -> bool:
    """Return whether an attempt that begins now ends before another process may claim it."""
    return message[0].not_before >= timestamps.later(desk.now(), LONGEST_ATTEMPT)


def renewed(desk: Desk, message: Sequence[Delivery]) -> list[Delivery]:
    """Return the deliveries of a message that is being sent, under a lease that begins now."""
    until = timestamps.later(desk.now(), LEASE)
    with desk.database.noting() as tx:
        deliveries.renew(tx, message, until)
    return [delivery._replace(not_before=until) for delivery in message]


def give_back(desk: Desk, untried: Sequence[Delivery]) -> None:
    """End the leases of deliveries that could not be tried in time."""
    with desk.database.noting() as tx:
        deliveries.give_back(tx, untried)


def tidy(desk: Desk) -> None:
    """Delete deliveries that were settled long ago."""
    with desk.database.writing() as tx:
        deliveries.forget(tx, timestamps.later(desk.now(), -RETENTION))
