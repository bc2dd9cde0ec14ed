"""What the documentation promises is done as it says."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.settings import table
from tests.promises.calling import ask
from tests.promises.table import Web, running_web

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHORT = 40


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """The service as a newcomer starts it: one process that does everything."""
    folder = tmp_path_factory.mktemp("docs")
    with running_web(f"sqlite:///{folder}/nightmail.db", "serve") as started:
        yield started


def test_every_setting_is_documented() -> None:
    """The table of docs/operating.md names each setting with its meaning, and no other."""
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| .* \| (.*) \|$", page, re.MULTILINE))

    assert {name: meaning for name, _, meaning in table()} == rows


def test_the_tour_of_the_readme_works(web: Web, tmp_path: Path) -> None:
    """Pasted line by line, it makes an account, opens a game and plays in it."""
    if shutil.which("curl") is None:
        pytest.skip("the tour is for curl, which this machine does not have")
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    tour = page.partition("## A tour in five minutes")[2].partition("\n## ")[0]
    script = "\n".join(said for kind, said in BLOCK.findall(tour) if kind == "sh")
    script = script.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{web.port}")
    script = re.sub(r"^curl ", r"echo; curl ", script, flags=re.MULTILINE)
    done = subprocess.run(
        ["/bin/bash", "-eu", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    asked, kept, drawn, seen, happened = (
        json.loads(line) for line in done.stdout.splitlines() if line
    )

    assert "options" in asked
    assert 1 == len([e for e in kept["events"] if e["event"]["type"] == "opening_tickets_chosen"])
    assert "events" in drawn or "not_awaited" == drawn["code"]
    assert seen["id"] == asked["game"]
    assert happened["events"][0]["sentence"]


def test_the_bot_of_the_guide_plays_a_whole_game(web: Web, tmp_path: Path) -> None:
    """It is short, it only speaks HTTP, and it plays a game against three house bots to its end."""
    page = (ROOT / "docs" / "api-guide.md").read_text(encoding="utf-8")
    (bot,) = (said for kind, said in BLOCK.findall(page) if kind == "python")
    assert len(bot.splitlines()) < SHORT
    assert {"json, os, random, time, urllib.error, urllib.request"} == set(
        re.findall(r"^import (.*)$", bot, re.MULTILINE)
    )
    (tmp_path / "bot.py").write_text(bot, encoding="utf-8")
    made = web_account(web, "The bot of the guide")
    environ = {**os.environ, "NIGHTMAIL": f"http://127.0.0.1:{web.port}"}
    done = subprocess.run(
        [sys.executable, "bot.py"],
        cwd=tmp_path,
        env={**environ, "NIGHTMAIL_TOKEN": made, "GAMES": "1", "HOUSE": "hard"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert "" == done.stderr
    assert "claims" in done.stdout
    assert re.fullmatch(r"USA \[[0-3](, [0-3])*\]", done.stdout.splitlines()[-1])


def web_account(web: Web, name: str) -> str:
    """A token of a new account."""
    said = ask(web, "POST", "/v1/accounts", {"name": name, "kind": "bot"})
    token: str = json.loads(said.body)["token"]["token"]
    return token
