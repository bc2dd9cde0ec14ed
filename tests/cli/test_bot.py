import random
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count

import orjson
import pytest
from click.testing import Result

from cli.remote_bot import GivenUp, RemoteBot
from store import timestamps
from tests.bots.sitting import positions, view_of
from tests.cli.running import run
from tests.random_games import Table, sample_of_tables
from tests.support.hook_receiver import (
    Call,
    Receiver,
    Reply,
    behaving,
    read_request,
    receiving,
    signature,
)
from tests.support.menus import by_action, preferred
from tests.worlds import another_world
from workers.calling.connector import Answer

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105  # for tests only
JSON = {"content-type": "application/json"}
NOT_A_MOVE = "The answer is not a move"


def _try(url: str, *words: str) -> Result:
    options = ("--against", "easy", "--games", "1", "--seed", "s", "--secret", SECRET)
    return run("bot", "try", url, *options, *words)


def _move(call: Call) -> Reply:
    """The reply of a hasty bot, which claims a route whenever it can, so that games are short."""
    decision = call.payload["data"]
    rng = random.Random(decision["version"])
    body = by_action(decision, preferred(decision, rng, "claim", "draw"), rng)
    return Reply(200, orjson.dumps(body), JSON)


@contextmanager
def _hasty() -> Iterator[Receiver]:
    """Run a bot that always replies with a move."""
    with receiving() as receiver:
        receiver.usually = _move
        yield receiver


@pytest.fixture(scope="module")
def tried() -> tuple[Result, list[Call]]:
    """The result of two games of the hasty bot, and the requests that it received."""
    with _hasty() as bot:
        return _try(bot.url, "--games", "2"), bot.calls


def test_an_honest_bot_plays_its_games(tried: tuple[Result, list[Call]]) -> None:
    """The report lists each game with its result and the number of calls, and no errors."""
    done, calls = tried

    assert 0 == done.exit_code
    assert ["1", "2"] == re.findall(r"^\d +(\d) .* (?:won|shared|lost)$", done.stdout, re.MULTILINE)
    assert f"{len(calls)} calls: " in done.stdout
    assert " × " not in done.stdout


def test_it_is_asked_as_the_service_asks(tried: tuple[Result, list[Call]]) -> None:
    """Requests are signed `decision.opened` messages with unique ids and growing versions."""
    _, calls = tried
    messages = [call.payload for call in calls]
    games = list(dict.fromkeys(message["data"]["game"] for message in messages))

    assert all(signature(SECRET, call) == call.headers["webhook-signature"] for call in calls)
    assert {"decision.opened"} == {message["type"] for message in messages}
    assert len(calls) == len({call.headers["webhook-id"] for call in calls})
    assert 2 == len(games)
    for game in games:
        versions = [m["data"]["version"] for m in messages if m["data"]["game"] == game]
        assert sorted(set(versions)) == versions


def test_games_of_other_seeds_have_other_names() -> None:
    """The same seed gives the same game id, and another seed gives another."""
    with receiving() as receiver:
        for seed in "sst":
            _try(receiver.url, "--seed", seed)
    first, again, other = (call.payload["data"]["game"] for call in receiver.calls[::3])

    assert first == again != other


