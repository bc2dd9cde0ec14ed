"""Counts of letters to each provider, and of those that it refused for reasons of policy."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, func, select, text

from store.tables import mail_providers

# SQLite and PostgreSQL both understand this statement.
_COUNT = text(
    "INSERT INTO mail_providers (domain, since, letters, refused) "
    "VALUES (:domain, :since, :letters, :refused) ON CONFLICT (domain, since) DO UPDATE SET "
    "letters = mail_providers.letters + excluded.letters, "
    "refused = mail_providers.refused + excluded.refused"
)


class Counts(NamedTuple):
    """The letters to one domain."""

    domain: str
    letters: int
    refused: int


def count(tx: Connection, since: str, counts: Counts) -> None:
    """Add to the counts of a domain for the time that began at `since`."""
    tx.execute(_COUNT, {**counts._asdict(), "since": since})


def counted(tx: Connection, since: str, domain: str | None = None) -> list[Counts]:
    """Return the counts since this time, of one domain or of all that refused any letter."""
    sums = func.sum(mail_providers.c.letters), func.sum(mail_providers.c.refused)
    query = select(mail_providers.c.domain, *sums).where(mail_providers.c.since >= since)
    if domain is not None:
        query = query.where(mail_providers.c.domain == domain)
    refusing = query.group_by(mail_providers.c.domain).having(sums[1] > 0)
    rows = tx.execute(refusing.order_by(mail_providers.c.domain))
    return [Counts(domain, int(letters), int(refused)) for domain, letters, refused in rows]


def forget(tx: Connection, before: str) -> None:
    """Delete counts of times that began before this one."""
    tx.execute(delete(mail_providers).where(mail_providers.c.since < before))
