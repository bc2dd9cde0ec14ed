import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.amounts import amount
from tests.clients import fuzzing
from tests.clients.documents import document, operations
from tests.clients.running import Player, Service

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = amount(6, soak=16)
"""Examples for each operation, beside those of the coverage phase, which are always the same."""
TOOL = Path(sys.executable).with_name("schemathesis")
SETTINGS = """\
seed = 20261117
continue-on-failure = true

[generation]
mode = "all"
allow-x00 = true
database = "none"
no-shrink = true

[phases.fuzzing.generation]
max-examples = {examples}

[phases.stateful.generation]
max-examples = {examples}

[parameters]
"path.game" = {{ dictionary = "games", probability = 0.7 }}
"path.board" = {{ dictionary = "boards", probability = 0.7 }}

[dictionaries]
games = {{ values = {games} }}
boards = {{ values = ["usa", "europe", "uk"] }}
"""


def tables(host: Player, guest: Player) -> list[str]:
    """Open games in several states: open, private, running and abandoned."""
    ids = []
    for more, joins in [
        ({}, False),
        ({"visibility": "private", "bots": {"easy": 1}}, False),
        ({}, True),
        ({}, True),
    ]:
        body = {"board": "europe", "seats": 2, **more}
        ids.append(str(host.call("POST /v1/games", body).json()["id"]))
        if joins:
            guest.call(f"POST /v1/games/{ids[-1]}/seats")
    for player in (host, guest):
        player.call(f"DELETE /v1/games/{ids[-1]}/seats/mine")
    return ids


def fuzzed(service: Service, fuzzer: Player, folder: Path) -> tuple[Any, str]:
    """Run schemathesis, and return its report and its output."""
    words: list[str | Path] = [
        "--checks",
        "all",
        "--report-json-path",
        folder / "report.json",
        "--no-color",
    ]
    result = subprocess.run(
        [TOOL, "run", f"{service.url}/openapi.json", *words],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=folder,
        env={
            "PATH": os.defpath,
            "PYTHONPATH": str(ROOT),
            "SCHEMATHESIS_HOOKS": fuzzing.__name__,
            fuzzing.URL: service.url,
            fuzzing.TOKEN: fuzzer.token,
            fuzzing.TOKEN_ID: fuzzer.token_id,
        },
    )
    text = result.stdout + result.stderr
    assert (folder / "report.json").is_file(), text
    return json.loads((folder / "report.json").read_text(encoding="utf-8")), text


@pytest.mark.long
def test_no_request_brings_an_answer_that_is_not_documented(
    service: Service, tmp_path: Path
) -> None:
    """Schemathesis finds no undocumented response, with valid and invalid data in all phases."""
    with Player(service, "Fuzzer") as fuzzer, Player(service, "Stranger") as stranger:
        games = [*tables(fuzzer, stranger), *tables(stranger, fuzzer)]
        (tmp_path / "schemathesis.toml").write_text(SETTINGS.format(games=games, examples=EXAMPLES))
        report, text = fuzzed(service, fuzzer, tmp_path)
        fuzzer.call("GET /v1/me")  # the token still works, so the calls were authenticated
    assert ([], [], 0) == (report["failures"], report["errors"], report["exit_code"]), text
    assert len(list(operations(document()))) == report["operations"]["tested"]
    phases = ("examples", "coverage", "fuzzing", "stateful")
    assert dict.fromkeys(phases, "success") == {
        name: phase["status"] for name, phase in report["phases"].items()
    }
    assert report["test_cases"]["generated"] > 1500


def test_what_is_forgiven_exists() -> None:
    """Every place where a fitting value may be refused exists in the document."""
    made = document()
    described = {operation["operationId"]: operation for _, _, operation in operations(made)}
    for name, place in fuzzing.UNSAYABLE:
        text = json.dumps([described[name], made["components"]])
        assert [] == [word for word in place.split(".") if word and f'"{word}"' not in text]
