"""Counts of letters, and opt-outs from them: rows that refer to no other table."""

import json
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, delete, select, text

from store.tables import mail_counts, mail_opt_outs

# SQLite and PostgreSQL both understand these statements.
_BEGIN = text(
    "INSERT INTO mail_counts (subject, times, until) VALUES (:subject, '[]', '') "
    "ON CONFLICT DO NOTHING"
)
_KEEP = text(
    "INSERT INTO mail_counts (subject, times, until) VALUES (:subject, :times, :until) "
    "ON CONFLICT (subject) DO UPDATE SET times = excluded.times, until = excluded.until"
)
_OPT_OUT = text(
    "INSERT INTO mail_opt_outs (mailbox, at) VALUES (:mailbox, :at) ON CONFLICT DO NOTHING"
)


def lock_counts(tx: Connection, subject: str) -> list[str]:
    """Lock the counts of a subject until the transaction ends; return when letters were sent."""
    tx.execute(_BEGIN, {"subject": subject})
    query = select(mail_counts.c.times).where(mail_counts.c.subject == subject)
    times: list[str] = json.loads(tx.scalar(query.with_for_update()) or "[]")
    return times


def store_counts(tx: Connection, subject: str, times: Sequence[str], until: str) -> None:
    """Store when letters of a subject were sent; `until` is when the row may be deleted."""
    row = {"subject": subject, "times": json.dumps(list(times)), "until": until}
    tx.execute(_KEEP, row)


def forget_counts(tx: Connection, now: str) -> None:
    """Delete counts that limit nothing any more."""
    tx.execute(delete(mail_counts).where(mail_counts.c.until <= now))


def opt_out(tx: Connection, mailbox: str, at: str) -> None:
    """Insert an opt-out for the fingerprint of an address."""
    tx.execute(_OPT_OUT, {"mailbox": mailbox, "at": at})


def opt_in(tx: Connection, mailboxes: Collection[str]) -> None:
    """Delete the opt-outs of these fingerprints."""
    tx.execute(delete(mail_opt_outs).where(mail_opt_outs.c.mailbox.in_(mailboxes)))


def forget_opt_outs(tx: Connection) -> int:
    """Delete all opt-outs and all counts, and return how many opt-outs there were."""
    tx.execute(delete(mail_counts))
    return tx.execute(delete(mail_opt_outs)).rowcount


def find_opt_outs(tx: Connection, mailboxes: Collection[str]) -> list[str]:
    """Return those of these fingerprints whose addresses have opted out."""
    query = select(mail_opt_outs.c.mailbox).where(mail_opt_outs.c.mailbox.in_(mailboxes))
    return list(tx.scalars(query))
