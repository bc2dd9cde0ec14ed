import importlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from api.schemas.action_schemas import components
from engine.kinds import ACTIONS
from service.games.log_files import checked, line_of_head
from tests.clients.running import Service
from tools import openapi

PACKAGE = "made_nightmail_client"
GENERATOR = Path(sys.executable).with_name("openapi-python-client")
SETTINGS = Path(__file__).with_name("generator.yaml")
BOUND = 3000

Generated = Any
"""Anything from the generated package, which the type checker does not know."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a package that openapi-python-client has generated from the document."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_text(openapi.written(), encoding="utf-8")
    words: list[str | Path] = [
        "--path",
        folder / "openapi.json",
        "--config",
        SETTINGS,
        "--meta",
        "none",
    ]
    result = subprocess.run(
        [GENERATOR, "generate", *words, "--output-path", folder / PACKAGE, "--fail-on-warning"],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={"PATH": f"{GENERATOR.parent}:{os.defpath}"},  # it calls ruff
    )
    assert 0 == result.returncode, result.stdout + result.stderr
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def part(name: str) -> ModuleType:
    """A module of the generated package."""
    return importlib.import_module(f"{PACKAGE}.{name}")


def client(service: Service, name: str) -> Generated:
    """A client with the token of a new account."""
    models, package = part("models"), importlib.import_module(PACKAGE)
    with package.Client(base_url=service.url, raise_on_unexpected_status=True) as nobody:
        account = part("api.accounts.create_account").sync(
            client=nobody, body=models.AccountRequest(name=name, kind=models.AccountRequestKind.BOT)
        )
    assert isinstance(account, models.NewAccount), account
    return package.AuthenticatedClient(
        base_url=service.url, token=account.token.token, raise_on_unexpected_status=True
    )


def answer(client: Generated, game: str, rng: random.Random) -> bool:
    """Answer the open decision of this game, if any, and check the classes of all objects."""
    models = part("models")
    every = models.ReadDecisionOptions.ALL
    decision = part("api.moves.read_decision").sync(game, client=client, options=every)
    if decision is None:
        return False
    assert isinstance(decision, models.Decision), decision
    for option in decision.options:
        spelled = "".join(word.title() for word in option.action.type_.split("_"))
        assert f"Action{spelled}" == type(option.action).__name__
    claims = [
        choice for choice in decision.options if isinstance(choice.action, models.ActionClaim)
    ]
    body = models.MoveRequest(action=rng.choice(claims or decision.options).action)
    moved = part("api.moves.make_move").sync(
        game, client=client, body=body, if_match=f'"{decision.version}"'
    )
    assert isinstance(moved, models.MoveReceipt), moved
    for seen in moved.events:
        spelled = "".join(word.title() for word in seen.event.type_.split("_"))
        assert f"Event{spelled}" == type(seen.event).__name__
        assert {} == seen.event.additional_properties
    return True


def opened(ada: Generated, ben: Generated) -> str:
    """Open a game of two players that has begun."""
    models = part("models")
    game = part("api.games.open_game").sync(
        client=ada, body=models.GameRequest(board="usa", seats=2)
    )
    assert isinstance(game, models.JoinedGame), game
    joined = part("api.games.take_seat").sync(game.id, client=ben, body=models.SeatRequest())
    assert isinstance(joined, models.JoinedGame), joined
    return str(game.id)


def test_a_generated_client_plays_a_whole_game(service: Service, made: Path) -> None:
    """Generated clients play both seats of a game, and the log that they read verifies."""
    del made
    models, rng = part("models"), random.Random(1)
    with client(service, "Ada L.") as ada, client(service, "Benjamin F.") as ben:
        game = opened(ada, ben)
        for _ in range(BOUND):
            if not any([answer(ada, game, rng), answer(ben, game, rng)]):
                break
        seen = part("api.games.read_game").sync(game, client=ben)
        log = part("api.games.read_log").sync(game, client=ada)
    report = checked(log.payload.read())
    assert models.GameStatus.FINISHED == seen.status
    assert len(report.log.lines) - 1 == line_of_head(report.log, seen.head)
    assert report.ended is not None
    assert seen.result.winners == list(report.ended.winners)


def test_refusals_are_decoded(service: Service, made: Path) -> None:
    """A refused call returns a problem with its code."""
    del made
    models = part("models")
    with client(service, "Ada B.") as ada:
        refused = part("api.games.read_game").sync("nowhere", client=ada)
    assert (models.Problem, "not_found") == (type(refused), refused.code)


def test_every_action_has_a_class(made: Path) -> None:
    """Every kind of action in the document has a generated class."""
    del made
    models = part("models")
    names = [name.removeprefix("Action") for name in components() if name.startswith("Action")]
    known = {name for name in dir(models) if name.startswith("Action")}
    missing = [
        name for name in names if name and not {f"Action{name}", f"Action{name}Type0"} & known
    ]
    assert ([], True) == (missing, len(names) > len(ACTIONS))
