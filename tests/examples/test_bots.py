"""The bots of examples/bots, each against the service as an operator starts it."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.promises.support.http_calls import Json, ask
from tests.promises.support.web_server import Web, open_database
from tests.support.child_servers import free_port
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "examples" / "bots"
SHORT = 45
PATIENCE = 120.0


class Serve(Web):
    """`nightmail serve`, which also sends webhooks."""

    def __init__(self, url: str, **environ: str) -> None:
        super().__init__(url, INBOX_BIND=f"127.0.0.1:{free_port()}", **environ)
        self.command = "serve"


@contextmanager
def _started(folder: Path, **environ: str) -> Iterator[Serve]:
    url = f"sqlite:///{folder}/nightmail.db"
    with open_database(url):
        pass
    started = Serve(url, **environ)
    try:
        started.start()
        yield started
    finally:
        started.close()


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A running service."""
    with _started(tmp_path_factory.mktemp("bots")) as started:
        yield started


class Owner:
    """The account of a bot."""

    def __init__(self, serve: Serve, name: str) -> None:
        self._serve = serve
        made = ask(serve, "POST", "/v1/accounts", {"name": name, "kind": "bot"}).json
        self.token: str = made["token"]["token"]

    def call(self, method: str, path: str, body: Json | None = None) -> Json:
        """Send a request and return the JSON of its response."""
        response = ask(self._serve, method, f"/v1{path}", body, self.token)
        assert response.status < 300, response.body
        return response.json

    def game(self) -> str:
        """Open a game against the house and return its id."""
        body = {"board": "usa", "seats": 2, "bots": {"easy": 1}}
        id: str = self.call("POST", "/games", body)["id"]
        return id


