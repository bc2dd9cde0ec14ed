"""Deliveries: one row for each notice, each channel that carries it, and each target there."""

import json
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Row,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    tuple_,
    update,
)

from store.tables import deliveries


class Delivery(NamedTuple):
    """A notice on its way to one account on one channel."""

    id: str
    account: str
    """Empty for an answer to mail from an address that has no account."""
    channel: str
    hook: str | None
    """The hook that is called, on the channel of webhooks."""
    kind: str
    game: str | None
    seat: int | None
    version: int | None
    data: dict[str, Any] | None
    at: str
    attempts: int
    """The number of attempts, including the one that is being made."""
    not_before: str
    """When it is due; while a process holds it, the end of that process's lease."""
    destination: str | None = None
    """The destination on the channel, where an account may have several."""


class Stream(NamedTuple):
    """Deliveries that are sent as one message."""

    channel: str
    account: str
    kinds: Collection[str]
    game: str | None
    """None: about all games."""
    destination: str | None = None


class Report(NamedTuple):
    """The result of an attempt."""

    id: str
    claim: str
    """The end of the lease under which it was tried; a later claim makes this report void."""
    state: str
    """sent, superseded, failed, or waiting for the next attempt."""
    done: str | None
    not_before: str
    status: int | None = None
    error: str | None = None
    sent_bytes: int | None = None
    answer_bytes: int | None = None


class Listed(NamedTuple):
    """A delivery as its owner reads about it."""

    id: str
    kind: str
    game: str | None
    at: str
    state: str
    attempts: int
    not_before: str
    done: str | None
    status: int | None
    error: str | None
    sent_bytes: int | None
    answer_bytes: int | None


WAITING = deliveries.c.state == literal_column("'waiting'")
DUE = WAITING & (deliveries.c.not_before <= bindparam("now"))
IN_ORDER = (deliveries.c.not_before, deliveries.c.id)

