"""Opens connections to PostgreSQL, and begins transactions there.

Transactions set their options with `SET LOCAL`, so that a pooler in transaction mode may be in
between. Behind a pooler nothing is kept in a session: no startup options, and no server-side
prepared statements.
"""

from typing import Any

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import URL

from store.pool import LIFETIME, Pool, beginning

TIMEOUTS = {"lock_timeout": "10s", "statement_timeout": "30s"}
IDLE = 2 * LIFETIME
"""Seconds after which the server closes an idle connection; the pool replaces it earlier."""
CONNECT: dict[str, Any] = {
    "application_name": "nightmail",
    "autocommit": True,  # a transaction begins with the statements below
    "connect_timeout": 10,
}
STATELESS: dict[str, Any] = {"prepare_threshold": None}
"""For a pooler, which may run the next transaction in another session."""
DURABLE, NOTED = "on", "off"
"""`synchronous_commit`: whether a commit waits for the disk."""

_LIMIT = text("""
    SELECT least(
        current_setting('max_connections')::int
            - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true), '0')::int,
        (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user),
        (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())
    )
""")


def engine(url: URL, pool: Pool) -> Engine:
    """Return an engine in autocommit mode."""
    more = STATELESS if pool.behind_pooler else {"options": _startup_options()}
    return create_engine(url, connect_args=CONNECT | more, **pool.options)


def durable(engine: Engine) -> Engine:
    """Return an engine on the same pool whose commits wait for the disk."""
    return beginning(engine, [_begin(DURABLE)])


def noted(engine: Engine) -> Engine:
    """Return an engine on the same pool whose commits do not wait for the disk."""
    return beginning(engine, [_begin(NOTED)])


def connection_limit(tx: Connection) -> int:
    """Return the number of connections that the server allows this user in this database."""
    return int(tx.execute(_LIMIT).scalar_one())


def _startup_options() -> str:
    """Return startup options: timeouts of statements outside a transaction; poolers refuse them."""
    chosen = TIMEOUTS | {"idle_session_timeout": f"{IDLE}s"}
    return " ".join(f"-c {name}={value}" for name, value in chosen.items())


def _begin(synchronous_commit: str) -> str:
    """Return the statements that begin a transaction and set its options, in one round trip."""
    chosen = {"synchronous_commit": synchronous_commit} | TIMEOUTS
    return "; ".join(["BEGIN", *(f"SET LOCAL {name} = '{v}'" for name, v in chosen.items())])
