"""What is on its way: one row for each notice and each channel that takes it."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
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

from store.tables import deliveries, hooks


class Delivery(NamedTuple):
    """A notice on one channel: by mail, or to a hook."""

    id: str
    account: str
    hook: str | None
    kind: str
    game: str | None
    seat: int | None
    version: int | None
    data: dict[str, Any] | None
    at: str
    attempts: int
    """How often it was tried, with the attempt that is being made."""
    not_before: str
    """While somebody sends it: until when nobody else does."""


class Report(NamedTuple):
    """What became of an attempt."""

    id: str
    claim: str
    """Until when it was claimed; whoever claims it later has made this report worthless."""
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


_ADD = insert(deliveries)
_COLUMNS = deliveries.c[Delivery._fields]
_LISTED = select(*deliveries.c[Listed._fields])
_WAITING = deliveries.c.state == literal_column("'waiting'")
_DUE = _WAITING & (deliveries.c.not_before <= bindparam("now"))
_IN_ORDER = (deliveries.c.not_before, deliveries.c.id)
_NEXT = select(func.min(deliveries.c.not_before)).where(_WAITING)
_NEXT_MAIL = (
    select(deliveries.c.id)
    .where(_DUE, deliveries.c.hook.is_(None))
    .order_by(*_IN_ORDER)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
)
_FREE_HOOK = or_(hooks.c.busy_until.is_(None), hooks.c.busy_until <= bindparam("now"))
_FAILING = {False: hooks.c.failing_since.is_(None), True: hooks.c.failing_since.is_not(None)}
_NEXT_HOOK = {
    failing: select(*deliveries.c["id", "hook", "account"])
    .join(hooks, deliveries.c.hook == hooks.c.id)
    .where(_DUE, _FREE_HOOK, _FAILING[failing])
    .order_by(*_IN_ORDER)
    .limit(bindparam("most"))
    .with_for_update(skip_locked=True)
    for failing in (False, True)
}
_SETTLED = Report._fields[2:]
_REPORT = (
    update(deliveries)
    .where(deliveries.c.id == bindparam("of"), _WAITING)
    .where(deliveries.c.not_before == bindparam("claim"))
    .values({name: bindparam(f"new_{name}") for name in _SETTLED})
)


def add(tx: Connection, rows: Sequence[Delivery]) -> None:
    """Put these on their way."""
    if rows:
        fresh = {"state": "waiting"}
        tx.execute(_ADD, [{**row._asdict(), **fresh, "data": _written(row.data)} for row in rows])


def any_due(tx: Connection, now: str) -> bool:
    """Whether anything is due; a look that takes no lock."""
    first = next_due(tx)
    return first is not None and first <= now


def claim_mail(tx: Connection, now: str, until: str, most: int) -> list[Delivery]:
    """The mail that is due longest, which until then is this caller's to send."""
    ids = tx.scalars(_NEXT_MAIL, {"now": now, "most": most}).all()
    return _claimed(tx, ids, until)


def claim_with(
    tx: Connection, account: str, kinds: Collection[str], game: str | None, now: str, until: str
) -> list[Delivery]:
    """All mail of these kinds to one account that is due, or that nobody has tried to send yet.

    It is about one game, or about all if that is None.
    """
    free = or_(deliveries.c.attempts == 0, deliveries.c.not_before <= now)
    fresh = (_WAITING, deliveries.c.hook.is_(None), free)
    mine = select(deliveries.c.id).where(*fresh, deliveries.c.account == account)
    if game is not None:
        mine = mine.where(deliveries.c.game == game)
    wanted = mine.where(deliveries.c.kind.in_(kinds)).with_for_update(skip_locked=True)
    return _claimed(tx, tx.scalars(wanted).all(), until)


def last_letter(tx: Connection, account: str, kind: str, game: str, now: str) -> str | None:
    """When mail of this kind about a game was last sent to an account; now, if it is being sent."""
    sent, trying = deliveries.c.state == "sent", _WAITING & (deliveries.c.attempts > 0)
    mine = (
        deliveries.c.account == account,
        deliveries.c.hook.is_(None),
        deliveries.c.kind == kind,
        deliveries.c.game == game,
    )
    found = select(func.max(case((sent, deliveries.c.done), else_=now)))
    last: str | None = tx.scalar(found.where(*mine, or_(sent, trying)))
    return last