_ADD = insert(deliveries)
_COLUMNS = deliveries.c[Delivery._fields]
_LISTED = select(*deliveries.c[Listed._fields])
_NEXT = select(func.min(deliveries.c.not_before)).where(WAITING)
# The release before this column leaves it out: its rows for hooks have the default, "mail".
_ON_CHANNEL = (deliveries.c.channel == bindparam("channel")) & deliveries.c.hook.is_(None)
_NEXT_ON_CHANNEL = (
    select(deliveries.c.id)
    .where(DUE, _ON_CHANNEL)
    .order_by(*IN_ORDER)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_SETTLED = Report._fields[2:]
_REPORT = (
    update(deliveries)
    .where(deliveries.c.id == bindparam("of"), WAITING)
    .where(deliveries.c.not_before == bindparam("claim"))
    .values({name: bindparam(f"new_{name}") for name in _SETTLED})
)


def add(tx: Connection, rows: Sequence[Delivery]) -> None:
    """Store new deliveries."""
    if rows:
        tx.execute(_ADD, [_row(row) for row in rows])


def _row(new: Delivery) -> dict[str, Any]:
    more = {"account": new.account or None, "data": _written(new.data), "state": "waiting"}
    return {**new._asdict(), **more}


def _delivery(row: Row[Any]) -> Delivery:
    delivery = Delivery(*tuple(row))
    return delivery._replace(account=delivery.account or "", data=_read(row.data))


def any_due(tx: Connection, now: str) -> bool:
    """Return whether anything is due on any channel; takes no lock."""
    first = next_due(tx)
    return first is not None and first <= now


def claim(tx: Connection, channel: str, now: str, until: str, most: int) -> list[Delivery]:
    """Claim what has been due longest on a channel, under a lease that ends at `until`."""
    ids = tx.scalars(_NEXT_ON_CHANNEL, {"channel": channel, "now": now, "most": most})
    return claimed(tx, channel, ids.all(), until)


def claim_stream(tx: Connection, stream: Stream, now: str, until: str) -> list[Delivery]:
    """Claim all deliveries of a stream that are due, or that were never tried."""
    free = or_(deliveries.c.attempts == 0, deliveries.c.not_before <= now)
    statement = select(deliveries.c.id).where(WAITING, _ON_CHANNEL, free)
    statement = statement.where(deliveries.c.account == stream.account)
    statement = statement.where(deliveries.c.kind.in_(stream.kinds))
    statement = statement.where(deliveries.c.destination.is_not_distinct_from(stream.destination))
    if stream.game is not None:
        statement = statement.where(deliveries.c.game == stream.game)
    locked = statement.with_for_update(skip_locked=True)
    ids = tx.scalars(locked, {"channel": stream.channel}).all()
    return claimed(tx, stream.channel, ids, until)


def claimed(tx: Connection, channel: str, ids: Sequence[str], until: str) -> list[Delivery]:
    """Put these rows, which the caller has locked, under a lease; returned in the same order."""
    if not ids:
        return []
    lease = {"not_before": until, "attempts": deliveries.c.attempts + 1, "channel": channel}
    statement = update(deliveries).where(deliveries.c.id.in_(ids)).values(**lease)
    rows = {row.id: row for row in tx.execute(statement.returning(*_COLUMNS))}
    return [_delivery(rows[id]) for id in ids if id in rows]


def last_sent(
    tx: Connection, channel: str, account: str, kind: str, game: str, now: str
) -> str | None:
    """Return when a notice of this kind and game was last sent; `now` during an attempt."""
    sent, trying = deliveries.c.state == "sent", WAITING & (deliveries.c.attempts > 0)
    conditions = (
        deliveries.c.account == account,
        _ON_CHANNEL,
        deliveries.c.kind == kind,
        deliveries.c.game == game,
    )
    latest = select(func.max(case((sent, deliveries.c.done), else_=now)))
    last: str | None = tx.scalar(latest.where(*conditions, or_(sent, trying)), {"channel": channel})
    return last


def report(tx: Connection, reports: Sequence[Report]) -> None:
    """Store the results of attempts; what is settled already stays as it is."""
    rows = [
        {"of": report.id, "claim": report.claim}
        | {f"new_{name}": getattr(report, name) for name in _SETTLED}
        for report in reports
    ]
    tx.execute(_REPORT, rows)


def renew(tx: Connection, claimed: Sequence[Delivery], until: str) -> None:
    """Let the lease of deliveries that are being tried end later."""
    ids = {delivery.id for delivery in claimed}
    claims = {delivery.not_before for delivery in claimed}
    conditions = deliveries.c.id.in_(ids), WAITING, deliveries.c.not_before.in_(claims)
    tx.execute(update(deliveries).where(*conditions).values(not_before=until))


def give_back(tx: Connection, untried: Sequence[Delivery]) -> None:
    """End the lease of deliveries that were not tried; they are due as before."""
    ids = {delivery.id for delivery in untried}
    claims = {delivery.not_before for delivery in untried}
    claimed = deliveries.c.not_before.in_(claims)
    statement = update(deliveries).where(deliveries.c.id.in_(ids), WAITING, claimed)
    tx.execute(statement.values(not_before=deliveries.c.at, attempts=deliveries.c.attempts - 1))


def next_due(tx: Connection) -> str | None:
    """Return when the next delivery on any channel is due."""
    first: str | None = tx.scalar(_NEXT)
    return first


def listed(tx: Connection, hook: str, after: tuple[str, str] | None, limit: int) -> list[Listed]:
    """Return the deliveries to a hook, the newest first."""
    statement = _LISTED.where(deliveries.c.hook == hook)
    if after:
        statement = statement.where(
            tuple_(deliveries.c.at, deliveries.c.id) < tuple_(*map(literal, after))
        )
    rows = tx.execute(
        statement.order_by(deliveries.c.at.desc(), deliveries.c.id.desc()).limit(limit)
    )
    return [Listed(*row) for row in rows]


def again(tx: Connection, hook: str, id: str, now: str) -> bool:
    """Send a delivery again, from its first attempt; False if it does not exist."""
    statement = update(deliveries).where(deliveries.c.hook == hook, deliveries.c.id == id)
    done = tx.execute(statement.values(state="waiting", attempts=0, not_before=now, done=None))
    return bool(done.rowcount)


def forget(tx: Connection, before: str) -> None:
    """Delete what was settled before this time."""
    settled = deliveries.c.state != "waiting"
    tx.execute(delete(deliveries).where(settled, deliveries.c.done < before))


def _written(data: dict[str, Any] | None) -> str | None:
    return None if data is None else json.dumps(data)


def _read(data: str | None) -> Any:
    return None if data is None else json.loads(data)
