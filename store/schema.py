"""Upgrades a database to the present schema, and reads which revision it is at."""

from functools import lru_cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from store.database import Database

SCRIPTS = Path(__file__).parent / "migrations"
UPGRADING = 7_305_818_105
"""The advisory lock that lets one process upgrade PostgreSQL at a time."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    return config


def upgrade(database: Database) -> tuple[str | None, str | None]:
    """Run the missing migrations; returns the revisions before and after."""
    with database.writing() as tx:
        if not database.is_sqlite:
            tx.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": UPGRADING})
            tx.execute(text("SET LOCAL statement_timeout = 0"))  # migrating long logs takes time
        before = revision(tx)
        config = _config()
        config.attributes["connection"] = tx
        command.upgrade(config, "head")
        return before, revision(tx)


def revision(tx: Connection) -> str | None:
    """Return the revision of a database, read without Alembic, which logs every call."""
    if not inspect(tx).has_table("alembic_version"):
        return None
    version_num: str | None = tx.scalar(text("SELECT version_num FROM alembic_version"))
    return version_num


@lru_cache
def latest() -> str | None:
    """Return the revision that this program needs."""
    return ScriptDirectory.from_config(_config()).get_current_head()
