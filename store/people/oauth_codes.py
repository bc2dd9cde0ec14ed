"""Rows of authorization codes."""

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from store.tables import oauth_codes


class AuthorizationCode(NamedTuple):
    """A row of `oauth_codes`."""

    hash: bytes
    account: str
    client: str
    redirect_uri: str
    challenge: str
    scopes: str
    session: str
    """The session in which it was approved."""
    expires: str
    grant: str | None = None
    """The grant that was made with it; None if it was not used yet."""


def add(tx: Connection, code: AuthorizationCode) -> None:
    """Insert a code."""
    tx.execute(insert(oauth_codes), [code._asdict()])


def by_hash(tx: Connection, digest: bytes) -> AuthorizationCode | None:
    """Return the code with this hash."""
    query = select(*oauth_codes.c[AuthorizationCode._fields]).where(oauth_codes.c.hash == digest)
    row = tx.execute(query).first()
    return AuthorizationCode(*row) if row else None


def use(tx: Connection, digest: bytes, grant: str) -> bool:
    """Mark a code as used for this grant, and return whether it was unused."""
    unused = oauth_codes.c.hash == digest, oauth_codes.c.grant.is_(None)
    return bool(tx.execute(update(oauth_codes).where(*unused).values(grant=grant)).rowcount)


def forget(tx: Connection, before: str) -> None:
    """Delete the codes that expired before this time."""
    tx.execute(delete(oauth_codes).where(oauth_codes.c.expires <= before))
