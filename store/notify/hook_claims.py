"""Claiming deliveries to hooks: in runs, and never two runs to one hook at a time."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, or_, select, update

from store.notify.deliveries import DUE, IN_ORDER, Delivery, claimed
from store.tables import deliveries, hooks


class Room(NamedTuple):
    """How much can be claimed."""

    most: int
    """The most hooks."""
    each: int
    """The most hooks of one account, counting those that are being called already."""
    calling: Mapping[str, int]
    """How many hooks are being called now, by account."""
    run: int = 1
    """The most deliveries to one hook, which are sent one after another."""


_FREE = or_(hooks.c.busy_until.is_(None), hooks.c.busy_until <= bindparam("now"))
_FAILING = {False: hooks.c.failing_since.is_(None), True: hooks.c.failing_since.is_not(None)}
_NEXT = {
    failing: select(*deliveries.c["id", "hook", "account"])
    .join(hooks, deliveries.c.hook == hooks.c.id)
    .where(DUE, _FREE, _FAILING[failing])
    .order_by(*IN_ORDER)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
    for failing in (False, True)
}


def claim(
    tx: Connection, channel: str, now: str, until: str, room: Room, *, failing: bool
) -> list[Delivery]:
    """Claim what has been due longest, in a run for each hook; busy hooks are left out."""
    calling, runs = Counter(room.calling), dict[str, list[str]]()
    full = [account for account, number in calling.items() if number >= room.each]
    due = _NEXT[failing].where(deliveries.c.account.not_in(full))
    for row in tx.execute(due, {"now": now, "most": room.most * room.run}):
        if row.hook not in runs and calling[row.account] < room.each and len(runs) < room.most:
            runs[row.hook] = []
            calling[row.account] += 1
        if row.hook in runs and len(runs[row.hook]) < room.run:
            runs[row.hook].append(row.id)
    tx.execute(update(hooks).where(hooks.c.id.in_(runs)).values(busy_until=until))
    return claimed(tx, channel, [id for run in runs.values() for id in run], until)


def release(tx: Connection, hook: str, until: str) -> None:
    """Let a hook be called again, unless another process has claimed it since."""
    conditions = hooks.c.id == hook, hooks.c.busy_until == until
    tx.execute(update(hooks).where(*conditions).values(busy_until=None))
