"""Long polls and streams, through real sockets."""

import json
import threading
import time
import urllib.request
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from api.resources import events
from service.memory import bell
from tests.promises.support.http_calls import Said, ask
from tests.promises.support.web_server import Here, served_here

Json = dict[str, Any]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    """A server in this process."""
    with served_here(f"sqlite:///{tmp_path}/nightmail.db", WEB_THREADS="12") as served:
        yield served


def _token(here: Here, name: str) -> str:
    said = json.loads(ask(here, "POST", "/v1/accounts", {"name": name}).body)
    token: str = said["token"]["token"]
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
    """It answers at once then, long before its time is over."""
    ada, ben = _token(here, "Ada"), _token(here, "Ben")
    game = _game(here, ada)["id"]
    timer = _later(0.3, lambda: ask(here, "POST", f"/v1/games/{game}/seats", {}, ben))
    began = time.monotonic()
    found = json.loads(ask(here, "GET", "/v1/me/decisions?wait=30", None, ada).body)
    timer.join()

    assert [game] == [one["game"] for one in found["decisions"]]
    assert time.monotonic() - began < 10


def test_a_long_poll_ends_with_its_time(here: Here) -> None:
    """Nothing is asked: an empty list after a second."""
    ada = _token(here, "Ada")
    began = time.monotonic()
    found = json.loads(ask(here, "GET", "/v1/me/decisions?wait=1", None, ada).body)

    assert [] == found["decisions"]
    assert time.monotonic() - began >= 1


def test_events_can_be_waited_for(here: Here) -> None:
    """Whoever knows everything is answered when something more happens."""
    ada = _token(here, "Ada")
    game = _game(here, ada, bots={"easy": 1})["id"]
    address = f"/v1/games/{game}"
    known = json.loads(ask(here, "GET", f"{address}/events").body)["last"]
    timer = _later(0.3, lambda: ask(here, "POST", f"{address}/moves", {"text": "keep all"}, ada))
    found = json.loads(ask(here, "GET", f"{address}/events?after={known}&wait=30").body)
    timer.join()

    assert known + 1 == found["events"][0]["seq"]
    assert "opening_tickets_chosen" == found["events"][0]["event"]["type"]


def test_a_stream_tells_everything_once_and_ends_with_the_game(here: Here) -> None:
    """Events come numbered without a gap, live, until the last; a break is mended by the number."""
    ada = _token(here, "Ada")
    game = _game(here, ada, bots={"easy": 1})["id"]
    heard: list[int] = []
    stream = _stream(here, game, 0)
    for number in stream:
        heard.append(number)
        if number == 5:
            break
    stream.close()

    def play() -> None:
        while asked := ask(here, "GET", f"/v1/games/{game}/decision", None, ada).body:
            body = {"text": str(json.loads(asked)["default"])}
            ask(here, "POST", f"/v1/games/{game}/moves", body, ada)

    player = threading.Thread(target=play)
    player.start()
    heard += _stream(here, game, heard[-1])
    player.join()
    total = json.loads(ask(here, "GET", f"/v1/games/{game}").body)
    assert "finished" == total["status"]

    assert list(range(1, len(heard) + 1)) == heard
    rest = json.loads(ask(here, "GET", f"/v1/games/{game}/events?after={heard[-1]}").body)
    assert ([], True) == (rest["events"], rest["over"])


