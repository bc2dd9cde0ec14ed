"""Hooks and their owners, and a clock that moves when it is told to."""

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
    """The same desk, whose hooks may be on this machine."""
    return desk._replace(settings=replace(desk.settings, webhook_targets="any"))


def caller(account: str) -> Caller:
    """Somebody who may do everything with this account."""
    return Caller(account, "", frozenset(SCOPES))


def hooked(desk: Desk, account: str, url: str, **more: Any) -> Document:
    """A new hook of this account."""
    return hooks.create(desk, caller(account), {"url": url, **more}, None)


def owe(desk: Desk, account: str, kind: str = "message_posted", **more: Any) -> None:
    """Owe somebody a notice, and put it on its way."""
    with desk.database.writing() as tx:
        notices.add(tx, [Notice(account, kind, **more)], desk.now())
    spread(desk)


def spread(desk: Desk) -> None:
    """Put everything on its way that is owed."""
    while outbox.spread(desk):
        pass


def after(desk: Desk, **span: float) -> Desk:
    """The same desk, so much later, where time stands still."""
    moment = timestamps.later(desk.now(), timedelta(**span))
    return desk._replace(now=lambda: moment)


class Hands:
    """A clock whose hands a test moves; it starts now, for receivers look at the real one."""

    def __init__(self) -> None:
        self.moment = datetime.now(UTC).replace(microsecond=0)

    def now(self) -> str:
        """What the clock says."""
        return timestamps.written(self.moment)

    def move(self, **span: float) -> None:
        """Move the hands on."""
        self.moment += timedelta(**span)


def tell(desk: Desk, channel: Webhooks) -> list[tuple[Delivery, Outcome]]:
    """Deliver what is due to hooks, until nothing is; as a worker does, in one thread."""
    done = []
    while claimed := hook_claims.claim(desk, 10) + hook_claims.claim(desk, 10, failing=True):
        outcomes = [(one, send(channel, [one])) for one in claimed]
        outbox.settle(desk, outcomes)
        done += outcomes
    return done


def on_its_way(desk: Desk, *columns: str) -> list[Any]:
    """These columns of every delivery to a hook, in order."""
    with desk.database.reading() as tx:
        mine = select(*deliveries.c[columns]).where(deliveries.c.hook.is_not(None))
        found = tx.execute(mine.order_by(deliveries.c.at, deliveries.c.id))
        return [tuple(row) if len(columns) > 1 else row[0] for row in found]
