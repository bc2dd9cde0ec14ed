"""The server at which a bot behind a URL reads its game, as its seat sees it."""

import http.client
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from cli.local_game_server import LocalGameServer, LoggedEvent, Snapshot
from engine import replay, seen_by, shown
from engine.codec import read_event
from service.boards import atlas
from tests.bots.sitting import positions
from tests.cli.running import run
from tests.random_games import sample_of_tables
from tests.support.child_servers import free_port
from tests.support.hook_receiver import Call, Reply, receiving

SMALL = ("--games", "1", "--seed", "s")


def _read(port: int, path: str) -> tuple[int, Any]:
    door = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        door.request("GET", path)
        response = door.getresponse()
        return response.status, json.loads(response.read())
    finally:
        door.close()


@pytest.fixture
def server() -> Iterator[LocalGameServer]:
    """A running local game server."""
    opened = LocalGameServer()
    yield opened
    opened.close()


def _port(server: LocalGameServer) -> int:
    return int(server.address.rpartition(":")[2])


def test_a_bot_reads_the_game_it_is_asked_in() -> None:
    """A bot reads the game of its decision, and replaying the events gives the same state."""
    port, rules, answers = free_port(), atlas.ruleset("usa", (), 2), list[str]()

    def answer(call: Call) -> Reply:
        decision = call.payload["data"]
        path = f"/v1/games/{decision['game']}"
        status, game = _read(port, path)
        document = _read(port, f"{path}/events")[1]
        events = [read_event(event["event"]) for event in document["events"]]
        expected = ["usa", [], 2, decision["version"], decision["seat"]]
        assert 200 == status
        assert expected == [game[at] for at in ("board", "variants", "seats", "version", "me")]
        assert decision["version"] == document["version"]
        assert _plain(shown(rules, replay(rules, events))) == game["state"]
        answers.append(document["events"][-1]["sentence"])
        return Reply(500)

    with receiving() as bot:
        bot.usually = answer
        done = run("bot", "try", bot.url, *SMALL, "--port", str(port))

    assert f"{bot.url} can read its games at http://127.0.0.1:{port}" in done.stderr
    assert 3 == len(answers)


def _plain(value: object) -> Any:
    return json.loads(json.dumps(value))


def test_two_bots_have_two_rooms() -> None:
    """In an arena each bot reads its own seat at its own port, and not at the other's."""
    port, seats = _two_free_ports(), list[tuple[int, int, int]]()

    def answering(own: int) -> Any:
        def answer(call: Call) -> Reply:
            decision = call.payload["data"]
            path = f"/v1/games/{decision['game']}"
            rooms = [_read(at, path)[1].get("me") for at in (own, 2 * port + 1 - own)]
            seats.append((decision["seat"], *rooms))
            return Reply(500)

        return answer

    with receiving() as first, receiving() as two:
        first.usually, two.usually = answering(port), answering(port + 1)
        run("arena", *SMALL, "--bots", f"{first.url},{two.url}", "--port", str(port))

    assert seats
    assert all(seat == read != other for seat, read, other in seats)
    assert 2 == len({seat for seat, _, _ in seats})


def _two_free_ports() -> int:
    while True:
        port = free_port()
        with socket.socket() as probe:
            if port < 65535 and probe.connect_ex(("127.0.0.1", port + 1)):
                return port


@pytest.mark.parametrize("table", sample_of_tables(8, turn=6), ids=str)
def test_events_are_those_that_the_seat_has_seen(table: Any, server: LocalGameServer) -> None:
    """R-DIG-3 to R-DIG-7: what is hidden from the seat does not leave the server."""
    hidden = 0
    for log, view, seat in positions(table, 0, 23):
        server.snapshot = Snapshot(
            "game", 7, table.rules, view, seat, tuple(LoggedEvent(1, event) for event in log)
        )
        document = _read(_port(server), "/v1/games/game/events")[1]
        events = [read_event(item["event"]) for item in document["events"]]

        assert [seen_by(event, seat) for event in log] == events
        assert len(log) == document["last"]
        assert (
            document["events"][5:]
            == _read(_port(server), "/v1/games/game/events?after=5")[1]["events"]
        )
        hidden += events != log
    assert hidden


def test_nothing_else_is_there(server: LocalGameServer) -> None:
    """Other games and paths, a bad number, and any game before the first decision get 404."""
    rules = atlas.ruleset("usa", (), 2)
    assert 404 == _read(_port(server), "/v1/games/game")[0]
    server.snapshot = Snapshot("game", 0, rules, rules.initial, 0, ())

    for path in ("/", "/v1/games", "/v1/games/other", "/v1/games/game/log", "/v1/me"):
        assert 404 == _read(_port(server), path)[0]
    assert 404 == _read(_port(server), "/v1/games/game/events?after=-1")[0]
    assert 200 == _read(_port(server), "/v1/games/game/events?after=999999999")[0]


def test_a_port_that_is_taken_is_refused(server: LocalGameServer) -> None:
    """A port in use gives status 2, and the bot gets no request."""
    with receiving() as bot:
        done = run("bot", "try", bot.url, *SMALL, "--port", str(_port(server)))

    assert 2 == done.exit_code
    assert not bot.calls
