"""Behind a pooler in transaction mode, no state may be left in a session of the server.

The suite has no PgBouncer; the tests check the statements, and the session afterwards.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, text

from service.desk import Desk, open_desk
from service.settings import Settings
from tests.service.support import tables

STATE = re.compile(r"\b(SET(?! LOCAL)|LISTEN|PREPARE|DECLARE|TEMP\w*|pg_advisory_lock)\b")
FOREIGN = text("""
    SELECT name FROM pg_settings
    WHERE source IN ('session', 'client') AND name NOT IN ('application_name', 'client_encoding')
""")
PREPARED = text("SELECT count(*) FROM pg_prepared_statements")


@pytest.fixture
def pooled(ready_postgres: str, tmp_path: Path) -> Iterator[Desk]:
    """A desk that treats its database URL as that of a pooler."""
    environ = {"DATABASE_URL": ready_postgres, "DATABASE_DIRECT_URL": ready_postgres}
    environ |= {"DATA_DIR": str(tmp_path), "SECRET_KEYS": "k" * 32}
    desk = open_desk(Settings.of(environ))
    yield desk
    desk.close()


def _played(desk: Desk) -> list[str]:
    """The statements that are executed while two people play."""
    statements: list[str] = []

    def note(_: Connection, __: Any, statement: str, *___: Any) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        game, players = tables.table(desk, "Ada", "Bob")
        tables.keep_tickets(desk, game, players)
        for player in players * 5:
            tables.play(desk, game, player, "draw")
            tables.play(desk, game, player, "draw")
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return statements


def test_no_statement_leaves_anything_in_a_session(pooled: Desk) -> None:
    """Settings are local to their transaction, and no statement leaves state in the session."""
    statements = _played(pooled)
    begun = [statement for statement in statements if statement.startswith("BEGIN")]
    assert len(begun) > 10
    assert all("SET LOCAL synchronous_commit = " in statement for statement in begun)
    kept = [statement for statement in statements if not statement.startswith(("UPDATE", "INSERT"))]
    assert [] == [statement for statement in kept if STATE.search(statement)]


def test_sessions_are_as_the_server_made_them(pooled: Desk) -> None:
    """After a game the session has no settings of ours and no prepared statements."""
    _played(pooled)
    with pooled.database.reading() as tx:
        assert [] == tx.scalars(FOREIGN).all()
        assert 0 == tx.scalar(PREPARED)


def test_without_a_pooler_statements_are_prepared(ready_postgres: str, tmp_path: Path) -> None:
    """Planted fault: a direct connection has both, so the test above would notice them."""
    environ = {"DATABASE_URL": ready_postgres, "DATA_DIR": str(tmp_path), "SECRET_KEYS": "k" * 32}
    desk = open_desk(Settings.of(environ))
    _played(desk)
    with desk.database.reading() as tx:
        assert {"lock_timeout", "statement_timeout"} <= set(tx.scalars(FOREIGN).all())
        assert 0 < (tx.scalar(PREPARED) or 0)
    desk.close()
