"""`nightmail hook listen` against a scripted service, and against a real one."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import orjson
import pytest
from standardwebhooks import Webhook

from cli.listening import command, forwarder, service_client
from cli.listening.command import News, _forward, _read
from cli.listening.event_stream import ServerEvent
from cli.listening.forwarder import Forwarder
from cli.listening.service_client import Refused, ServiceClient
from tests.cli.listening.fake_service import TOKEN, FakeService, decision, event, serving
from tests.cli.running import run
from tests.promises.support.http_calls import ask
from tests.promises.support.web_server import Web, running_web
from tests.support.hook_receiver import Call, Receiver, Reply, receiving
from tests.support.waiting import until

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105  # for tests only
DRAW = {"text": "draw"}


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the pauses short."""
    monkeypatch.setattr(forwarder, "PAUSES", (0.01,))
    monkeypatch.setattr(service_client, "PAUSE", 0.01)
    monkeypatch.setattr(command, "PAUSE", 0.01)


@pytest.fixture
def service() -> Iterator[FakeService]:
    """A service that a test scripts."""
    with serving() as made:
        yield made


@pytest.fixture
def bot() -> Iterator[Receiver]:
    """The program on this machine, which draws a card unless a test says otherwise."""
    with receiving() as made:
        made.usually = lambda _: Reply(200, orjson.dumps(DRAW))
        yield made


class Listening:
    """The command without its own process: its lines, and how it ends."""

    def __init__(self, service: FakeService, bot: Receiver, token: str = TOKEN) -> None:
        self.lines: list[str] = []
        self.refused: Refused | None = None
        self._client = ServiceClient(service.address, token)
        self._forwarder = Forwarder(self._client, bot.url, SECRET, 5.0, self.lines.append)
        self._news: News = SimpleQueue()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            self._forwarder.greet()
            args = self._client, self._news, self._stopped
            threading.Thread(target=_read, args=args, daemon=True).start()
            _forward(self._forwarder, self._news, None)
        except Refused as refused:
            self.refused = refused

    def start(self) -> None:
        """Begin in a thread of its own."""
        self._thread.start()

    def end(self) -> None:
        """End the command as a refused token would."""
        self._stopped.set()
        self._news.put(Refused("the test is over"))
        self._thread.join()
        self._forwarder.close()

    def says(self, text: str) -> bool:
        """Whether a line has this text."""
        return any(text in line for line in self.lines)


@contextmanager
def listening(service: FakeService, bot: Receiver) -> Iterator[Listening]:
    """Listen until the end of the block."""
    made = Listening(service, bot)
    made.start()
    try:
        yield made
    finally:
        made.end()


def test_a_decision_is_signed_and_its_answer_is_the_move(
    service: FakeService, bot: Receiver
) -> None:
    """The program gets the message of a webhook, and its answer is posted with its conditions."""
    service.streams.append([event("decision", decision())])
    with listening(service, bot):
        until(lambda: bool(service.moves), "the move was made")
    (call,), (move,) = bot.calls, service.moves
    payload = Webhook(SECRET).verify(call.body, call.headers)

    assert ("decision.opened", decision()) == (payload["type"], payload["data"])
    assert (DRAW, '"7"') == (move.body, move.version)
    assert move.key.startswith("hook-listen-")


def test_it_goes_on_after_a_break(service: FakeService, bot: Receiver) -> None:
    """After a break it sends the last id, and a decision that comes again is not sent again."""
    service.streams.append([event("decision", decision(), "T1")])
    service.streams.append(
        [event("decision", decision(), "T2"), event("decision", decision("g2"), "T3")]
    )
    with listening(service, bot):
        until(lambda: len(service.moves) == 2, "both moves were made")

    assert [None, "T1"] == service.last_ids[:2]
    assert ["g1", "g2"] == [call.payload["data"]["game"] for call in bot.calls]


def test_a_busy_service_is_asked_again(service: FakeService, bot: Receiver) -> None:
    """429 and 503 are waited for, at the start, for the stream and for a move."""
    busy = (429, {"retry_after": 0}), (503, {"retry_after": 0})
    service.refusals.extend(busy)
    service.streams.append([event("decision", decision())])
    bot.usually = lambda _: _refuse_next(service, busy)
    with listening(service, bot) as made:
        until(lambda: bool(service.moves), "the move was made")
        until(lambda: made.says("Ada draws."), "it was told")

    assert 1 == len(bot.calls)
    assert made.says("status 429")
    assert made.says("status 503")


