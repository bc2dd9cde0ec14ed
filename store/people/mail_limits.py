"""How often letters were asked for, and who wants none: rows that refer to nothing else."""

import json
from collections.abc import Collection, Sequence

from sqlalchemy import Connection, delete, select, text

from store.tables import mail_counts, mail_opt_outs

# Both databases understand these.
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


def hold(tx: Connection, subject: str) -> list[str]:
    """When letters were counted; nobody else counts them until this transaction ends."""
    tx.execute(_BEGIN, {"subject": subject})
    wanted = select(mail_counts.c.times).where(mail_counts.c.subject == subject)
    times: list[str] = json.loads(tx.scalar(wanted.with_for_update()) or "[]")
    return times


def keep(tx: Connection, subject: str, times: Sequence[str], until: str) -> None:
    """Store when letters were counted, until nobody needs to know any more."""
    row = {"subject": subject, "times": json.dumps(list(times)), "until": until}
    tx.execute(_KEEP, row)


def forget(tx: Connection, now: str) -> None:
    """Drop counts that have no effect any more."""
    tx.execute(delete(mail_counts).where(mail_counts.c.until <= now))


def opt_out(tx: Connection, mailbox: str, at: str) -> None:
    """Store that the reader of a mailbox wants no letters from strangers."""
    tx.execute(_OPT_OUT, {"mailbox": mailbox, "at": at})


def opt_in(tx: Connection, mailboxes: Collection[str]) -> None:
    """Forget an opt-out that its reader takes back."""
    tx.execute(delete(mail_opt_outs).where(mail_opt_outs.c.mailbox.in_(mailboxes)))


def forget_opt_outs(tx: Connection) -> int:
    """Drop all opt-outs and all counts; how many opt-outs there were."""
    tx.execute(delete(mail_counts))
    return tx.execute(delete(mail_opt_outs)).rowcount


def opted_out(tx: Connection, mailboxes: Collection[str]) -> list[str]:
    """Those of these mailboxes that have opted out."""
    wanted = select(mail_opt_outs.c.mailbox).where(mail_opt_outs.c.mailbox.in_(mailboxes))
    return list(tx.scalars(wanted))
