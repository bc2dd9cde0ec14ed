import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.database import Database
from store.private_files import make_folder, tighten
from store.sqlite import files_of


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """The usual umask, with which other users can read new files."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> str:
    """The permissions of a file or folder."""
    return oct(path.stat().st_mode & 0o777)


def test_nobody_else_reads_a_database(tmp_path: Path) -> None:
    """A database, its journals and its new folder are accessible to the owner only."""
    url = f"sqlite:///{tmp_path}/new/nightmail.db"
    database = Database(url)
    with database.writing() as tx:
        tx.exec_driver_sql("CREATE TABLE t (n INTEGER)")
    modes = {path.name: mode(path) for path in files_of(url) if path.exists()}
    database.close()

    names = ("nightmail.db", "nightmail.db-wal", "nightmail.db-shm")
    assert dict.fromkeys(names, "0o600") == modes
    assert "0o700" == mode(tmp_path / "new")


def test_a_folder_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    """An existing folder keeps its permissions; the database in it is private."""
    place = tmp_path / "shared"
    place.mkdir(mode=0o755)
    Database(f"sqlite:///{place}/nightmail.db").close()
    make_folder(place)

    assert "0o755" == mode(place)
    assert "0o600" == mode(place / "nightmail.db")


def test_what_others_can_read_is_tightened_once(tmp_path: Path) -> None:
    """Files and folders lose others' permissions; links and missing paths are skipped."""
    loose, folder, link = tmp_path / "loose", tmp_path / "folder", tmp_path / "link"
    loose.touch()
    folder.mkdir()
    link.symlink_to(tmp_path)
    paths = [loose, folder, link, tmp_path / "none"]

    assert [loose, folder] == list(tighten(paths))
    assert ("0o600", "0o700") == (mode(loose), mode(folder))
    assert [] == list(tighten(paths))