def _refuse_next(service: FakeService, answers: Any) -> Reply:
    service.refusals.extend(answers)
    return Reply(200, orjson.dumps(DRAW))


def test_nonsense_is_told_and_the_decision_sent_again(service: FakeService, bot: Receiver) -> None:
    """An answer that is no move, an error and an illegal move have their reason, and come again."""
    for body in (b"ok", orjson.dumps({"text": "dance"})):
        bot.reply(200, body)
    bot.reply(401)
    service.move_answers.append((422, {"detail": "You cannot dance."}))
    service.streams.append([event("decision", decision())])
    with listening(service, bot) as made:
        until(lambda: len(service.moves) == 2, "the fourth answer was a move")

    assert made.says("The answer is not a move")
    assert made.says("the move was refused. You cannot dance.")
    assert made.says("Does the program know this secret?")
    assert 1 == len({call.headers["webhook-id"] for call in bot.calls})
    assert len({move.key for move in service.moves}) == 2


def test_a_program_that_moves_later_is_left_alone(service: FakeService, bot: Receiver) -> None:
    """204 takes the decision: it is not sent again."""
    bot.reply(204)
    service.streams.append([event("decision", decision()), event("decision", decision("g2"))])
    with listening(service, bot) as made:
        until(lambda: bool(service.moves), "the other move was made")

    assert made.says("no move yet")
    assert ["g1", "g2"] == [call.payload["data"]["game"] for call in bot.calls]


def test_a_decision_that_is_gone_is_not_sent(service: FakeService, bot: Receiver) -> None:
    """A decision made in another way, also after nonsense, is not sent again."""
    gone = threading.Event()

    def nonsense(call: Call) -> Reply:
        if call.payload["data"]["game"] == "g2":
            return Reply(204)
        gone.set()
        return Reply(500)

    bot.usually = nonsense
    service.move_answers.append((409, {"detail": "Not your turn."}))
    service.streams.append([event("decision", decision())])
    with listening(service, bot) as made:
        until(gone.is_set, "it was sent")
        made._news.put(ServerEvent("decision_gone", '{"game": "g1"}'))
        made._news.put(ServerEvent("decision", orjson.dumps(decision("g2")).decode()))
        until(lambda: made.says("no move yet"), "the next decision was sent")
        calls = len(bot.calls)

    assert "g2" == bot.calls[calls - 1].payload["data"]["game"]


def test_a_stale_decision_is_read_again(service: FakeService, bot: Receiver) -> None:
    """If others have moved meanwhile, the program gets the decision as it is now."""
    service.move_answers.append((412, {"detail": "The game has moved on."}))
    service.documents["/v1/games/g1/decision"] = decision(version=8)
    service.streams.append([event("decision", decision())])
    with listening(service, bot):
        until(lambda: len(service.moves) == 2, "the second move was made")

    assert ['"7"', '"8"'] == [move.version for move in service.moves]
    assert [7, 8] == [call.payload["data"]["version"] for call in bot.calls]


def test_other_messages_are_forwarded_once(service: FakeService, bot: Receiver) -> None:
    """Talk of others and the end of a game are sent once, one's own talk is not."""
    talk = {"game": "g1", "number": 3, "seat": 1, "name": "Ben", "text": "Hi", "at": "2026"}
    mine = {**talk, "number": 4, "name": "Ada"}
    over = {"game": "g1", "title": "Friday", "status": "finished"}
    service.documents["/v1/games/g1"] = {
        "title": "Friday",
        "version": 9,
        "me": 0,
        "result": {"winners": [0]},
    }
    happened = [event("message", talk), event("message", mine), event("game_finished", over)]
    service.streams.append(happened)
    service.streams.append([*happened, event("decision", decision())])
    with listening(service, bot):
        until(lambda: bool(service.moves), "everything was sent")
    said, ended, opened = (call.payload for call in bot.calls)

    about = {key: value for key, value in talk.items() if key != "game"}
    assert ("message.posted", {"game": "g1", "message": about}) == (said["type"], said["data"])
    result = {"game": "g1", "title": "Friday", "version": 9, "seat": 0, "result": {"winners": [0]}}
    assert ("game.finished", result) == (ended["type"], ended["data"])
    assert "decision.opened" == opened["type"]


