"""The bots in other languages and with the library, each against a running service."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import requests
from standardwebhooks import Webhook

from tests.clients.generating import BIN
from tests.clients.running import Player, Service, running
from tests.support.child_servers import free_port
from tests.support.go import built_by_go
from tests.support.waiting import until
from tools.browser import NODE

BOTS = Path(__file__).parents[2] / "examples" / "bots"
PATIENCE = 240.0
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105  # the example of the page


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A running service."""
    with running() as started:
        yield started


@pytest.fixture
def owner(service: Service, request: pytest.FixtureRequest) -> Iterator[Player]:
    """The account of a bot."""
    name = request.node.name.removeprefix("test_the_").replace("_", " ")[:20]
    with Player(service, name) as player:
        yield player


def _ran(*words: str | Path, **environ: str) -> str:
    """Run a program without our environment, and return its output."""
    done = subprocess.run(
        words,
        env={"PATH": f"{BIN}:{os.defpath}", **environ},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (0, "") == (done.returncode, done.stderr), done.stdout
    return done.stdout


def _identity(owner: Player) -> dict[str, str]:
    return {"NIGHTMAIL": owner.base, "NIGHTMAIL_TOKEN": owner.token, "GAMES": "1"}


def _finished(owner: Player) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = owner.call("GET /v1/games?mine=true&status=finished").json()[
        "games"
    ]
    return games


def test_the_library_bot_plays_by_the_stream(owner: Player) -> None:
    """The bot opens a game, answers what the stream brings, and verifies the log in the end."""
    output = _ran(sys.executable, BOTS / "library_bot.py", **_identity(owner))

    assert "claims" in output
    assert re.fullmatch(r"USA \[[01](, 1)?\] \d+", output.splitlines()[-1])
    assert 1 == len(_finished(owner))


@pytest.fixture(scope="module")
def poll_bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot in Go, compiled by the locked Go without a network."""
    return built_by_go(tmp_path_factory.mktemp("go"), BOTS / "poll_bot.go")


def test_the_bot_in_go_polls(owner: Player, poll_bot: Path) -> None:
    """The bot opens a game and answers every decision, until no game is running."""
    output = _ran(poll_bot, **_identity(owner))

    assert "claims" in output
    assert 1 == len(_finished(owner))


@contextmanager
def _listening(secret: str, port: int) -> Iterator[str]:
    """Start the bot in JavaScript, and yield its URL."""
    bot = subprocess.Popen(
        [NODE, BOTS / "hook_bot.mjs"],
        env={"PATH": f"{BIN}:{os.defpath}", "PORT": str(port), "NIGHTMAIL_SECRET": secret},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert bot.stdout is not None
        yield bot.stdout.readline().strip()
    finally:
        bot.kill()
        bot.communicate()


def _deliveries(owner: Player, hook: str) -> list[dict[str, Any]]:
    """Return the latest deliveries of a webhook."""
    deliveries: list[dict[str, Any]] = owner.call(
        f"GET /v1/me/webhooks/{hook}/deliveries?limit=100"
    ).json()["deliveries"]
    return deliveries


def _states(owner: Player, hook: str) -> list[str]:
    """Return the states of the latest deliveries; there may be none yet about the end."""
    deliveries = _deliveries(owner, hook)
    ended = any(delivery["type"] == "game.finished" for delivery in deliveries)
    return [delivery["state"] for delivery in deliveries] if ended else ["waiting"]


def test_the_bot_in_javascript_answers_hooks(owner: Player) -> None:
    """The bot verifies each message, and answers until the game is over; none is refused."""
    port = free_port()
    body = {"url": f"http://127.0.0.1:{port}/", "types": ["decision.opened", "game.finished"]}
    hook = owner.call("POST /v1/me/webhooks", body).json()
    with _listening(hook["secret"], port) as url:
        assert hook["url"] == url
        owner.call("POST /v1/games", {"board": "usa", "seats": 2, "bots": {"easy": 1}})
        until(lambda: bool(_finished(owner)), "the game to end", PATIENCE)
        until(lambda: "waiting" not in _states(owner, hook["id"]), "the last message", PATIENCE)
    deliveries = _deliveries(owner, hook["id"])

    assert {None} == {delivery["error"] for delivery in deliveries}
    assert len(deliveries) > 20


MESSAGE = '{"type": "webhook.ping"}'
NOW, LONG_AGO = timedelta(), timedelta(minutes=6)


@pytest.fixture(scope="module")
def hook_bot() -> Iterator[str]:
    """The bot in JavaScript, with the secret of the page."""
    with _listening(SECRET, free_port()) as url:
        yield url


@pytest.mark.parametrize(
    ("status", "secret", "age", "body"),
    [
        (204, SECRET, NOW, MESSAGE),
        (401, SECRET.lower(), NOW, MESSAGE),
        (401, SECRET, LONG_AGO, MESSAGE),
        (401, SECRET, NOW, MESSAGE + " "),
    ],
    ids=["genuine", "another secret", "old", "changed"],
)
def test_the_bot_in_javascript_verifies(
    hook_bot: str, status: int, secret: str, age: timedelta, body: str
) -> None:
    """Only a message that Nightmail has signed with the secret, and lately, is answered."""
    time = datetime.now(UTC) - age
    headers = {
        "webhook-id": "m1",
        "webhook-timestamp": str(int(time.timestamp())),
        "webhook-signature": Webhook(secret).sign("m1", time, MESSAGE),
    }

    assert status == requests.post(hook_bot, body, headers=headers, timeout=30).status_code


@pytest.mark.parametrize(
    "headers",
    [{}, {"webhook-id": "m1", "webhook-timestamp": "soon", "webhook-signature": "v2,"}],
    ids=["unsigned", "nonsense"],
)
def test_the_bot_in_javascript_refuses_strangers(hook_bot: str, headers: dict[str, str]) -> None:
    """A message without a signature gets 401."""
    assert 401 == requests.post(hook_bot, MESSAGE, headers=headers, timeout=30).status_code
