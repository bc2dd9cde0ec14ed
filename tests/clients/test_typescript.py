import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.games.log_files import checked
from tests.clients.running import Player, Service
from tools import openapi

HERE = Path(__file__).parent
NODE = Path(sys.executable).with_name("node")
MODULES = Path(sys.prefix) / "node" / "node_modules"
STRICT = [
    *("--strict", "--noEmit", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"),
    *("--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"),
    *("--allowImportingTsExtensions", "--pretty", "false"),
]


def node(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a program with node, without our environment."""
    return subprocess.run(
        [NODE, *words],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={"PATH": os.defpath},
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with types generated from the document and clients that use them."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "openapi.json").write_text(openapi.written(), encoding="utf-8")
    maker = MODULES / "openapi-typescript" / "bin" / "cli.js"
    made = node(maker, folder / "openapi.json", "--output", folder / "types.ts")
    assert 0 == made.returncode, made.stdout + made.stderr
    (folder / "node.d.ts").write_text("declare const process: { argv: [string, string, string] };")
    for name in ("player.ts", "mistake.ts"):
        (folder / name).write_bytes((HERE / name).read_bytes())
    return folder


def compiled(project: Path, name: str) -> "subprocess.CompletedProcess[str]":
    """Compile this file and return the output of the compiler."""
    tsc = MODULES / "typescript" / "bin" / "tsc"
    return node(tsc, *STRICT, project / "node.d.ts", project / name)


def test_a_client_compiles_against_the_types_of_the_document(project: Path) -> None:
    """A player that distinguishes every kind of action compiles with the strictest options."""
    result = compiled(project, "player.ts")
    assert (0, "") == (result.returncode, result.stdout)


def test_the_types_catch_mistakes(project: Path) -> None:
    """The compiler finds every marked mistake about an action, a body or a response."""
    result = compiled(project, "mistake.ts")
    lines = (HERE / "mistake.ts").read_text(encoding="utf-8").splitlines()
    expected = [number for number, line in enumerate(lines, 1) if line.endswith("// mistake")]
    numbers = [int(line) for line in re.findall(r"mistake\.ts\((\d+),", result.stdout)]
    assert (expected, True) == (numbers, result.returncode != 0), result.stdout


def test_the_compiled_client_plays_a_whole_game(service: Service, project: Path) -> None:
    """The same player, run by node, finishes a game against the house, and the log verifies."""
    with Player(service, "Anders H.") as player:
        body = {"board": "europe", "seats": 2, "bots": {"easy": 1}}
        game = player.call("POST /v1/games", body).json()["id"]
        result = node(project / "player.ts", service.url, player.token, game)
        assert 0 == result.returncode, result.stderr
        report = checked(player.call(f"GET /v1/games/{game}/log").content)
    mine = [move for move in report.log.moves if move.source == "api"]
    assert f"moves: {len(mine)}" == result.stdout.splitlines()[-1]