@pytest.mark.parametrize(
    ("token", "path", "says"),
    [
        ("nm_wrong", "", "This token is not valid."),
        (TOKEN, "/elsewhere", "does not answer as a service of Nightmail does"),
    ],
)
def test_a_wrong_token_or_service_ends_the_command(
    service: FakeService, bot: Receiver, token: str, path: str, says: str
) -> None:
    """The command ends with one line and status 1."""
    words = ("--service", service.address + path, "--token", token, "--secret", SECRET)
    done = run("hook", "listen", "--forward", bot.url, *words)

    assert 1 == done.exit_code
    assert says in done.output
    assert "nm_" not in done.output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--forward", "nowhere", "--token", "nm_x"), "give URLs"),
        (("--forward", "http://127.0.0.1:5000/"), "set NIGHTMAIL_TOKEN"),
        (("--forward", "http://127.0.0.1:5000/", "--token", "nm_x", "--secret", "x"), "whsec_"),
    ],
)
def test_wrong_usage_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    """A missing token, an address that is none and a bad secret are refused at once."""
    monkeypatch.delenv("NIGHTMAIL_TOKEN", raising=False)
    done = run("hook", "listen", *words)

    assert 2 == done.exit_code
    assert says in done.output


@contextmanager
def _command(web: Web, bot: Receiver, token: str, folder: Path) -> Iterator[Callable[[], str]]:
    """Run the command in a process of its own; returns a function that reads what it says."""
    log = folder / "listen.log"
    words = ["hook", "listen", "--forward", bot.url, "--secret", SECRET]
    environ = {
        "PATH": os.defpath,
        "PYTHONUNBUFFERED": "1",
        "NIGHTMAIL_TOKEN": token,
        "NIGHTMAIL": f"http://127.0.0.1:{web.port}/v1/",
    }
    with log.open("wb") as out:
        process = subprocess.Popen(
            [Path(sys.executable).with_name("nightmail"), *words],
            stdout=out,
            stderr=subprocess.STDOUT,
            env=environ,
        )
    try:
        yield lambda: log.read_text(encoding="utf-8")
    finally:
        process.terminate()
        process.wait()


def test_a_bot_plays_through_a_restart_of_the_service(tmp_path: Path, bot: Receiver) -> None:
    """A bot on this machine plays on a real service, also after that was killed and restarted."""
    bot.usually = lambda call: Reply(200, orjson.dumps(_first_choice(call)))
    with running_web(f"sqlite:///{tmp_path}/nightmail.db", "serve") as web:
        ada = ask(web, "POST", "/v1/accounts", {"name": "Ada", "kind": "bot"}).json
        me = ada["token"]["token"]
        body = {"board": "usa", "seats": 2, "bots": {"easy": 1}}
        game = ask(web, "POST", "/v1/games", body, me).json["id"]

        def version() -> int:
            number: int = ask(web, "GET", f"/v1/games/{game}", None, me).json["version"]
            return number

        with _command(web, bot, ada["token"]["token"], tmp_path) as log:
            until(lambda: version() > 4, "it moves", 60)
            web.kill9()
            until(lambda: bool(re.search("broke|trying again", log())), "it notices", 60)
            web.start()
            before = version()
            until(lambda: version() > before + 4, "it moves again", 60)
            until(lambda: "Ada draws" in log(), "it tells", 60)
            assert ada["token"]["token"] not in log()
    for call in bot.calls:
        Webhook(SECRET).verify(call.body, call.headers)


def _first_choice(call: Call) -> dict[str, Any]:
    """The first entry of the menu, with its first way and as many things as it may have."""
    if call.payload["type"] != "decision.opened":
        return {}
    entry = call.payload["data"]["menu"][0]
    answer: dict[str, Any] = {"entry": entry["n"], "way": next(iter(entry["ways"]), None)}
    if choice := entry.get("choice"):
        answer["things"] = [thing["value"] for thing in choice["things"]][: choice["most"]]
    return {"choose": answer}
