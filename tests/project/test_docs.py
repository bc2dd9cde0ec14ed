"""The documentation agrees with the code, and its examples work."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.settings import table
from tests.promises.support.http_calls import ask
from tests.promises.support.web_server import Web, running_web

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The service as `nightmail serve` runs it: one process that does everything."""
    folder = tmp_path_factory.mktemp("docs")
    with running_web(f"sqlite:///{folder}/nightmail.db", "serve") as started:
        yield started


def test_every_setting_is_documented() -> None:
    """The table of docs/operating.md names each setting with its meaning, and no other."""
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| .* \| (.*) \|$", page, re.MULTILINE))

    assert {name: meaning for name, _, meaning in table()} == rows


def test_the_tour_of_the_readme_works(web: Web, tmp_path: Path) -> None:
    """The commands of the tour create an account, open a game and play in it.

    They call a curl of our own, because not every machine has one.
    """
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    tour = page.partition("## A tour in five minutes")[2].partition("\n## ")[0]
    script = "\n".join(text for kind, text in BLOCK.findall(tour) if kind == "sh")
    script = script.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{web.port}")
    script = re.sub(r"^curl ", r"echo; curl ", script, flags=re.MULTILINE)
    stand_in = shlex.join([sys.executable, str(ROOT / "tests" / "support" / "curl.py")])
    curl = f'curl() {{ {stand_in} "$@"; }}'
    done = subprocess.run(
        ["/bin/sh", "-eu", "-c", f"{curl}\n{script}"],
        cwd=tmp_path,
        env={"PATH": os.defpath, "RANDOM": "7"},  # some shells do not set it
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    decision, kept, drawn, seen, happened = (
        json.loads(line) for line in done.stdout.splitlines() if line
    )

    assert "menu" in decision
    assert 1 == len([e for e in kept["events"] if e["event"]["type"] == "opening_tickets_chosen"])
    assert "events" in drawn or "not_awaited" == drawn["code"]
    assert seen["id"] == decision["game"]
    assert happened["events"][0]["sentence"]


def test_the_recipes_work(web: Web, tmp_path: Path) -> None:
    """The recipes for clients do what they say, one after the other in one shell."""
    page = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    script = "\n".join(text for kind, text in BLOCK.findall(page) if kind == "sh")
    script = script.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{web.port}")
    script = re.sub(r"^curl ", r"echo; curl ", script, flags=re.MULTILINE)
    stand_in = shlex.join([sys.executable, str(ROOT / "tests" / "support" / "curl.py")])
    made = ask(web, "POST", "/v1/accounts", {"name": "Recipes"}).json
    done = subprocess.run(
        ["/bin/sh", "-eu", "-c", f'curl() {{ {stand_in} "$@"; }}\n{script}'],
        cwd=tmp_path,
        env={"PATH": os.defpath, "NIGHTMAIL_TOKEN": made["token"]["token"]},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line]
    waited, repeated, stale, happened, invited, token, failed = lines

    assert waited["decisions"][0]["game"] == repeated["game"]
    assert "illegal" == json.loads((tmp_path / "refused.json").read_text())["code"]
    assert json.loads((tmp_path / "made.json").read_text())["move"] == repeated["move"]
    assert "idempotent-replayed: true" in (tmp_path / "headers.txt").read_text().lower()
    assert ("stale", "read", "not_found") == (stale["code"], *token["scopes"], failed["code"])
    assert happened["events"][0]["sentence"]
    assert "ben@example.org" in json.dumps(invited)


@pytest.mark.parametrize("room", ["service", "api", "workers", "bench", "tests"])
def test_every_folder_is_in_the_architecture(room: str) -> None:
    """The architecture page lists every folder of a package."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    listed = page.partition("## The folders")[2].partition("\n## ")[0]
    folders = {file.parent.name for file in (ROOT / room).rglob("*/__init__.py")}

    assert folders
    assert [] == [name for name in sorted(folders) if not re.search(rf"[`/]{name}/`", listed)]
