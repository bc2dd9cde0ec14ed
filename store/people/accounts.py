"""Accounts and their tokens. What is personal stands here and nowhere else."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from store.tables import accounts, tokens


class Account(NamedTuple):
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
    id: str
    account: str
    label: str
    scopes: str
    created: str
    expires: str | None
    parent: str | None = None
    """The token that has made it."""


_ACCOUNT = select(*accounts.c[Account._fields]).where(accounts.c.id == bindparam("id"))
_SETTINGS = Account._fields.index("settings")
_TOKEN = select(*tokens.c[Token._fields])
_BY_HASH = _TOKEN.where(tokens.c.hash == bindparam("hash"))


def add(tx: Connection, values: Mapping[str, Any]) -> None:
    """Store an account; a name that is taken is refused by its constraint."""
    tx.execute(insert(accounts), [{**values, "settings": json.dumps(values["settings"])}])


def account(tx: Connection, id: str) -> Account | None:
    row = tx.execute(_ACCOUNT, {"id": id}).first()
    return _read(row) if row else None


def several(tx: Connection, ids: Collection[str]) -> dict[str, Account]:
    """Those of these accounts that are still there."""
    rows = tx.execute(select(*accounts.c[Account._fields]).where(accounts.c.id.in_(ids)))
    return {row.id: _read(row) for row in rows}


def _read(row: Sequence[Any]) -> Account:
    found = Account(*row)
    return found._replace(settings=json.loads(row[_SETTINGS]))


def with_address(tx: Connection, email: str) -> list[Account]:
    """The accounts that have this address, confirmed or not, or want it, the oldest first."""
    meant = email.lower()
    wanted = select(*accounts.c[Account._fields]).where(
        or_(func.lower(accounts.c.email) == meant, func.lower(accounts.c.new_email) == meant)
    )
    rows = tx.execute(wanted.order_by(accounts.c.created, accounts.c.id))
    return [Account(*row)._replace(settings=json.loads(row.settings)) for row in rows]


def named(tx: Connection, name_key: str) -> str | None:
    """The account whose name has this skeleton."""
    found: str | None = tx.scalar(select(accounts.c.id).where(accounts.c.name_key == name_key))
    return found


def names(tx: Connection, ids: Collection[str]) -> dict[str, str]:
    """What those of these accounts are called that are still there."""
    rows = tx.execute(select(accounts.c.id, accounts.c.name).where(accounts.c.id.in_(ids)))
    return {row.id: row.name for row in rows}


def change(tx: Connection, id: str, values: Mapping[str, Any]) -> None:
    if "settings" in values:
        values = {**values, "settings": json.dumps(values["settings"])}
    tx.execute(update(accounts).where(accounts.c.id == id).values(**values))


def forget_unconfirmed(tx: Connection, now: str) -> None:
    """Drop addresses that have waited too long beside those in force."""
    late = accounts.c.new_email_until <= now
    tx.execute(update(accounts).where(late).values(new_email=None, new_email_until=None))


def remove(tx: Connection, id: str) -> None:
    """Take an account away; seats stay, without it, and tokens go with it."""
    tx.execute(delete(accounts).where(accounts.c.id == id))


def add_token(tx: Connection, token: Token, digest: bytes) -> None:
    tx.execute(insert(tokens), [{**token._asdict(), "hash": digest}])


def token_by_hash(tx: Connection, digest: bytes) -> Token | None:
    rows = tx.execute(_BY_HASH, {"hash": digest}).all()
    return Token(*rows[0]) if rows else None


def token(tx: Connection, id: str) -> Token | None:
    row = tx.execute(_TOKEN.where(tokens.c.id == id)).first()
    return Token(*row) if row else None


def forget_expired(tx: Connection, account: str, now: str) -> None:
    """Take away those of an account's tokens that are worth nothing any more."""
    tx.execute(delete(tokens).where(tokens.c.account == account, tokens.c.expires <= now))


def tokens_of(tx: Connection, account: str) -> list[Token]:
    """An account's tokens, the oldest first."""
    mine = _TOKEN.where(tokens.c.account == account).order_by(tokens.c.created, tokens.c.id)
    return [Token(*row) for row in tx.execute(mine)]


def revoke(tx: Connection, account: str, id: str) -> bool:
    """Whether there was such a token."""
    done = tx.execute(delete(tokens).where(tokens.c.account == account, tokens.c.id == id))
    return bool(done.rowcount)
