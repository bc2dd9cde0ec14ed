"""Promise 28: a restored backup holds every acknowledged move, and every game in it replays."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import make_url

from store.database import Database
from tests.promises.support.database_checks import all_games, head_of
from tests.promises.support.web_server import Web, open_database, running_web
from tests.promises.support.writers import Ack, Writers, lost
from tests.support import servers
from tests.support.missing_programs import skip_or_fail

WRITERS, BEFORE = 4, 60
Copy = Callable[[Path, Path], None]


def _by_backup(file: Path, copy: Path) -> None:
    """Copy by the backup interface, as `.backup` does."""
    source, target = sqlite3.connect(file), sqlite3.connect(copy)
    source.backup(target, pages=16)
    source.close()
    target.close()


def _by_vacuum(file: Path, copy: Path) -> None:
    source = sqlite3.connect(file, timeout=10)
    source.execute("VACUUM INTO ?", (str(copy),))
    source.close()


def _by_cp(file: Path, copy: Path) -> None:
    """Copy the file only, which is wrong: the journal is missing."""
    shutil.copyfile(file, copy)


def _check_restored(database: Database, acked: list[Ack]) -> None:
    """Check that moves acknowledged before the backup are there, and that every game replays."""
    assert [] == lost(database, acked)
    games = all_games(database)
    assert {ack.game for ack in acked} <= set(games)
    for game in games:
        head_of(database, game)


def _copied(tmp_path: Path, copy: Copy) -> list[Ack]:
    """Copy a database while it is written; returns the moves acknowledged before."""
    file = tmp_path / "nightmail.db"
    with running_web(f"sqlite:///{file}") as web:
        writers = Writers(web, WRITERS)
        with writers.at_work():
            writers.go_on(BEFORE)
            acked = list(writers.acks)
            copy(file, tmp_path / "restored.db")
            writers.go_on(WRITERS)
    return acked


@pytest.mark.parametrize("copy", [_by_backup, _by_vacuum])
def test_backups_of_sqlite(copy: Copy, tmp_path: Path) -> None:
    """SQLite: copies by the backup interface and by VACUUM INTO, made under load, are complete."""
    acked = _copied(tmp_path, copy)
    with sqlite3.connect(tmp_path / "restored.db") as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    with open_database(f"sqlite:///{tmp_path}/restored.db") as database:
        _check_restored(database, acked)


def test_copied_file_is_noticed(tmp_path: Path) -> None:
    """Planted fault: a plain copy of the database file lacks acknowledged moves."""
    acked = _copied(tmp_path, _by_cp)
    with open_database(f"sqlite:///{tmp_path}/restored.db") as database:
        assert lost(database, acked)


def _tool(name: str) -> Path:
    """A program of the locked PostgreSQL, never the machine's."""
    program = servers.postgres_program()
    if program is None:
        skip_or_fail(f"no locked PostgreSQL for this platform, so no {name}")
    return program.path.with_name(name)


def _address(url: str) -> str:
    """The URL of a database for libpq."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _dump_and_restore(url: str, target: str, file: Path) -> None:
    dump: list[str | Path] = [
        _tool("pg_dump"),
        "--format=custom",
        f"--file={file}",
        f"--dbname={_address(url)}",
    ]
    subprocess.run(dump, check=True, capture_output=True)
    restore: list[str | Path] = [
        _tool("pg_restore"),
        "--no-owner",
        f"--dbname={_address(target)}",
        file,
    ]
    subprocess.run(restore, check=True, capture_output=True)


def test_backup_of_postgres(
    postgres_web: Web, postgres_cluster: servers.Cluster, tmp_path: Path
) -> None:
    """PostgreSQL: a dump made by pg_dump under load is complete when it is restored elsewhere."""
    writers = Writers(postgres_web, WRITERS)
    with writers.at_work():
        writers.go_on(BEFORE)
        acked = list(writers.acks)
        with postgres_cluster.fresh_database() as target:
            _dump_and_restore(postgres_web.url, target, tmp_path / "dump")
            writers.go_on(WRITERS)
            with open_database(target) as database:
                _check_restored(database, acked)
                late = [ack for ack in writers.acks if ack not in acked]
                assert lost(database, late)  # shows that the dump was made under load
