"""Webhooks of accounts, and the deliveries to them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from store.notify.deliveries import Delivery, Listed
from store.tables import accounts, deliveries, hooks, moves


class Hook(NamedTuple):
    id: str
    account: str
    url: str
    secret: bytes
    """Encrypted, like the previous secret."""
    old_secret: bytes | None
    old_until: str | None
    game: str | None
    types: tuple[str, ...]
    created: str
    failing_since: str | None
    off_since: str | None
    off_reason: str | None
    refused_since: str | None


class Decision(NamedTuple):
    """An open decision, and the kinds of the notices about it."""

    game: str
    version: int
    since: str
    kinds: Sequence[str]


_HOOK = select(*hooks.c[Hook._fields])
_BY_ID = _HOOK.where(hooks.c.id == bindparam("id"))
_TYPES = Hook._fields.index("types")


def wanting(tx: Connection, account: str, game: str | None, event_type: str) -> list[str]:
    """Return the account's hooks that subscribe to this type of event."""
    on = (hooks.c.account == account, hooks.c.off_since.is_(None))
    condition = or_(hooks.c.game.is_(None), hooks.c.game == game)
    # Locked, so that none is deleted before the delivery that refers to it is stored.
    query = select(hooks.c.id, hooks.c.types).where(*on, condition)
    rows = tx.execute(query.with_for_update(read=True, key_share=True))
    return [row.id for row in rows if event_type in json.loads(row.types)]


def add(tx: Connection, hook: Hook) -> None:
    tx.execute(insert(hooks), [{**hook._asdict(), "types": json.dumps(hook.types)}])
    _count(tx, hook.account)


def hook(tx: Connection, id: str) -> Hook | None:
    row = tx.execute(_BY_ID, {"id": id}).first()
    return _read(row) if row else None


def hooks_of(tx: Connection, account: str) -> list[Hook]:
    """Return an account's hooks, the oldest first."""
    statement = _HOOK.where(hooks.c.account == account).order_by(hooks.c.created, hooks.c.id)
    return [_read(row) for row in tx.execute(statement)]


def _read(row: Sequence[Any]) -> Hook:
    hook = Hook(*row)
    return hook._replace(types=tuple(json.loads(row[_TYPES])))


def change(tx: Connection, hook: Hook, values: Mapping[str, Any]) -> None:
    """Change these columns, and update the account's count of hooks that are switched on."""
    if "types" in values:
        values = {**values, "types": json.dumps(values["types"])}
    tx.execute(update(hooks).where(hooks.c.id == hook.id).values(**values))
    if "off_since" in values:
        _count(tx, hook.account)


def remove(tx: Connection, hook: Hook) -> None:
    """Delete a hook with its deliveries."""
    tx.execute(delete(hooks).where(hooks.c.id == hook.id))
    _count(tx, hook.account)


def recover(tx: Connection, id: str) -> None:
    """Mark a hook as working again."""
    tx.execute(update(hooks).where(hooks.c.id == id).values(failing_since=None))


def give_up(tx: Connection, id: str, but: str | None, now: str, error: str) -> None:
    """Fail all waiting deliveries to a hook, except the delivery `but`."""
    waiting = update(deliveries).where(deliveries.c.hook == id, deliveries.c.state == "waiting")
    if but is not None:
        waiting = waiting.where(deliveries.c.id != but)
    tx.execute(waiting.values(state="failed", done=now, error=error))


def delivery(tx: Connection, hook: str, id: str) -> Listed | None:
    """Return a delivery to this hook, as its owner sees it."""
    statement = select(*deliveries.c[Listed._fields])
    row = tx.execute(statement.where(deliveries.c.hook == hook, deliveries.c.id == id)).first()
    return Listed(*row) if row else None


def whole_delivery(tx: Connection, hook: str, id: str) -> Delivery | None:
    """Return a delivery to this hook with everything from which its message is made."""
    statement = select(*deliveries.c[Delivery._fields])
    row = tx.execute(statement.where(deliveries.c.hook == hook, deliveries.c.id == id)).first()
    if row is None:
        return None
    whole = Delivery(*row)
    return whole._replace(data=json.loads(row.data) if row.data else None)


class Answered(NamedTuple):
    """How a hook has answered a decision so far."""

    hook: str
    id: str
    state: str
    not_before: str
    error: str | None


def answers_since(tx: Connection, ids: Sequence[str], decision: Decision) -> list[Answered]:
    """Return the deliveries of a decision to these hooks, the newest first."""
    statement = select(*deliveries.c[Answered._fields]).where(
        deliveries.c.hook.in_(ids),
        deliveries.c.at >= decision.since,
        deliveries.c.kind.in_(decision.kinds),
        deliveries.c.game == decision.game,
        deliveries.c.version == decision.version,
    )
    rows = tx.execute(statement.order_by(deliveries.c.at.desc(), deliveries.c.id.desc()))
    return [Answered(*row) for row in rows]


def mark(tx: Connection, delivery: str, data: dict[str, Any]) -> None:
    """Replace the data of a delivery."""
    statement = update(deliveries).where(deliveries.c.id == delivery)
    tx.execute(statement.values(data=json.dumps(data)))


def data_of(tx: Connection, delivery: str) -> dict[str, Any]:
    """Return the data of a delivery."""
    stored = tx.scalar(select(deliveries.c.data).where(deliveries.c.id == delivery))
    data: dict[str, Any] = json.loads(stored) if stored else {}
    return data


def events_before(tx: Connection, game: str, version: int) -> int:
    """Return the number of events before the moves stored together with this version."""
    backwards = (
        select(moves.c.seq, moves.c.through)
        .where(moves.c.game == game, moves.c.number <= version)
        .order_by(moves.c.number.desc())
    )
    for row in tx.execute(backwards):
        if row.through != version:
            seq: int = row.seq
            return seq
    return 0


def _count(tx: Connection, account: str) -> None:
    """Update the account's count of hooks; some notices are stored only if it has any."""
    conditions = (hooks.c.account == account, hooks.c.off_since.is_(None))
    on = select(func.count()).select_from(hooks).where(*conditions).scalar_subquery()
    tx.execute(update(accounts).where(accounts.c.id == account).values(hooks=on))
