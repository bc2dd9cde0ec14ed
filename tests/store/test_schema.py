from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text

from store import schema
from store.database import Database
from store.errors import Clash
from store.sqlite import PRAGMAS
from store.tables import metadata


def test_migrations_lead_to_the_tables(database: Database) -> None:
    """The migrations create exactly the tables that `store.tables` defines."""
    assert (None, schema.latest()) == schema.upgrade(database)
    with database.writing() as tx:
        assert [] == compare_metadata(MigrationContext.configure(tx), metadata)
    database.close()


def test_an_index_that_no_migration_makes_is_noticed(database: Database) -> None:
    """Planted fault: the comparison with the tables notices a missing index."""
    schema.upgrade(database)
    with database.writing() as tx:
        tx.execute(text("DROP INDEX uq_moves_game_seat_key"))
        assert compare_metadata(MigrationContext.configure(tx), metadata)
    database.close()


def test_upgrading_twice_changes_nothing(database: Database) -> None:
    """Upgrading a database with the newest schema keeps its revision."""
    schema.upgrade(database)

    assert (schema.latest(), schema.latest()) == schema.upgrade(database)
    database.close()


def test_an_upgrade_that_fails_leaves_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An upgrade that raises an error leaves no tables."""
    monkeypatch.setattr(schema, "revision", _broken)
    with pytest.raises(RuntimeError):
        schema.upgrade(database)

    assert [] == inspect(database.engine).get_table_names()
    database.close()


def _broken(_: object) -> str:
    raise RuntimeError("the power is gone")


def test_house_ratings_that_have_drifted_are_set_right(database: Database) -> None:
    """A migration resets the old rating of a house bot, and leaves other ratings alone."""
    with database.writing() as tx:
        config = schema._config()
        config.attributes["connection"] = tx
        command.upgrade(config, "0004")
        row = "INSERT INTO ratings VALUES ('{}', 'usa', NULL, {}, 90, 2069, 60, 60)"
        for player in ("easy", "caretaker"):
            tx.execute(text(row.format(player, 2249)))
    schema.upgrade(database)
    with database.reading() as tx:
        rows = tx.execute(text("SELECT player, rating, standing, games FROM ratings"))
        assert {("easy", 1110, 1060, 60), ("caretaker", 2249, 2069, 60)} == set(map(tuple, rows))
    database.close()


def test_every_sqlite_connection_keeps_our_promises(tmp_path: Path) -> None:
    """Every SQLite connection has our pragmas, for example for durable commits."""
    database = Database(f"sqlite:///{tmp_path}/nightmail.db")
    connections = [database.engine.raw_connection() for _ in range(2)]
    for connection in connections:
        cursor = connection.cursor()
        settings = {}
        for name in PRAGMAS:
            cursor.execute(f"PRAGMA {name}")
            settings[name] = str(*cursor.fetchone())
        assert PRAGMAS == settings
    for connection in connections:
        connection.close()
    database.close()


def test_a_transaction_takes_the_lock_at_once(tmp_path: Path) -> None:
    """A SQLite transaction that may write has begun before its first statement."""
    database = Database(f"sqlite:///{tmp_path}/nightmail.db")
    with database.writing() as tx:
        raw = tx.connection.dbapi_connection
        assert raw is not None
        assert raw.in_transaction  # before any statement of ours
    database.close()


def test_deliveries_from_before_have_a_channel(database: Database) -> None:
    """A migration gives old deliveries with a hook the channel webhook, and others mail."""
    with database.writing() as tx:
        config = schema._config()
        config.attributes["connection"] = tx
        command.upgrade(config, "0008")
        for statement in OLD_ROWS:
            tx.execute(text(statement))
    schema.upgrade(database)
    with database.reading() as tx:
        rows = tx.execute(text("SELECT id, channel FROM deliveries"))
        assert {("d1", "mail"), ("d2", "webhook")} == set(map(tuple, rows))
    database.close()


OLD_ROWS = (
    (
        "INSERT INTO accounts (id, name, name_key, kind, locale, time_zone, settings, created)"
        " VALUES ('a', 'Ada', 'ada', 'person', 'en', 'UTC', '{}', '2026')"
    ),
    (
        "INSERT INTO hooks (id, account, url, secret, types, created)"
        " VALUES ('h', 'a', 'http://127.0.0.1:1/', '', '[]', '2026')"
    ),
    (
        "INSERT INTO deliveries (id, account, hook, kind, at, state, attempts, not_before)"
        " VALUES ('d1', 'a', NULL, 'game_started', '2026', 'waiting', 0, '2026')"
    ),
    (
        "INSERT INTO deliveries (id, account, hook, kind, at, state, attempts, not_before)"
        " VALUES ('d2', 'a', 'h', 'game_started', '2026', 'waiting', 0, '2026')"
    ),
)
"""An account, a hook, and a delivery by mail and by webhook, without the column `channel`."""


def test_mailboxes_from_before_are_kept(database: Database) -> None:
    """A migration allows mailboxes for table talk, keeps the others, and allows nothing else."""
    with database.writing() as tx:
        config = schema._config()
        config.attributes["connection"] = tx
        command.upgrade(config, "0014")
        tx.execute(text(OLD_ROWS[0]))
        tx.execute(MAILBOX, {"hash": b"1", "purpose": "reply"})
        tx.execute(MAILBOX_DECISION, {"hash": b"1"})
    schema.upgrade(database)
    with database.writing() as tx:
        tx.execute(MAILBOX, {"hash": b"2", "purpose": "talk"})
    with database.reading() as tx:
        rows = tx.execute(text("SELECT purpose, seat, asked FROM mailboxes ORDER BY hash"))
        assert [("reply", 1, 7), ("talk", 1, 7)] == list(map(tuple, rows))
        rows = tx.execute(text("SELECT letter, game, seat, asked FROM mailbox_decisions"))
        assert [("A", "g", 1, 7)] == list(map(tuple, rows))
    with pytest.raises(Clash), database.writing() as tx:
        tx.execute(MAILBOX, {"hash": b"3", "purpose": "gossip"})
    database.close()


MAILBOX_DECISION = text(
    "INSERT INTO mailbox_decisions (hash, letter, game, seat, asked, links)"
    " VALUES (:hash, 'A', 'g', 1, 7, 0)"
)
MAILBOX = text(
    "INSERT INTO mailboxes (hash, purpose, account, game, seat, asked, created)"
    " VALUES (:hash, :purpose, 'a', 'g', 1, 7, '2026')"
)
