"""The TypeScript clients of @hey-api/openapi-ts and openapi-generator."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from service.games.log_files import checked
from tests.clients.generating import MODULES, NODE, TSC, by_openapi_generator, ran, written
from tests.clients.running import Player, Service

HERE = Path(__file__).parent
STRICT = [
    *("--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable"),
    *("--noFallthroughCasesInSwitch", "--pretty", "false"),
]
PROCESS = "declare const process: { argv: [string, string, ...[string, string, string]] };"
MISTAKES = """\
import type { Decision, MoveRequest, Payment } from "./made";
export const right: MoveRequest = { action: { type: "draw_face_up", slot: 1 } };
export const unknown: MoveRequest = { action: { type: "fly" } }; // mistake
export const incomplete: MoveRequest = { action: { type: "claim", route: "x" } }; // mistake
export const mixed: Payment = { red: 1, dice: [1], pink: 1 }; // mistake
export const kind = (asked: Decision): number => asked.kind; // mistake
"""


def by_hey_api(folder: Path) -> None:
    """Let @hey-api/openapi-ts make a client."""
    maker = MODULES / "@hey-api" / "openapi-ts" / "bin" / "run.js"
    made = ran(NODE, maker, "--input", written(folder), "--output", folder / "made", "--silent")
    assert 0 == made.returncode, made.stdout + made.stderr


def by_typescript_fetch(folder: Path) -> None:
    """Let openapi-generator make a client for fetch."""
    (folder / "made").mkdir()
    by_openapi_generator(folder / "made", "typescript-fetch", stringEnums="false")


CLIENTS: dict[str, Callable[[Path], None]] = {
    "hey_api_player": by_hey_api,
    "fetch_player": by_typescript_fetch,
}


@pytest.fixture(scope="session", params=CLIENTS)
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a generated client, and the path of a player that uses it."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "package.json").write_text("{}")
    (folder / "process.d.ts").write_text(PROCESS)
    (folder / "mistakes.ts").write_text(MISTAKES)
    CLIENTS[request.param](folder)
    player = folder / f"{request.param}.ts"
    player.write_bytes((HERE / player.name).read_bytes())
    return player


def compiled(file: Path) -> str:
    """Compile this file, and everything that was generated, and return what the compiler says."""
    made = (file.parent / "made").rglob("*.ts")
    process = ran(NODE, TSC, *STRICT, file.parent / "process.d.ts", file, *made)
    return process.stdout + process.stderr


def test_the_client_compiles_and_plays_a_whole_game(service: Service, project: Path) -> None:
    """A player compiles strictly and finishes a game against the house, and the log verifies."""
    assert "" == compiled(project)
    with Player(service, f"TypeScript {project.stem}") as player:
        body = {"board": "europe", "seats": 2, "bots": {"easy": 1}}
        game = player.call("POST /v1/games", body).json()["id"]
        process = ran(NODE, project.with_suffix(".js"), service.url, player.token, game)
        assert (0, "") == (process.returncode, process.stderr)
        replay = checked(player.call(f"GET /v1/games/{game}/log").content)
    mine = [move for move in replay.log.moves if move.source == "api"]
    assert ["paid: true", f"moves: {len(mine)}"] == process.stdout.splitlines()


def test_its_types_catch_mistakes(project: Path) -> None:
    """The compiler finds every marked mistake about an action, a payment or a decision."""
    lines = MISTAKES.splitlines()
    expected = [number for number, line in enumerate(lines, 1) if line.endswith("// mistake")]
    output = compiled(project.with_name("mistakes.ts"))
    assert expected == [int(line) for line in re.findall(r"mistakes\.ts\((\d+),", output)], output