@pytest.mark.parametrize("table", sample_of_tables(8, turn=5), ids=str)
def test_worlds_that_look_alike_are_asked_alike(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-DIG-3 to R-DIG-7: exchanging what a seat cannot know changes no byte of the request."""
    rng, rules, bodies = random.Random(str(table)), table.rules, list[bytes]()
    monkeypatch.setattr(timestamps, "now", lambda: "2026-11-17T12:00:00.000Z")

    def posted(_: RemoteBot, body: bytes) -> Answer:
        bodies.append(body)
        return Answer(204, {}, b"", is_whole=True)

    monkeypatch.setattr(RemoteBot, "_posted", posted)
    bot, changed = RemoteBot("http://127.0.0.1/", SECRET), 0
    for log, view, seat in positions(table, 0, 23):
        other = another_world(rules, log, seat, rng)
        changed += log != other
        bodies.clear()
        for world in (view, view_of(rules, other, seat)):
            with suppress(GivenUp):
                bot(rules, world, seat)

        assert bodies[0] == bodies[1]
    assert changed


@pytest.mark.parametrize(
    ("reply", "kind", "example"),
    [
        (Reply(500, b"Traceback: boom"), "The server answered with status 500.", "Traceback: boom"),
        (Reply(401), "The server answered with status 401. Does the bot know this secret?", ""),
        (Reply(302, b"", {"location": "/"}), "The server answered with status 302.", ""),
        (Reply(204), "The bot wants to answer later", ""),
        (Reply(200, b"<p>hello", {"content-type": "text/html"}), NOT_A_MOVE, "<p>he"),
        (Reply(200, b"[" * 3000, JSON), NOT_A_MOVE, "[[["),
        (Reply(200, b'{"text": "' + b"x" * 9000, JSON), NOT_A_MOVE, "xxx"),
        (Reply(200, b'{"text": "win"}', JSON), "The move was refused (unreadable).", "“win”"),
        (Reply(200, b'{"action": {"type": "fly"}}', JSON), "The move was refused", "fly"),
        (Reply(200, b'{"action": {"type": "pass"}}', JSON), "The move was refused", "pass"),
        (Reply(200, b"\x1b[2J\xff\x00", JSON), NOT_A_MOVE, "[2J"),
    ],
    ids=str,
)
def test_what_is_no_move_is_counted_and_shown(reply: Reply, kind: str, example: str) -> None:
    """A bot is given up after three replies without a valid move, and the report quotes one."""
    with receiving() as receiver:
        receiver.usually = lambda _: reply
        done = _try(receiver.url)

    assert 1 == done.exit_code
    assert 3 == len(receiver.calls)
    assert f"3 × {kind}" in done.stdout
    assert example in done.stdout
    assert "\x1b[2J" not in done.stdout
    assert "failed to answer with a move 3 times in a row" in done.stderr


def test_the_game_goes_on_without_some_answers() -> None:
    """A bot that fails now and then still finishes its game, and its failures are counted."""
    calls = count(1)
    with _hasty() as bot:
        bot.usually = lambda call: Reply(503) if next(calls) % 3 == 0 else _move(call)
        done = _try(bot.url)

    assert 1 == done.exit_code
    assert f"{len(bot.calls) // 3} × The server answered with status 503." in done.stdout
    assert re.search(r"(won|shared|lost)$", done.stdout, re.MULTILINE)
    assert "in a row" not in done.stderr


def _hang(guest: socket.socket) -> None:
    """Read the request, and never reply."""
    while guest.recv(65536):
        pass


def _drip(guest: socket.socket) -> None:
    """Reply without end, one byte at a time."""
    read_request(guest)
    guest.sendall(b"HTTP/1.1 200 OK\r\n")
    guest.settimeout(0.02)
    while True:
        guest.sendall(b"x")
        try:
            guest.recv(1)
        except TimeoutError:
            continue


def _flood(guest: socket.socket) -> None:
    """Reply with endless headers."""
    read_request(guest)
    guest.sendall(b"HTTP/1.1 200 OK\r\n")
    for number in count():
        guest.sendall(b"x-%d: %s\r\n" % (number, b"x" * 1000))


def _leave(guest: socket.socket) -> None:
    """Close the connection in the middle of the response."""
    read_request(guest)
    guest.sendall(b'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"action"')
    guest.shutdown(socket.SHUT_RDWR)


@pytest.mark.parametrize("behave", [_hang, _drip, _flood, _leave])
def test_bad_manners_end_in_a_report(behave: Callable[[socket.socket], None]) -> None:
    """A bot that hangs, drips, floods or disconnects is given up after three requests."""
    with behaving(behave) as port:
        done = _try(f"http://127.0.0.1:{port}/", "--deadline", "0.3")

    assert 1 == done.exit_code
    faults = re.findall(
        r"^(\d) × (?:There was no complete answer within 0.3|The answer )",
        done.stdout,
        re.MULTILINE,
    )
    assert 3 == sum(map(int, faults))


def test_nobody_there() -> None:
    """A refused connection is reported as a server that could not be reached."""
    with behaving(_leave) as port:
        pass
    done = _try(f"http://127.0.0.1:{port}/")

    assert 1 == done.exit_code
    assert "3 × The server could not be reached." in done.stdout


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("medium", ()),
        ("ftp://127.0.0.1/", ()),
        ("http://user:word@127.0.0.1/", ()),
        ("http://127.0.0.1/", ("--secret", "sesame")),
        ("http://127.0.0.1/", ("--secret", "whsec_ä")),
        ("http://127.0.0.1/", ("--deadline", "60")),
        ("http://127.0.0.1/", ("--board", "mars")),
        ("http://127.0.0.1/", ("--against", "grandmaster")),
    ],
)
def test_wrong_words_are_refused(url: str, words: tuple[str, ...]) -> None:
    """Invalid arguments give one line on standard error, and status 2."""
    done = _try(url, *words)

    assert 2 == done.exit_code
    assert 1 == len(done.stderr.splitlines())


def test_urls_in_the_arena() -> None:
    """A bot behind a URL plays in the arena and is rated, the same with two processes."""
    with _hasty() as bot:
        bots = ("--bots", f"easy,{bot.url}", "--secret", SECRET)
        done = run("arena", "--games", "2", "--seed", "s", *bots)
        again = run("arena", "--games", "2", "--seed", "s", *bots, "--processes", "2")

    assert 0 == done.exit_code
    assert f"easy against {bot.url}" in done.stdout
    assert re.search(rf"^{re.escape(bot.url)} +\d+ +", done.stdout, re.MULTILINE)
    assert done.stdout.partition(" calls")[0] == again.stdout.partition(" calls")[0]


def test_the_arena_stops_for_a_dead_bot() -> None:
    """A bot that gives no moves ends the arena, which reports the games so far and names it."""
    with receiving() as receiver:
        bots = f"medium,easy,{receiver.url}"
        done = run("arena", "--games", "2", "--seed", "s", "--bots", bots)

    assert 1 == done.exit_code
    assert "medium against easy" in done.stdout
    assert "3 × The bot wants to answer later" in done.stdout
    assert receiver.url in done.stderr
    rated = re.findall(r"^(\S+) +\d+ +\d+ to", done.stdout, re.MULTILINE)
    assert ["easy", "medium"] == sorted(rated)
    assert re.search(
        r"^signed with whsec_\S+; choose another with --secret$", done.stderr, re.MULTILINE
    )
