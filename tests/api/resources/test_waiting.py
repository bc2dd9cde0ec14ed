"""Long polls and streams, through real sockets."""

import json
import socket
import threading
import time
import urllib.request
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from api.http import request_log
from tests.api.framing import settings
from tests.api.logging import logged_to
from tests.promises.support.http_calls import Response, ask
from tests.promises.support.web_server import Here, served_here
from tests.support.waiting import until

Json = dict[str, Any]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    """A server that runs in this process."""
    with served_here(f"sqlite:///{tmp_path}/nightmail.db") as served:
        yield served


def _token(here: Here, name: str) -> str:
    document = json.loads(ask(here, "POST", "/v1/accounts", {"name": name}).body)
    token: str = document["token"]["token"]
    return token


def _game(here: Here, token: str, **more: Any) -> Json:
    body = {"board": "usa", "seats": 2, **more}
    made: Json = json.loads(ask(here, "POST", "/v1/games", body, token).body)
    return made


def _later(seconds: float, act: Any) -> threading.Thread:
    timer = threading.Timer(seconds, act)
    timer.start()
    return timer


def test_a_long_poll_ends_when_something_is_asked(here: Here) -> None:
    """A long poll ends as soon as a decision opens."""
    ada, ben = _token(here, "Ada"), _token(here, "Ben")
    game = _game(here, ada)["id"]
    timer = _later(0.3, lambda: ask(here, "POST", f"/v1/games/{game}/seats", {}, ben))
    began = time.monotonic()
    document = json.loads(ask(here, "GET", "/v1/me/decisions?wait=30", None, ada).body)
    timer.join()

    assert [game] == [decision["game"] for decision in document["decisions"]]
    assert time.monotonic() - began < 10


def test_a_long_poll_ends_with_its_time(here: Here) -> None:
    """A long poll without news ends after its time, with an empty list."""
    ada = _token(here, "Ada")
    began = time.monotonic()
    document = json.loads(ask(here, "GET", "/v1/me/decisions?wait=1", None, ada).body)

    assert [] == document["decisions"]
    assert time.monotonic() - began >= 1


def test_events_can_be_waited_for(here: Here) -> None:
    """A long poll for events ends when the next event happens."""
    ada = _token(here, "Ada")
    game = _game(here, ada, bots={"easy": 1})["id"]
    address = f"/v1/games/{game}"
    known = json.loads(ask(here, "GET", f"{address}/events").body)["last"]
    timer = _later(0.3, lambda: ask(here, "POST", f"{address}/moves", {"text": "keep all"}, ada))
    document = json.loads(ask(here, "GET", f"{address}/events?after={known}&wait=30").body)
    timer.join()

    assert known + 1 == document["events"][0]["seq"]
    assert "opening_tickets_chosen" == document["events"][0]["event"]["type"]


def test_a_stream_tells_everything_once_and_ends_with_the_game(here: Here) -> None:
    """Events arrive live and without gaps, and Last-Event-ID continues a broken stream."""
    ada = _token(here, "Ada")
    game = _game(here, ada, bots={"easy": 1})["id"]
    versions: list[int] = []
    stream = _stream(here, game, 0)
    for number in stream:
        versions.append(number)
        if number == 5:
            break
    stream.close()

    def play() -> None:
        while text := ask(here, "GET", f"/v1/games/{game}/decision", None, ada).body:
            body = {"text": json.loads(text)["default"]["text"]}
            ask(here, "POST", f"/v1/games/{game}/moves", body, ada)

    player = threading.Thread(target=play)
    player.start()
    versions += _stream(here, game, versions[-1])
    player.join()
    total = json.loads(ask(here, "GET", f"/v1/games/{game}").body)
    assert "finished" == total["status"]

    assert list(range(1, len(versions) + 1)) == versions
    rest = json.loads(ask(here, "GET", f"/v1/games/{game}/events?after={versions[-1]}").body)
    assert ([], True) == (rest["events"], rest["over"])


