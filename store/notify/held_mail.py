"""Incoming mail that was not carried out, kept for its owner to see."""

import json
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from store.tables import held_mail


class HeldMail(NamedTuple):
    """A row of `held_mail`, without the digest."""

    id: str
    account: str
    game: str | None
    seat: int | None
    decision_version: int | None
    """The version at which the decision was opened; None if the mail is about none."""
    reason: str
    """The code of the rule that decided about it."""
    sender: str | None
    lines: list[str]
    at: str


_HELD = select(*held_mail.c[HeldMail._fields])
_NEWEST_FIRST = held_mail.c.at.desc(), held_mail.c.id.desc()


def add(tx: Connection, mail: HeldMail, digest: bytes) -> None:
    """Store a mail; raises Clash if it is stored already."""
    row = {**mail._asdict(), "lines": json.dumps(mail.lines), "digest": digest}
    tx.execute(insert(held_mail), [row])


def is_stored(tx: Connection, account: str, digest: bytes) -> bool:
    """Return whether this mail is stored."""
    conditions = held_mail.c.account == account, held_mail.c.digest == digest
    return tx.scalar(select(held_mail.c.id).where(*conditions)) is not None


def of_account(tx: Connection, account: str) -> list[HeldMail]:
    """Return the mail of an account, the newest first."""
    query = _HELD.where(held_mail.c.account == account).order_by(*_NEWEST_FIRST)
    rows = map(HeldMail._make, tx.execute(query))
    return [row._replace(lines=json.loads(str(row.lines))) for row in rows]


def remove(tx: Connection, account: str, digest: bytes) -> None:
    """Delete a mail, if it is stored."""
    conditions = held_mail.c.account == account, held_mail.c.digest == digest
    tx.execute(delete(held_mail).where(*conditions))


def keep_newest(tx: Connection, account: str, most: int) -> None:
    """Delete the oldest mail of an account, so that at most `most` are left."""
    condition = held_mail.c.account == account
    ids = tx.scalars(select(held_mail.c.id).where(condition).order_by(*_NEWEST_FIRST).offset(most))
    old = ids.all()
    if old:
        tx.execute(delete(held_mail).where(held_mail.c.id.in_(old)))


def forget(tx: Connection, before: str) -> None:
    """Delete the mail received before this time."""
    tx.execute(delete(held_mail).where(held_mail.c.at < before))
