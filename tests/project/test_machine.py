"""Tests use only locked programs and data, whatever the machine has installed or set."""

import os
import re
import shutil
import subprocess
import sys
import zoneinfo
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser

from tests.clients.test_typescript import node
from tests.support import machine, servers
from tests.support.missing_programs import skip_or_fail
from tools import browser as locked_browser

ROOT = Path(__file__).parents[2]
ALLOWED = ("sh", "env", "cat", "cp", "mkdir", "rm", "sed", "touch", "uname", "git", "make")
DECOYS = (
    *("postgres", "initdb", "pg_dump", "pg_restore", "psql", "redis-server", "valkey-server"),
    *("chromium", "chromium-browser", "google-chrome", "node", "npm", "npx", "apt-get", "curl"),
    *("gcc", "cc", "fc-list", "fc-match", "locale"),
)
SYSTEM_LIBRARIES = re.compile(
    r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|nss_\w+|gcc_s|stdc\+\+|z))(-[\d.]+)?\.so[\d.]*"
)
"""The C and C++ libraries and zlib, which Python, make and git need as well."""
PRODUCTION = "postgresql://owner@127.0.0.1:1/production"
SETTINGS = {
    "DATABASE_URL": PRODUCTION,
    "HTTP_PROXY": "http://127.0.0.1:1",
    "LC_ALL": "tr_TR.UTF-8",
    "NODE_OPTIONS": "--no-such-option",
    "PGSSLMODE": "verify-full",
    "TZ": "Asia/Kathmandu",
}
"""Environment variables of a machine that would mislead the tests."""


@pytest.fixture(autouse=True)
def _linux() -> None:
    """Skip elsewhere: only Linux lists the files that a process has loaded, and has the browser."""
    if reason := locked_browser.missing():
        skip_or_fail(reason)


def _libraries(process: psutil.Process, *homes: Path) -> set[str]:
    """The libraries that a process has loaded from outside of these folders."""
    paths = (Path(mapped.path) for mapped in process.memory_maps())
    outside = {path for path in paths if not any(map(path.is_relative_to, homes))}
    return {path.name for path in outside if ".so" in path.name}


def _is_locked(pid: int, *homes: Path) -> None:
    process = psutil.Process(pid)
    locks = (Path(sys.prefix).resolve(), *homes)

    assert any(map(Path(process.exe()).is_relative_to, locks)), process.exe()
    assert [] == [
        name for name in _libraries(process, *locks) if not SYSTEM_LIBRARIES.fullmatch(name)
    ]


def test_browser_is_locked(browser: Browser) -> None:
    """The browser and its driver are the locked ones, with all libraries but those of C."""
    children = psutil.Process().children()
    [driver] = [child for child in children if "run-driver" in child.cmdline()]
    [chromium] = driver.children()

    assert browser.is_connected()
    assert locked_browser.NODE.resolve() == Path(driver.exe())
    assert locked_browser.PROGRAM.resolve() == Path(chromium.exe())
    for process in (driver, chromium):
        _is_locked(process.pid)


def test_postgres_is_locked(killable_postgres: servers.Postgres) -> None:
    """PostgreSQL is the locked one, with all libraries but those of C."""
    assert killable_postgres.process is not None
    _is_locked(killable_postgres.process.pid, killable_postgres.home)


def test_redis_is_locked() -> None:
    """The Redis server is the locked one, with all libraries but those of C."""
    with servers.own_redis() as server:
        assert server.process is not None
        _is_locked(server.process.pid, server.home)


def test_node_is_locked() -> None:
    """The Node that runs the TypeScript client is the locked one."""
    path = Path(node("--print", "process.execPath").stdout.strip())

    assert path.is_relative_to(Path(sys.prefix).resolve())


def test_time_zones_are_locked() -> None:
    """No time zones of the machine are used, and the local time zone is UTC."""
    assert () == zoneinfo.TZPATH
    assert ("", "UTC") == (os.environ["PYTHONTZPATH"], os.environ["TZ"])
    assert "Europe/Berlin" == zoneinfo.ZoneInfo("Europe/Berlin").key


def test_variables_of_the_machine_are_removed() -> None:
    """Settings, proxies, the locale and libpq's variables are removed; a given server is kept."""
    kept = {"PATH": "/bin", "HOME": "/home/me", "CI": "true", servers.REDIS_URL: "redis://here"}
    environ = {**SETTINGS, "https_proxy": "http://127.0.0.1:1", "LANGUAGE": "tr", **kept}

    machine.clean(environ)
    assert kept | machine.FIXED == environ


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """A PATH with few programs, and with decoys that fail the test if they are run."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ALLOWED:
        if path := shutil.which(name):
            (folder / name).symlink_to(path)
    (folder / "python3").symlink_to(sys.executable)
    for name in DECOYS:
        (folder / name).write_text(f"#!/bin/sh\necho {name} >>{tmp_path}/ran\nexit 1\n")
        (folder / name).chmod(0o755)
    yield folder
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


def test_a_machine_that_leads_astray(path: Path, tmp_path: Path) -> None:
    """The tests above pass with decoys in PATH and misleading variables, and run no decoy.

    So do a test of each server and the tests of the documentation.
    """
    home = tmp_path / "home"
    home.mkdir()
    chosen = [
        *("tests/project/test_machine.py", "--deselect=tests/project/test_machine.py::" + _HERE),
        "tests/project/test_servers.py::test_postgres_answers",
        "tests/project/test_servers.py::test_redis_answers",
        "tests/project/test_docs.py",
    ]
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *quiet, *chosen],
        cwd=ROOT,
        env={**SETTINGS, "PATH": str(path), "HOME": str(home), "CI": "true"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    assert " skipped" not in done.stdout


_HERE = test_a_machine_that_leads_astray.__name__