class Room(NamedTuple):
    """How much more can be told at the same time."""

    most: int
    each: int
    """To the hooks of one account, with those that are being told already."""
    out: Mapping[str, int]
    """By account: how many are being told something now."""
    run: int = 1
    """How many deliveries a hook may be told one after another."""


def claim_for_hooks(
    tx: Connection, now: str, until: str, room: Room, *, failing: bool
) -> list[Delivery]:
    """What is due longest, in runs for each hook, and none for a hook that is busy."""
    out, runs = Counter(room.out), dict[str, list[str]]()
    full = [account for account, number in out.items() if number >= room.each]
    due = _NEXT_HOOK[failing].where(deliveries.c.account.not_in(full))
    for row in tx.execute(due, {"now": now, "most": room.most * room.run}):
        if row.hook not in runs and out[row.account] < room.each and len(runs) < room.most:
            runs[row.hook] = []
            out[row.account] += 1
        if row.hook in runs and len(runs[row.hook]) < room.run:
            runs[row.hook].append(row.id)
    tx.execute(update(hooks).where(hooks.c.id.in_(runs)).values(busy_until=until))
    return _claimed(tx, [id for run in runs.values() for id in run], until)


def _claimed(tx: Connection, ids: Sequence[str], until: str) -> list[Delivery]:
    if not ids:
        return []
    taken = update(deliveries).where(deliveries.c.id.in_(ids))
    taken = taken.values(not_before=until, attempts=deliveries.c.attempts + 1)
    rows = {row.id: row for row in tx.execute(taken.returning(*_COLUMNS))}
    return [Delivery(*rows[id])._replace(data=_read(rows[id].data)) for id in ids if id in rows]


def report(tx: Connection, reports: Sequence[Report]) -> None:
    """Write down what became of these attempts; what has been settled stays as it is."""
    rows = [
        {"of": one.id, "claim": one.claim}
        | {f"new_{name}": getattr(one, name) for name in _SETTLED}
        for one in reports
    ]
    tx.execute(_REPORT, rows)


def release(tx: Connection, hook: str, until: str) -> None:
    """A hook can be told the next thing, unless somebody else is telling it something by now."""
    mine = hooks.c.id == hook, hooks.c.busy_until == until
    tx.execute(update(hooks).where(*mine).values(busy_until=None))


def give_back(tx: Connection, untried: Sequence[Delivery]) -> None:
    """What was claimed and not tried is anybody's again, in the order in which it happened."""
    ids, claims = {one.id for one in untried}, {one.not_before for one in untried}
    held = deliveries.c.not_before.in_(claims)
    mine = update(deliveries).where(deliveries.c.id.in_(ids), _WAITING, held)
    tx.execute(mine.values(not_before=deliveries.c.at, attempts=deliveries.c.attempts - 1))


def next_due(tx: Connection) -> str | None:
    """When the next of all is due."""
    found: str | None = tx.scalar(_NEXT)
    return found


def listed(tx: Connection, hook: str, after: tuple[str, str] | None, limit: int) -> list[Listed]:
    """What went to a hook, the newest first."""
    mine = _LISTED.where(deliveries.c.hook == hook)
    if after:
        mine = mine.where(tuple_(deliveries.c.at, deliveries.c.id) < tuple_(*map(literal, after)))
    rows = tx.execute(mine.order_by(deliveries.c.at.desc(), deliveries.c.id.desc()).limit(limit))
    return [Listed(*row) for row in rows]


def again(tx: Connection, hook: str, id: str, now: str) -> bool:
    """Send a delivery once more, from the first attempt on; whether there is such a one."""
    mine = update(deliveries).where(deliveries.c.hook == hook, deliveries.c.id == id)
    done = tx.execute(mine.values(state="waiting", attempts=0, not_before=now, done=None))
    return bool(done.rowcount)


def forget(tx: Connection, before: str) -> None:
    """Drop what was settled so long ago that nobody asks for it any more."""
    settled = deliveries.c.state != "waiting"
    tx.execute(delete(deliveries).where(settled, deliveries.c.done < before))


def _written(data: dict[str, Any] | None) -> str | None:
    return None if data is None else json.dumps(data)


def _read(data: str | None) -> Any:
    return None if data is None else json.loads(data)
