import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("engine", "bots", "pictures", "store", "service", "api", "workers", "cli")
WORKSHOPS = ("tools", "bench", "examples", "clients")
GENERATED = ("clients/python/src/nightmail_client/models.py",)
IMPURE = {"random", "secrets", "time", "datetime", "os", "pathlib", "io", "socket", "uuid"}


def _sources(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", _sources("engine", "bots"), ids=_name)
def test_engine_and_bots_are_pure(path: Path) -> None:
    """Engine and bots import only themselves and pure parts of the standard library."""
    imported = {name.partition(".")[0] for name in _imported(path)}
    own = {"engine"} if path.is_relative_to(ROOT / "engine") else {"engine", "bots"}

    assert set() == imported - sys.stdlib_module_names - own
    assert set() == imported & IMPURE


@pytest.mark.parametrize("path", _sources("engine", "bots"), ids=_name)
def test_engine_and_bots_open_nothing(path: Path) -> None:
    """Engine and bots call neither open, print nor input, nor do they run code from text."""
    names = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }

    assert set() == names & {"open", "print", "input", "eval", "exec", "__import__"}


@pytest.mark.parametrize("path", sorted((ROOT / "engine").glob("[!_]*.py")), ids=_name)
def test_frame_knows_no_rule(path: Path) -> None:
    """No module of the engine's frame imports a rule module; only `engine/__init__.py` may."""
    assert [] == [name for name in _imported(path) if f"{name}.".startswith("engine.rules.")]


def test_every_room_is_looked_at() -> None:
    """Every top-level package is listed in `ROOMS` or `WORKSHOPS`, or is `tests`."""
    packages = {path.parent.name for path in ROOT.glob("[!.]*/__init__.py")}

    assert packages <= {*ROOMS, *WORKSHOPS, "tests"}
    assert packages >= {*ROOMS, "tools", "bench"}


def test_no_class_is_for_tests_alone() -> None:
    """Every class in `ROOMS` is named there at least once more."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in _sources(*ROOMS))
    named = Counter(re.findall(r"\w+", text))
    classes = re.findall(r"^class (\w+)", text, re.MULTILINE)
    unused = [name for name in classes if named[name] == 1]

    assert [] == unused


def _per_folder(paths: list[Path]) -> Counter[str]:
    return Counter(path.parent.relative_to(ROOT).as_posix() for path in paths)


@pytest.mark.parametrize("path", _sources(*ROOMS, *WORKSHOPS), ids=_name)
def test_files_are_short(path: Path) -> None:
    """No source file has more than 400 lines, unless it is generated."""
    if _name(path) in GENERATED:
        return
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_folders_are_small() -> None:
    """Above the engine no folder has more than 22 modules, so that its listing can be read."""
    above = [room for room in ROOMS if room != "engine"]
    modules = [path for path in _sources(*above, *WORKSHOPS) if path.name != "__init__.py"]
    crowded = {folder: count for folder, count in _per_folder(modules).items() if count > 22}

    assert {} == crowded


@pytest.mark.parametrize("path", sorted((ROOT / "requirements").iterdir()), ids=_name)
def test_requirements_name_no_place(path: Path) -> None:
    """A requirement file names versions and hashes, and no host, path or index."""
    text = path.read_text(encoding="utf-8")

    assert "://" not in text
    assert [] == re.findall(r"^\s*-(?!-hash=sha256:).*", text, re.MULTILINE)
    assert [] == re.findall(r"^(?!\s*#).*[/@].*", text, re.MULTILINE)


@pytest.mark.parametrize("name", ["run.lock", "dev.lock"])
def test_locks_are_hashed(name: str) -> None:
    """Every locked version comes with a hash."""
    entries = re.split(r"\n(?=\S)", (ROOT / "requirements" / name).read_text(encoding="utf-8"))

    assert [] == [entry for entry in entries if "--hash=sha256:" not in entry]
