"""Rows of accounts and their tokens. Personal data is stored here and nowhere else."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from store.tables import accounts, tokens


class Account(NamedTuple):
    """A row of `accounts`; times are timestamps as text."""

    id: str
    name: str
    kind: str
    locale: str
    time_zone: str
    email: str | None
    email_confirmed: str | None
    bounced: str | None
    new_email: str | None
    new_email_until: str | None
    hooks: int
    settings: dict[str, Any]
    created: str


class Token(NamedTuple):
    """A row of `tokens`, without the hash; scopes are separated by spaces."""

    id: str
    account: str
    label: str
    scopes: str
    created: str
    expires: str | None
    parent: str | None = None
    """The id of the token with which it was made."""


_ACCOUNT = select(*accounts.c[Account._fields]).where(accounts.c.id == bindparam("id"))
_SETTINGS = Account._fields.index("settings")
_TOKEN = select(*tokens.c[Token._fields])
_BY_HASH = _TOKEN.where(tokens.c.hash == bindparam("hash"))


def add(tx: Connection, values: Mapping[str, Any]) -> None:
    """Insert an account; a unique constraint refuses a name that is taken."""
    tx.execute(insert(accounts), [{**values, "settings": json.dumps(values["settings"])}])


def account(tx: Connection, id: str) -> Account | None:
    """Return the account with this id."""
    row = tx.execute(_ACCOUNT, {"id": id}).first()
    return _read(row) if row else None


def by_ids(tx: Connection, ids: Collection[str]) -> dict[str, Account]:
    """Return the accounts with these ids that still exist, by id."""
    rows = tx.execute(select(*accounts.c[Account._fields]).where(accounts.c.id.in_(ids)))
    return {row.id: _read(row) for row in rows}


def _read(row: Sequence[Any]) -> Account:
    account = Account(*row)
    return account._replace(settings=json.loads(row[_SETTINGS]))


def with_address(tx: Connection, email: str) -> list[Account]:
    """Return the accounts with this address, confirmed, unconfirmed or pending, oldest first."""
    lowered = email.lower()
    query = select(*accounts.c[Account._fields]).where(
        or_(func.lower(accounts.c.email) == lowered, func.lower(accounts.c.new_email) == lowered)
    )
    rows = tx.execute(query.order_by(accounts.c.created, accounts.c.id))
    return [_read(row) for row in rows]


def with_tagged_address(tx: Connection, email: str) -> list[Account]:
    """Return the accounts with this address, with any tag after a `+` or none, oldest first."""
    local_part, _, domain = email.lower().rpartition("@")
    bare, address = local_part.partition("+")[0], func.lower(accounts.c.email)
    has_tag = address.startswith(f"{bare}+", autoescape=True) & address.endswith(
        f"@{domain}", autoescape=True
    )
    exact = address.in_([email.lower(), f"{bare}@{domain}"])
    query = select(*accounts.c[Account._fields]).where(or_(exact, has_tag))
    rows = tx.execute(query.order_by(accounts.c.created, accounts.c.id))
    return [_read(row) for row in rows]


def id_by_name(tx: Connection, name_key: str) -> str | None:
    """Return the id of the account whose name has this key (its skeleton)."""
    id: str | None = tx.scalar(select(accounts.c.id).where(accounts.c.name_key == name_key))
    return id


def names_by_id(tx: Connection, ids: Collection[str]) -> dict[str, str]:
    """Return the names of the accounts with these ids that still exist, by id."""
    rows = tx.execute(select(accounts.c.id, accounts.c.name).where(accounts.c.id.in_(ids)))
    return {row.id: row.name for row in rows}


def change(tx: Connection, id: str, values: Mapping[str, Any]) -> None:
    """Update columns of an account; this also locks its row until the transaction ends."""
    if "settings" in values:
        values = {**values, "settings": json.dumps(values["settings"])}
    tx.execute(update(accounts).where(accounts.c.id == id).values(**values))


def forget_unconfirmed(tx: Connection, now: str) -> None:
    """Clear pending addresses that were not confirmed in time."""
    late = accounts.c.new_email_until <= now
    tx.execute(update(accounts).where(late).values(new_email=None, new_email_until=None))


def remove(tx: Connection, id: str) -> None:
    """Delete an account and its tokens; its seats stay, without an owner."""
    tx.execute(delete(accounts).where(accounts.c.id == id))


def add_token(tx: Connection, token: Token, digest: bytes) -> None:
    """Insert a token with the hash of its text."""
    tx.execute(insert(tokens), [{**token._asdict(), "hash": digest}])


def token_by_hash(tx: Connection, digest: bytes) -> Token | None:
    """Return the token whose text has this hash."""
    rows = tx.execute(_BY_HASH, {"hash": digest}).all()
    return Token(*rows[0]) if rows else None


def token(tx: Connection, id: str) -> Token | None:
    """Return the token with this id."""
    row = tx.execute(_TOKEN.where(tokens.c.id == id)).first()
    return Token(*row) if row else None


def forget_expired(tx: Connection, account: str, now: str) -> None:
    """Delete the expired tokens of an account."""
    tx.execute(delete(tokens).where(tokens.c.account == account, tokens.c.expires <= now))


def tokens_of(tx: Connection, account: str) -> list[Token]:
    """Return the tokens and sessions of an account, the oldest first."""
    query = _TOKEN.where(tokens.c.account == account).order_by(tokens.c.created, tokens.c.id)
    return [Token(*row) for row in tx.execute(query)]


def revoke(tx: Connection, account: str, id: str) -> bool:
    """Delete a token of an account, and return whether there was one."""
    result = tx.execute(delete(tokens).where(tokens.c.account == account, tokens.c.id == id))
    return bool(result.rowcount)
