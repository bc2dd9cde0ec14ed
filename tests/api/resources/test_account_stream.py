"""The event stream of a whole account, through real sockets."""

import json
import urllib.request
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.promises.support.http_calls import ask
from tests.promises.support.web_server import Here, Player, newcomer, opened, served_here

Json = dict[str, Any]


class Event(NamedTuple):
    """An event of the stream."""

    name: str
    data: Json
    id: str


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    """A server that runs in this process."""
    with served_here(f"sqlite:///{tmp_path}/nightmail.db") as served:
        yield served


def stream(here: Here, player: Player, after: str = "") -> Generator[Event, None, None]:
    """Open a player's stream, check that it has begun, and return a generator of its events."""
    taken = here.places.taken
    events = _events(_request(here, player, after))
    events.send(None)
    assert taken + 1 == here.places.taken
    return events


def _request(here: Here, player: Player, after: str) -> urllib.request.Request:
    headers = {"Authorization": f"Bearer {player.token}"}
    if after:
        headers["Last-Event-ID"] = after
    return urllib.request.Request(  # the test server on loopback
        f"http://127.0.0.1:{here.port}/v1/me/stream", headers=headers
    )


def _events(request: urllib.request.Request) -> Generator[Event, None, None]:
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  # loopback
        assert b"retry: 1000\n" == next(answer)
        yield Event("begun", {}, "")
        fields: dict[str, str] = {}
        for line in answer:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif "data" in fields:
                yield Event(fields["event"], json.loads(fields["data"]), fields.get("id", ""))
                fields = {}


def move(here: Here, game: str, player: Player) -> None:
    """Play the default move."""
    decision = ask(here, "GET", f"/v1/games/{game}/decision", None, player.token).json
    body = {"text": decision["default"]["text"]}
    assert 201 == ask(here, "POST", f"/v1/games/{game}/moves", body, player.token).status


def say(here: Here, game: str, player: Player, text: str) -> None:
    """Post a message to the table."""
    response = ask(here, "POST", f"/v1/games/{game}/messages", {"text": text}, player.token)
    assert 201 == response.status


def test_it_tells_what_is_new_in_every_game(here: Here) -> None:
    """The stream reports starts of games, decisions opened and closed, and messages."""
    ada, ben = newcomer(here, "Ada"), newcomer(here, "Ben")
    events_stream = stream(here, ada)
    first = opened(here, ada, ben)
    assert ("game_started", first, "running") == _summary(next(events_stream))
    decision = next(events_stream)
    assert ("decision", "choose_tickets") == (decision.name, decision.data["kind"])
    say(here, first, ben, "Hello")
    message = next(events_stream)
    assert ("message", first, "Hello") == (message.name, message.data["game"], message.data["text"])
    move(here, first, ada)
    assert ("decision_gone", {"game": first}) == next(events_stream)[:2]
    second = opened(here, ben, ada)
    assert [("game_started", second), ("decision", second)] == [
        (event.name, event.data["game"]) for event in (next(events_stream), next(events_stream))
    ]
    ask(here, "DELETE", f"/v1/games/{second}/seats/mine", None, ada.token)
    assert ("decision_gone", {"game": second}) == next(events_stream)[:2]
    events_stream.close()


def _summary(event: Event) -> tuple[str, str, str]:
    return event.name, event.data["game"], event.data["status"]


def test_it_begins_with_what_is_asked(here: Here) -> None:
    """A new stream begins with every open decision, as `/decision` shows it, and no past events."""
    ada, ben = newcomer(here, "Ada"), newcomer(here, "Ben")
    games = [opened(here, ada, ben) for _ in range(3)]
    say(here, games[0], ben, "Hello")
    events_stream = stream(here, ada)
    events = [next(events_stream) for _ in games]
    events_stream.close()
    decisions = [
        ask(here, "GET", f"/v1/games/{game}/decision", None, ada.token).json for game in games
    ]

    assert [("decision", decision) for decision in decisions] == [event[:2] for event in events]
    assert ["", "", ""] != [event.id for event in events]


def test_it_goes_on_after_a_break(here: Here) -> None:
    """With Last-Event-ID the stream first sends everything that happened since that event."""
    ada, ben = newcomer(here, "Ada"), newcomer(here, "Ben")
    first = opened(here, ada, ben)
    events_stream = stream(here, ada)
    last = next(events_stream).id
    events_stream.close()
    move(here, first, ada)
    second = opened(here, ada, ben)
    say(here, first, ben, "Are you there?")
    game = opened(here, ada, ben, seats=2)
    while (decision := _awaited(here, game, (ada, ben))) is not None:
        move(here, game, decision)
    again = stream(here, ada, last)
    names = set()
    while ("game_finished", game) not in names:
        event = next(again)
        names.add((event.name, event.data["game"]))
    again.close()

    assert {
        ("decision_gone", first),
        ("message", first),
        ("game_started", second),
        ("decision", second),
        ("game_started", game),
    } <= names


def _awaited(here: Here, game: str, players: tuple[Player, ...]) -> Player | None:
    for player in players:
        if 200 == ask(here, "GET", f"/v1/games/{game}/decision", None, player.token).status:
            return player
    return None


@pytest.mark.parametrize("cursor", ["57", "2026-02-31T00:00:00.000Z", "yesterday"])
def test_an_id_that_is_none_of_ours_begins_anew(here: Here, cursor: str) -> None:
    """With an unknown Last-Event-ID the stream begins with the open decisions."""
    ada = newcomer(here, "Ada")
    opened(here, ada, newcomer(here, "Ben"))
    events_stream = stream(here, ada, cursor)
    assert "decision" == next(events_stream).name
    events_stream.close()


def test_it_ends_when_its_token_is_revoked(here: Here) -> None:
    """The stream ends when its token is revoked, and that token then gets 401."""
    ada = newcomer(here, "Ada")
    made = ask(here, "POST", "/v1/me/tokens", {"label": "x", "scopes": ["read"]}, ada.token).json
    opened(here, ada, newcomer(here, "Ben"))
    events_stream = stream(here, ada._replace(token=made["token"]))
    assert "decision" == next(events_stream).name
    ask(here, "DELETE", f"/v1/me/tokens/{made['id']}", None, ada.token)

    assert [] == list(events_stream)
    assert 401 == ask(here, "GET", "/v1/me/stream", None, made["token"]).status
