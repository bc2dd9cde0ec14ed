"""How connections to PostgreSQL are opened, and how transactions begin there.

What a transaction rests on is set with `SET LOCAL`, so that a pooler in transaction mode may stand
between. Behind a pooler nothing is kept in a session: no option at the start, and no statement that
is prepared on the server.
"""

from typing import Any

from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.engine import URL

from store.pool import LIFETIME, Pool, beginning

TIMEOUTS = {"lock_timeout": "10s", "statement_timeout": "30s"}
IDLE = 2 * LIFETIME
"""Seconds after which the server closes an idle connection; the pool has replaced it by then."""
CONNECT: dict[str, Any] = {
    "application_name": "nightmail",
    "autocommit": True,  # a transaction begins with the statements below
    "connect_timeout": 10,
}
STATELESS: dict[str, Any] = {"prepare_threshold": None}
"""For a pooler, which gives the next transaction another session."""
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
    """An engine in autocommit mode."""
    more = STATELESS if pool.behind_pooler else {"options": _startup_options()}
    return create_engine(url, connect_args=CONNECT | more, **pool.options)


def durable(engine: Engine) -> Engine:
    """The same pool for transactions whose commit waits for the disk."""
    return beginning(engine, [_begin(DURABLE)])


def noted(engine: Engine) -> Engine:
    """The same pool for transactions whose commit does not wait for the disk."""
    return beginning(engine, [_begin(NOTED)])


def connection_limit(tx: Connection) -> int:
    """How many connections the server allows to this user in this database."""
    return int(tx.execute(_LIMIT).scalar_one())


def _startup_options() -> str:
    """Timeouts of statements outside a transaction; poolers refuse such options."""
    chosen = TIMEOUTS | {"idle_session_timeout": f"{IDLE}s"}
    return " ".join(f"-c {name}={value}" for name, value in chosen.items())


def _begin(synchronous_commit: str) -> str:
    """One round trip: the beginning of a transaction with everything that it rests on."""
    chosen = {"synchronous_commit": synchronous_commit} | TIMEOUTS
    return "; ".join(["BEGIN", *(f"SET LOCAL {name} = '{v}'" for name, v in chosen.items())])