def _stream(here: Here, game: str, after: int) -> Generator[int, None, None]:
    """Yield the event numbers of a stream, until it reports that the game is over."""
    request = urllib.request.Request(  # the test server on loopback
        f"http://127.0.0.1:{here.port}/v1/games/{game}/events",
        headers={"Accept": "text/event-stream", "Last-Event-ID": str(after)},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  # loopback
        assert "text/event-stream; charset=utf-8" == answer.headers["Content-Type"]
        for line in answer:
            if line.startswith(b"event: over"):
                return
            if line.startswith(b"data: "):
                yield json.loads(line[6:])["seq"]


def _named(
    here: Here, game: str, token: str, after: int
) -> Generator[tuple[str, Json], None, None]:
    """Yield the events of a stream, each with its name."""
    request = urllib.request.Request(  # the test server on loopback
        f"http://127.0.0.1:{here.port}/v1/games/{game}/events?after={after}",
        headers={"Accept": "text/event-stream", "Authorization": f"Bearer {token}"},
    )
    name = "message"
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  # loopback
        for line in answer:
            if line.startswith(b"event: "):
                name = line[7:].decode().strip()
            elif line.startswith(b"data: "):
                yield name, json.loads(line[6:])
                name = "message"


def test_a_stream_brings_what_is_asked(here: Here) -> None:
    """A stream sends the open decision at once, as `/decision` shows it, and then each new one."""
    ada, ben = _token(here, "Ada"), _token(here, "Ben")
    game = _game(here, ada)["id"]
    ask(here, "POST", f"/v1/games/{game}/seats", {}, ben)
    last = json.loads(ask(here, "GET", f"/v1/games/{game}/events").body)["last"]
    for token in (ada, ben):
        stream = _named(here, game, token, last)
        document = json.loads(ask(here, "GET", f"/v1/games/{game}/decision", None, token).body)
        assert ("decision", document) == next(stream)
        stream.close()
    stream = _named(here, game, ada, last)
    events = [next(stream)]
    for token in (ben, ada):
        ask(here, "POST", f"/v1/games/{game}/moves", {"text": "keep all"}, token)
    while not ask(here, "GET", f"/v1/games/{game}/decision", None, ada).body:
        ask(here, "POST", f"/v1/games/{game}/moves", {"text": "draw"}, ben)
    while len([name for name, _ in events if name == "decision"]) < 2:
        events.append(next(stream))
    stream.close()

    first, second = [data for name, data in events if name == "decision"]
    assert "message" == events[-2][0]
    assert ("choose_tickets", "take_turn") == (first["kind"], second["kind"])


def test_a_stream_asks_only_whoever_sits_there(here: Here) -> None:
    """A stream to a spectator contains events but no decisions."""
    ada, eve = _token(here, "Ada"), _token(here, "Eve")
    game = _game(here, ada, bots={"easy": 1})["id"]
    stream = _named(here, game, eve, 0)
    names = [next(stream)[0] for _ in range(3)]
    stream.close()

    assert {"message"} == set(names)


def test_a_stream_ends_with_its_token(here: Here) -> None:
    """A stream ends when its token is revoked, and sends no further events."""
    ada = _token(here, "Ada")
    game = _game(here, ada)["id"]
    made = ask(here, "POST", "/v1/me/tokens", {"label": "x", "scopes": ["read"]}, ada).json
    request = urllib.request.Request(  # the test server on loopback
        f"http://127.0.0.1:{here.port}/v1/games/{game}/events",
        headers={"Accept": "text/event-stream", "Authorization": f"Bearer {made['token']}"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  # loopback
        assert [b"retry: 1000\n", b"\n"] == [next(answer) for _ in range(2)]
        ask(here, "DELETE", f"/v1/me/tokens/{made['id']}", None, ada)
        ask(here, "POST", f"/v1/games/{game}/seats", {}, _token(here, "Ben"))
        began = time.monotonic()
        rest = answer.read()

    assert b"data:" not in rest
    assert time.monotonic() - began < 10


def test_a_stream_of_no_game_is_refused_before_it_begins(here: Here) -> None:
    """A stream of an unknown game gets 404 before it begins."""
    response = ask(
        here, "GET", f"/v1/games/{'x' * 22}/events", None, "", Accept="text/event-stream"
    )

    assert 404 == response.status


def test_a_known_list_of_decisions_is_waited_past(here: Here) -> None:
    """With an ETag a long poll waits until the list of decisions changes."""
    ada, ben = _token(here, "Ada"), _token(here, "Ben")
    first, second = (_game(here, ada)["id"] for _ in range(2))
    ask(here, "POST", f"/v1/games/{first}/seats", {}, ben)
    known = ask(here, "GET", "/v1/me/decisions", None, ada).headers["ETag"]
    began = time.monotonic()
    idle = ask(here, "GET", "/v1/me/decisions?wait=1", None, ada, If_None_Match=known)
    assert (304, known) == (idle.status, idle.headers["ETag"])
    assert time.monotonic() - began >= 1
    timer = _later(0.3, lambda: ask(here, "POST", f"/v1/games/{second}/seats", {}, ben))
    response = ask(here, "GET", "/v1/me/decisions?wait=30", None, ada, If_None_Match=known)
    timer.join()

    assert {first, second} == {decision["game"] for decision in response.json["decisions"]}
    assert time.monotonic() - began < 15


def test_a_game_that_ends_is_news(here: Here) -> None:
    """A long poll without an ETag ends when a game of the caller ends, with an empty list."""
    ada, ben = _token(here, "Ada"), _token(here, "Ben")
    game = _game(here, ada)["id"]
    ask(here, "POST", f"/v1/games/{game}/seats", {}, ben)
    ask(here, "POST", f"/v1/games/{game}/moves", {"text": "keep all"}, ada)
    ask(here, "POST", f"/v1/games/{game}/moves", {"text": "keep all"}, ben)
    idle = next(
        token
        for token in (ada, ben)
        if not ask(here, "GET", f"/v1/games/{game}/decision", None, token).body
    )

    def leave() -> None:
        for token in (idle, ada, ben):  # the second request of the idle player is refused
            ask(here, "DELETE", f"/v1/games/{game}/seats/mine", None, token)

    timer = _later(0.3, leave)
    began = time.monotonic()
    response = ask(here, "GET", "/v1/me/decisions?wait=30", None, idle)
    timer.join()

    assert [] == response.json["decisions"]
    assert time.monotonic() - began < 15


def test_a_place_is_free_when_its_client_hangs_up(tmp_path: Path) -> None:
    """WAITING_ACCOUNT limits the long polls of an account; aborted ones free their places."""
    with served_here(f"sqlite:///{tmp_path}/n.db", WAITING_ACCOUNT="8") as here:
        ada = _token(here, "Ada")
        for _ in range(3):
            lines = [_polling(here, ada) for _ in range(8)]
            until(lambda: here.places.taken == 8, "all places are taken")
            refused = _poll(here, ada)
            assert ("too_many_waiting", "5") == (refused.code, refused.headers["Retry-After"])
            assert 200 == ask(here, "GET", "/v1/me/decisions", None, ada).status
            for line in lines:
                line.close()
            until(lambda: here.places.taken == 0, "the places are free")
            assert 200 == _poll(here, ada).status


def _poll(here: Here, token: str) -> Response:
    return ask(here, "GET", "/v1/me/decisions?wait=1", None, token)


def _polling(here: Here, token: str) -> socket.socket:
    """A connection with a waiting long poll."""
    line = socket.create_connection(("127.0.0.1", here.port))
    head = f"GET /v1/me/decisions?wait=59 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}"
    line.sendall(f"{head}\r\n\r\n".encode())
    return line


@pytest.mark.parametrize("setting", ["WAITING_ADDRESS", "WAITING_PROCESS"])
def test_places_of_an_address_and_of_a_process_are_bounded(tmp_path: Path, setting: str) -> None:
    """The limits of an address and of a process count the long polls of all accounts."""
    with served_here(f"sqlite:///{tmp_path}/n.db", **{setting: "2"}) as here:
        tokens = [_token(here, f"Player {number}") for number in range(3)]
        lines = [_polling(here, token) for token in tokens[:2]]
        until(lambda: here.places.taken == 2, "all places are taken")
        assert "too_many_waiting" == _poll(here, tokens[2]).code
        for line in lines:
            line.close()
        until(lambda: here.places.taken == 0, "the places are free")
        assert 200 == _poll(here, tokens[2]).status


def test_a_wait_is_counted_and_logged_once(tmp_path: Path) -> None:
    """A long poll that wakes often counts once in the log, the metrics and the rate limit."""
    out = StringIO()
    url, rates = f"sqlite:///{tmp_path}/n.db", {"RATE_LIMIT_TOKEN": "100/day"}
    with logged_to(out), ExitStack() as stack:
        request_log.set_up(settings(), out)
        here = stack.enter_context(served_here(url, **rates))
        ada, ben = _token(here, "Ada"), _token(here, "Ben")
        game = _game(here, ben)["id"]
        before = ask(here, "GET", "/v1/me", None, ada).headers["RateLimit-Remaining"]
        address = f"/v1/games/{game}/events?wait=1"
        talk = {"text": "Hello"}
        timers = [
            _later(0.2 * n, lambda: ask(here, "POST", f"/v1/games/{game}/messages", talk, ben))
            for n in (1, 2, 3)
        ]
        response = ask(here, "GET", address, None, ada, X_Request_Id="waited")
        for timer in timers:
            timer.join()
        metrics = ask(here, "GET", "/metrics").body.decode()
    lines = [line for line in out.getvalue().splitlines() if '"waited"' in line]

    assert int(before) - 1 == int(response.headers["RateLimit-Remaining"])
    assert (1, "waited") == (len(lines), response.headers["X-Request-Id"])
    assert json.loads(lines[0])["ms"] >= 1000
    assert 'route="/v1/games/<id:game>/events",status="200"} 1.0' in metrics


def test_a_token_that_expires_ends_its_wait(here: Here) -> None:
    """A long poll gets 401 when its token expires, even if nothing else happens."""
    ada = _token(here, "Ada")
    soon = (datetime.now(UTC) + timedelta(seconds=1.5)).isoformat().replace("+00:00", "Z")
    body = {"label": "x", "scopes": ["read"], "expires": soon}
    made = ask(here, "POST", "/v1/me/tokens", body, ada).json
    began = time.monotonic()
    response = ask(here, "GET", "/v1/me/decisions?wait=30", None, made["token"])

    assert 401 == response.status
    assert time.monotonic() - began < 15
