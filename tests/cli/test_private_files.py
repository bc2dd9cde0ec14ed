import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.cli.test_serve import serving
from tests.support.waiting import until

KIND = {"Content-Type": "application/json"}


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """The usual umask, with which other users can read new files."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """The permissions of a folder and of everything in it."""
    paths = [folder, *folder.rglob("*")]
    return {str(path.relative_to(folder)): stat.filemode(path.stat().st_mode) for path in paths}


def test_nobody_else_reads_what_a_service_keeps(tmp_path: Path) -> None:
    """Only the owner can access what `nightmail serve` makes: database, journal, key, letters."""
    data = tmp_path / "data"
    with serving(tmp_path) as served:
        served.ask("/v1/accounts", '{"name": "Ada", "email": "ada@example.org"}', **KIND)
        until(lambda: any(data.glob("mail/*.eml")), "a letter in the folder")
        by_name = modes(data)

    assert {".", "mail", "secret.key", "nightmail.db", "nightmail.db-wal"} <= by_name.keys()
    assert {"drwx------", "-rw-------"} == set(by_name.values()), by_name


def test_what_an_earlier_version_made_is_tightened(tmp_path: Path) -> None:
    """A service that finds readable files removes others' permissions, and logs each file."""
    data = tmp_path / "data"
    with serving(tmp_path) as served:
        served.ask("/v1/accounts", '{"name": "Ada", "email": "ada@example.org"}', **KIND)
        until(lambda: any(data.glob("mail/*.eml")), "a letter in the folder")
    for path in [data, *data.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    before = modes(data)
    with serving(tmp_path) as served:
        by_name = modes(data)
        output = served.out.read_text() + served.err.read_text()

    assert {"drwxr-xr-x", "-rw-r--r--"} == set(before.values())
    assert {"drwx------", "-rw-------"} == set(by_name.values()), by_name
    assert len(before) == output.count("other users can no longer read this file")


def test_a_database_elsewhere_is_private_in_a_shared_folder(tmp_path: Path) -> None:
    """The database file of DATABASE_URL becomes private; its folder keeps its permissions."""
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    (shared / "games.db").touch(mode=0o644)
    with serving(tmp_path, DATABASE_URL=f"sqlite:///{shared}/games.db"):
        by_name = modes(shared)

    assert "drwxr-xr-x" == by_name.pop(".")
    assert {"-rw-------"} == set(by_name.values()), by_name


def test_an_upgrade_tightens_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`nightmail db upgrade` makes the data folder and its files private."""
    data = tmp_path / "data"
    data.mkdir(mode=0o755)
    monkeypatch.setenv("DATA_DIR", str(data))

    assert 0 == run("db", "upgrade").exit_code
    assert {"drwx------", "-rw-------"} == set(modes(data).values())