def _environ(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def _ran(serve: Serve, bot: str, owner: Owner, **more: str) -> str:
    """Run a bot until it is done and return its output."""
    done = subprocess.run(
        [sys.executable, BOTS / bot],
        env=_identity(serve, owner, **more),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "" == done.stderr
    return done.stdout


def _identity(serve: Serve, owner: Owner, **more: str) -> dict[str, str]:
    """The environment of a bot: the URL of the server and the bot's token."""
    address = f"http://127.0.0.1:{serve.port}"
    return _environ(NIGHTMAIL=address, NIGHTMAIL_TOKEN=owner.token, **more)


def test_the_guide_shows_the_http_bot() -> None:
    """The guide shows the whole bot, at most 45 lines that need only the standard library."""
    bot = (BOTS / "http_bot.py").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "api-guide.md").read_text(encoding="utf-8")

    assert f"```python\n{bot}```\n" in page
    assert len(bot.splitlines()) <= SHORT
    imported = "http.client, json, os, random, secrets, time, urllib.error, urllib.request"
    assert [imported] == re.findall(r"^(?:import|from) (.*)$", bot, re.MULTILINE)


def test_the_http_bot_plays_a_whole_game(serve: Serve) -> None:
    """The bot opens a game with house bots, answers every decision and prints the winners."""
    output = _ran(serve, "http_bot.py", Owner(serve, "By HTTP"), GAMES="1", HOUSE="hard")

    assert "claims" in output
    assert re.fullmatch(r"USA \[[0-3](, [0-3])*\]", output.splitlines()[-1])


def test_the_engine_bot_plays_a_whole_game(serve: Serve) -> None:
    """The bot replays what its seat has seen, and plays until the game is finished."""
    owner = Owner(serve, "By engine")
    game = owner.game()
    output = _ran(serve, "engine_bot.py", owner)

    assert "finished" == owner.call("GET", f"/games/{game}")["status"]
    assert "claims" in output


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A service with a rate limit that two games at once exceed."""
    rate = "8/second"
    with _started(tmp_path_factory.mktemp("strict"), RATE_LIMIT_TOKEN=rate) as started:
        yield started


@pytest.mark.parametrize("name", ["http_bot.py", "engine_bot.py"])
def test_a_bot_outlasts_limits_and_restarts(strict: Serve, tmp_path: Path, name: str) -> None:
    """A bot waits when it gets 429, and plays on after the server restarts."""
    owner = Owner(strict, name)
    for _ in range(2):
        owner.game()
    output, limited = tmp_path / "said", _limited(strict)
    with output.open("wb") as out, subprocess.Popen(
        [sys.executable, "-u", BOTS / name],
        env=_identity(strict, owner),
        stdout=out,
        stderr=subprocess.STDOUT,
    ) as bot:  # fmt: skip
        try:
            until(lambda: _limited(strict) > limited, "the limit to be met")
            strict.kill9()
            before = len(_moves(output))
            strict.start()
            until(lambda: len(_moves(output)) > before + 4, "more moves")
            assert bot.poll() is None
        finally:
            bot.kill()

    assert "Traceback" not in output.read_text(encoding="utf-8")


def _limited(serve: Serve) -> int:
    """The number of requests that got 429."""
    return len(re.findall(r'"status": ?429', serve.log()))


def _moves(output: Path) -> list[str]:
    """The lines in which a bot reports its moves."""
    return re.findall(r"^\d+ .*$", output.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_engine_bot_plays_at_home() -> None:
    """Without a token the bot plays against the house in the arena."""
    done = subprocess.run(
        [sys.executable, BOTS / "engine_bot.py"],
        env={name: value for name, value in _environ().items() if name != "NIGHTMAIL_TOKEN"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )

    assert re.match(r"\S+ of 20 won, points \d+ : \d+\n$", done.stdout)


@contextmanager
def _listening(secret: str, port: int) -> Iterator[str]:
    """Start the webhook bot as its readme says, and yield its URL."""
    words = ["flask", "--app", str(BOTS / "webhook_bot.py"), "run", "--port", str(port)]
    bot = subprocess.Popen(
        [sys.executable, "-m", *words],
        env=_environ(NIGHTMAIL_SECRET=secret),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: _answers(port), "the bot to listen")
        yield f"http://127.0.0.1:{port}/"
    finally:
        bot.kill()
        bot.wait()


class _At:
    """A server at a port."""

    url = ""

    def __init__(self, port: int) -> None:
        self.port = port


def _answers(port: int) -> bool:
    try:
        return ask(_At(port), "POST", "/", {}).status == 401
    except OSError:
        return False


def test_the_first_steps_of_the_page_work_as_written() -> None:
    """The commands in docs/bots.md start, try and measure the bot; the test plays fewer games."""
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    typed = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    activate, start, attempt, measure = (
        shlex.split(command.replace("\\\n", "")) for command in typed[:4]
    )
    (secret,) = [word.partition("=")[2] for word in start if word.startswith("NIGHTMAIL_SECRET=")]

    assert [".", ".venv/bin/activate"] == activate
    assert ["flask", "--app", "examples/bots/webhook_bot.py", "run"] == start[1:5]
    with _listening(secret, free_port()) as url:
        for typed_words in (attempt, measure):
            words = [word.replace("http://127.0.0.1:5000/", url) for word in typed_words[1:]]
            words[words.index("--games") + 1] = "1"
            if "--plot" in words:
                del words[(at := words.index("--plot")) : at + 2]
            assert 0 == run(*words).exit_code


def test_the_webhook_bot_plays_a_whole_game(serve: Serve) -> None:
    """The bot verifies the signature of each webhook, and answers until the game is over.

    The same bot passes `nightmail bot try`, and refuses a caller with another secret.
    """
    owner, port = Owner(serve, "By hook"), free_port()
    hook = owner.call("POST", "/me/webhooks", {"url": f"http://127.0.0.1:{port}/"})
    with _listening(hook["secret"], port) as url:
        game = owner.game()
        until(
            lambda: owner.call("GET", f"/games/{game}")["status"] == "finished",
            "the game to end",
            PATIENCE,
        )
        tried = run("bot", "try", url, "--secret", hook["secret"], "--games", "1")
        stranger = run("bot", "try", url, "--games", "1")
    deliveries = owner.call("GET", f"/me/webhooks/{hook['id']}/deliveries")["deliveries"]

    assert {None} == {delivery["error"] for delivery in deliveries}
    assert 0 == tried.exit_code
    assert 1 == stranger.exit_code
    assert "3 × The server answered with status 401." in stranger.stdout
