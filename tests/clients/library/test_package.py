"""The library as it would be published: built, installed where nothing else is, and played with."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Iterable, Iterator
from email import message_from_bytes
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from tests.clients.library.playing import token_of_newcomer
from tests.clients.running import Service

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "clients" / "python"
LEFT_BEHIND = shutil.ignore_patterns("*.egg-info", "__pycache__", "build", "dist")
BUILD = "import sys; from setuptools import build_meta as b; b.build_sdist(*sys.argv[1:])"
LONGEST_BOT = 15


def _ran(*words: str | Path, cwd: Path, **environ: str) -> str:
    done = subprocess.run(
        words,
        cwd=cwd,
        env={"PATH": os.defpath, "PIP_CONFIG_FILE": os.devnull, **environ},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return done.stdout


PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source package, and the wheel that is built from it alone."""
    folder = tmp_path_factory.mktemp("built")
    source = shutil.copytree(SOURCE, folder / "source", ignore=LEFT_BEHIND)
    _ran(sys.executable, "-c", BUILD, folder, cwd=source)
    [archive] = folder.glob("*.tar.gz")
    offline = ("--no-index", "--no-deps", "--no-build-isolation")
    _ran(*PIP, "wheel", *offline, "--wheel-dir", folder, archive, cwd=folder)
    return folder


def test_the_packages_are_complete(built: Path) -> None:
    """The wheel has the code, its types and the licence; the source package the changelog, too."""
    [wheel], [source] = built.glob("*.whl"), built.glob("*.tar.gz")
    names = ZipFile(wheel).namelist()
    with tarfile.open(source) as archive:
        sources = [name.partition("/")[2] for name in archive.getnames()]

    assert {"nightmail_client", wheel.name.removesuffix("-py3-none-any.whl") + ".dist-info"} == {
        name.partition("/")[0] for name in names
    }
    modules = {path.relative_to(SOURCE / "src").as_posix() for path in SOURCE.rglob("*.py")}
    assert modules <= {*names}
    assert "nightmail_client/py.typed" in names
    assert [True] == [name.endswith("licenses/LICENSE") for name in names if "LICENSE" in name]
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"} <= {*sources}


def _needed(requirements: Iterable[str]) -> Iterator[str]:
    """Yield the names of the distributions that are needed, directly or indirectly."""
    for line in requirements:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            yield requirement.name
            yield from _needed(distribution(requirement.name).requires or [])


def _copy(name: str, target: Path) -> None:
    """Install a locked distribution by copying its files."""
    installed = distribution(name)
    for file in installed.files or []:
        if ".." not in file.parts and "__pycache__" not in file.parts:
            path = target / file
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(installed.locate_file(file)), path)


@pytest.fixture(scope="module")
def python(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel, what its metadata names, and nothing else.

    What it names is copied from the locked environment, because tests have no package index.
    """
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    [site] = folder.glob("lib/python*/site-packages")
    [wheel] = built.glob("*.whl")
    with ZipFile(wheel) as archive:
        [metadata] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        required = message_from_bytes(archive.read(metadata)).get_all("Requires-Dist", [])
    for name in {*_needed(required)}:
        _copy(name, site)
    inside = (*PIP, "--python", python)
    _ran(*inside, "install", "--no-index", wheel, cwd=folder)
    _ran(*inside, "check", cwd=folder)
    lookup = "from importlib.util import find_spec; print(find_spec('engine'))"
    assert "None\n" == _ran(python, "-I", "-c", lookup, cwd=folder)
    return python


def test_the_bot_of_the_readme_plays_a_whole_game(
    python: Path, service: Service, tmp_path: Path
) -> None:
    """In an empty environment the bot, of at most 15 lines, plays to the end and verifies."""
    page = (SOURCE / "README.md").read_text(encoding="utf-8")
    bot = page.partition("## A bot")[2].partition("```python\n")[2].partition("```")[0]
    lines = [line for line in bot.splitlines() if line]
    assert len(lines) <= LONGEST_BOT
    (tmp_path / "bot.py").write_text(bot, encoding="utf-8")
    environ = {"NIGHTMAIL": service.url, "NIGHTMAIL_TOKEN": token_of_newcomer(service)}
    output = _ran(python, "-I", "bot.py", cwd=tmp_path, **environ)

    assert "Claim" in output
    assert re.fullmatch(r"\[[01](, 1)?\] [0-9a-f]{64}", output.splitlines()[-1])
