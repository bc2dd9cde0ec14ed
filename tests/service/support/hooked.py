"""Webhooks for tests, and their deliveries."""

from typing import Any

from sqlalchemy import select

from service.desk import Desk
from service.idempotency import Document
from service.notify import hook_claims, hooks, outbox
from service.people.tokens import Caller
from store import tables

KEY = "0123456789abcdef"
URL = "https://example.org/hook"


def made(desk: Desk, caller: Caller, key: str | None = None, **more: Any) -> Document:
    """Create a hook."""
    return hooks.create(desk, caller, {"url": URL, **more}, key)


def counted(desk: Desk, caller: Caller) -> int:
    """The number of hooks that are switched on, as stored in the account's row."""
    with desk.database.reading() as tx:
        mine = tables.accounts.c.id == caller.account
        return tx.scalar(select(tables.accounts.c.hooks).where(mine)) or 0


def claimed(desk: Desk) -> outbox.Delivery:
    """Claim the only delivery that is due."""
    (delivery,) = hook_claims.claim(desk, 10)
    return delivery
