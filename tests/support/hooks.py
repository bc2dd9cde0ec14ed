"""Webhooks and their owners, and a clock that a test moves."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import select

from service.desk import Desk
from service.idempotency import Document
from service.notify import hook_claims, hooks, outbox
from service.notify.outbox import Delivery, Outcome
from service.people.tokens import SCOPES, Caller
from store import timestamps
from store.notify import notices
from store.notify.notices import Notice
from store.tables import deliveries
from workers.channels.webhook.sender import Webhooks
from workers.lanes.sender import send


def near(desk: Desk) -> Desk:
    """The same desk, with webhooks to any address allowed, also to this machine."""
    return desk._replace(settings=replace(desk.settings, webhook_targets="any"))


def caller(account: str) -> Caller:
    """A caller with all scopes for this account."""
    return Caller(account, "", frozenset(SCOPES))


def hooked(desk: Desk, account: str, url: str, **more: Any) -> Document:
    """Create a webhook for this account."""
    return hooks.create(desk, caller(account), {"url": url, **more}, None)


def owe(desk: Desk, account: str, kind: str = "message_posted", **more: Any) -> None:
    """Add a notice for an account, and turn it into deliveries."""
    with desk.database.writing() as tx:
        notices.add(tx, [Notice(account, kind, **more)], desk.now())
    spread(desk)


def spread(desk: Desk) -> None:
    """Turn all notices that are owed into deliveries."""
    while outbox.spread(desk):
        pass


def after(desk: Desk, **span: float) -> Desk:
    """The same desk, with a clock that stands still at a later time."""
    moment = timestamps.later(desk.now(), timedelta(**span))
    return desk._replace(now=lambda: moment)


class Hands:
    """A clock that a test moves; it starts at the real time, because receivers check that."""

    def __init__(self) -> None:
        self.moment = datetime.now(UTC).replace(microsecond=0)

    def now(self) -> str:
        """The time on the clock, as a timestamp."""
        return timestamps.written(self.moment)

    def move(self, **span: float) -> None:
        """Move the clock forward."""
        self.moment += timedelta(**span)


def tell(desk: Desk, channel: Webhooks) -> list[tuple[Delivery, Outcome]]:
    """Deliver everything that is due to webhooks, as a worker does, in one thread."""
    done = []
    while claimed := hook_claims.claim(desk, 10) + hook_claims.claim(desk, 10, failing=True):
        outcomes = [(delivery, send(channel, [delivery])) for delivery in claimed]
        outbox.settle(desk, outcomes)
        done += outcomes
    return done


def on_its_way(desk: Desk, *columns: str) -> list[Any]:
    """These columns of all deliveries to webhooks, the oldest first."""
    with desk.database.reading() as tx:
        mine = select(*deliveries.c[columns]).where(deliveries.c.hook.is_not(None))
        rows = tx.execute(mine.order_by(deliveries.c.at, deliveries.c.id))
        return [tuple(row) if len(columns) > 1 else row[0] for row in rows]
