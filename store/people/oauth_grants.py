"""Rows of grants: what an account allows a connected app, and the app's tokens."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from store.tables import oauth_codes, oauth_devices, oauth_grants, tokens


class Grant(NamedTuple):
    """A row of `oauth_grants`, without the hashes; scopes are separated by spaces."""

    id: str
    account: str
    client: str
    returns_to: str | None
    """The origin of the app's redirect address; None for a device."""
    scopes: str
    session: str
    """The session in which it was approved."""
    created: str
    refreshed: str
    expires: str


class Hashes(NamedTuple):
    """Hashes of a refresh token: of the part that its successors keep, and of all of it."""

    family: bytes
    refresh: bytes


_GRANT = select(*oauth_grants.c[Grant._fields])


def add(tx: Connection, grant: Grant, hashes: Hashes) -> None:
    """Insert a grant with the hashes of its first refresh token."""
    tx.execute(insert(oauth_grants), [{**grant._asdict(), **hashes._asdict()}])


def by_id(tx: Connection, id: str) -> Grant | None:
    """Return the grant with this id."""
    row = tx.execute(_GRANT.where(oauth_grants.c.id == id)).first()
    return Grant(*row) if row else None


def by_family(tx: Connection, family: bytes) -> tuple[Grant, bytes] | None:
    """Return the grant with refresh tokens of this family, and the hash of the newest one."""
    query = select(*oauth_grants.c[Grant._fields], oauth_grants.c.refresh)
    row = tx.execute(query.where(oauth_grants.c.family == family)).first()
    return (Grant(*row[:-1]), bytes(row[-1])) if row else None


def of_account(tx: Connection, account: str) -> list[Grant]:
    """Return the grants of an account, the least recently refreshed first."""
    query = _GRANT.where(oauth_grants.c.account == account)
    rows = tx.execute(query.order_by(oauth_grants.c.refreshed, oauth_grants.c.id))
    return [Grant(*row) for row in rows]


def rotate(tx: Connection, grant: Grant, before: bytes, after: bytes) -> bool:
    """Store the next refresh token and the times of a grant, if `before` is still its newest."""
    newest = oauth_grants.c.id == grant.id, oauth_grants.c.refresh == before
    values = {"refresh": after, "refreshed": grant.refreshed, "expires": grant.expires}
    return bool(tx.execute(update(oauth_grants).where(*newest).values(**values)).rowcount)


def end(tx: Connection, account: str, id: str) -> bool:
    """Delete a grant of an account with its access tokens, and return whether there was one."""
    tx.execute(delete(tokens).where(tokens.c.account == account, tokens.c.parent == id))
    grant = oauth_grants.c.account == account, oauth_grants.c.id == id
    return bool(tx.execute(delete(oauth_grants).where(*grant)).rowcount)


def end_approved_in(tx: Connection, account: str, sessions: Collection[str]) -> int:
    """End what was approved in these sessions of an account; return how many grants that were."""
    grants = [grant.id for grant in of_account(tx, account) if grant.session in sessions]
    for id in grants:
        end(tx, account, id)
    for table in (oauth_codes, oauth_devices):  # what no app has exchanged yet
        approved = table.c.account == account, table.c.session.in_(sessions)
        tx.execute(delete(table).where(*approved))
    return len(grants)


def expired(tx: Connection, now: str, limit: int) -> list[Grant]:
    """Return grants that have expired, the oldest first."""
    query = _GRANT.where(oauth_grants.c.expires <= now).order_by(oauth_grants.c.expires)
    return [Grant(*row) for row in tx.execute(query.limit(limit))]