def _stream(here: Here, game: str, after: int) -> Generator[int, None, None]:
    """The numbers of the events of a stream, until it says that the game is over."""
    request = urllib.request.Request(  # our own server on the loopback
        f"http://127.0.0.1:{here.port}/v1/games/{game}/events",
        headers={"Accept": "text/event-stream", "Last-Event-ID": str(after)},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  # likewise
        assert "text/event-stream; charset=utf-8" == answer.headers["Content-Type"]
        for line in answer:
            if line.startswith(b"event: over"):
                return
            if line.startswith(b"data: "):
                yield json.loads(line[6:])["seq"]


def _named(
    here: Here, game: str, token: str, after: int
) -> Generator[tuple[str, Json], None, None]:
    """What a stream brings, each with its name."""
    request = urllib.request.Request(  # our own server on the loopback
        f"http://127.0.0.1:{here.port}/v1/games/{game}/events?after={after}",
        headers={"Accept": "text/event-stream", "Authorization": f"Bearer {token}"},
    )
    name = "message"
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  # likewise
        for line in answer:
            if line.startswith(b"event: "):
                name = line[7:].decode().strip()
            elif line.startswith(b"data: "):
                yield name, json.loads(line[6:])
                name = "message"


def test_a_stream_brings_what_is_asked(here: Here) -> None:
    """The same document as by asking: at once, and again only when it is another decision."""
    ada, ben = _token(here, "Ada"), _token(here, "Ben")
    game = _game(here, ada)["id"]
    ask(here, "POST", f"/v1/games/{game}/seats", {}, ben)
    last = json.loads(ask(here, "GET", f"/v1/games/{game}/events").body)["last"]
    for token in (ada, ben):
        stream = _named(here, game, token, last)
        asked = json.loads(ask(here, "GET", f"/v1/games/{game}/decision", None, token).body)
        assert ("decision", asked) == next(stream)
        stream.close()
    stream = _named(here, game, ada, last)
    heard = [next(stream)]
    for token in (ben, ada):
        ask(here, "POST", f"/v1/games/{game}/moves", {"text": "keep all"}, token)
    while not ask(here, "GET", f"/v1/games/{game}/decision", None, ada).body:
        ask(here, "POST", f"/v1/games/{game}/moves", {"text": "draw"}, ben)
    while len([name for name, _ in heard if name == "decision"]) < 2:
        heard.append(next(stream))
    stream.close()

    first, second = [said for name, said in heard if name == "decision"]
    assert "message" == heard[-2][0]
    assert ("choose_tickets", "take_turn") == (first["kind"], second["kind"])


def test_a_stream_asks_only_whoever_sits_there(here: Here) -> None:
    """Somebody else hears what happens, and nothing that is asked of others."""
    ada, eve = _token(here, "Ada"), _token(here, "Eve")
    game = _game(here, ada, bots={"easy": 1})["id"]
    stream = _named(here, game, eve, 0)
    heard = [next(stream)[0] for _ in range(3)]
    stream.close()

    assert {"message"} == set(heard)


def test_a_stream_ends_with_its_token(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the next beat on nothing more is told to whoever lost their token."""
    monkeypatch.setattr(events, "BEAT", 0.05)
    ada = _token(here, "Ada")
    game = _game(here, ada)["id"]
    wanted = {"label": "x", "scopes": ["read"]}
    made = ask(here, "POST", "/v1/me/tokens", wanted, ada).json
    request = urllib.request.Request(  # our own server on the loopback
        f"http://127.0.0.1:{here.port}/v1/games/{game}/events",
        headers={"Accept": "text/event-stream", "Authorization": f"Bearer {made['token']}"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310  # likewise
        assert [b"retry: 1000\n", b"\n", b": still here\n"] == [next(answer) for _ in range(3)]
        ask(here, "DELETE", f"/v1/me/tokens/{made['id']}", None, ada)
        ask(here, "POST", f"/v1/games/{game}/seats", {}, _token(here, "Ben"))
        rest = answer.read()

    assert b"data:" not in rest


def test_a_stream_of_no_game_is_refused_before_it_begins(here: Here) -> None:
    """404, not a stream that breaks off."""
    said = ask(here, "GET", f"/v1/games/{'x' * 22}/events", None, "", Accept="text/event-stream")

    assert 404 == said.status


def test_waiting_never_takes_all_threads(here: Here) -> None:
    """The ninth who waits for one account is sent away, and plain requests are answered."""
    ada = _token(here, "Ada")
    threads: list[threading.Thread] = []

    def sent_away() -> Said | None:
        """Let one more wait, and see whether there is no place for another."""
        address = "/v1/me/decisions?wait=30"
        threads.append(threading.Thread(target=ask, args=(here, "GET", address, None, ada)))
        threads[-1].start()
        said = ask(here, "GET", "/v1/me/decisions?wait=1", None, ada)
        return said if said.status == 429 else None

    said = None
    while said is None:
        said = sent_away()
    assert len(threads) >= bell.EACH
    assert "5" == said.headers["Retry-After"]
    assert 200 == ask(here, "GET", "/v1/me/decisions", None, ada).status
    _game(here, ada, bots={"easy": 1})  # now something is asked, so nobody waits any longer
    for thread in threads:
        thread.join()

    assert 200 == ask(here, "GET", "/v1/me/decisions?wait=1", None, ada).status
