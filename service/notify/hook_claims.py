"""Claims due deliveries to hooks, in runs: one run of deliveries for each hook."""

from collections.abc import Mapping

from service.desk import Desk
from service.notify.hook_types import WEBHOOK
from service.notify.outbox import LEASE, Delivery
from store import timestamps
from store.notify import deliveries, hook_claims
from store.notify.hook_claims import Room

EACH = 4
"""Hooks of one account that a process calls at the same time."""


def claim(
    desk: Desk,
    most: int,
    *,
    failing: bool = False,
    calling: Mapping[str, int] | None = None,
    run: int = 1,
) -> list[Delivery]:
    """Claim due deliveries for at most this many hooks, one run of deliveries for each.

    Failing hooks, which may be slow, are claimed separately. `calling` says how many hooks of each
    account this process is calling already.
    """
    now = desk.now()
    with desk.database.reading() as tx:
        if not deliveries.any_due(tx, now):
            return []
    with desk.database.noting() as tx:
        until = timestamps.later(now, LEASE)
        room = Room(most, EACH, calling or {}, run)
        return hook_claims.claim(tx, WEBHOOK, now, until, room, failing=failing)
