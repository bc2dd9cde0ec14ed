"""Promise 32: no token, seed or address in the log, and no input can forge a line of it."""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from store.database import Database
from tests.promises.support.database_checks import moves_of, seeds
from tests.promises.support.http_calls import Reachable, ask, send
from tests.promises.support.web_server import Player, Table, Web, moving, newcomer, running_web

NASTY = [
    'Bobby "Tables"',
    "\\n\\r{}",
    '{"level": "error"}',
    "%s %(name)s %n",
    "\N{PILE OF POO}\N{SNOWMAN}",
    "ﷺ" * 5,
    "</script><b>",
    "${jndi:ldap://x}",
]
REFUSED = ["a\nb", "a\r\nb", "a\0b", "\x1b[2J", "\u202eabc", "a\u2028b", "a\x85b", "\ud800"]


def _faults(log: str, secrets: Iterable[str]) -> list[str]:
    """Faults of a log: lines that are not printable JSON objects, and secrets in it."""
    faults = []
    for line in log.split("\n"):
        if line:
            try:
                fits = isinstance(json.loads(line), dict)
            except ValueError:
                fits = False
            if not fits or not line.isprintable():
                faults.append(f"no line of ours: {line[:200]!r}")
    lower = log.lower()
    return faults + [secret for secret in secrets if secret.lower() in lower]


def _strange_life(web: Reachable) -> tuple[list[Player], Table, list[str]]:
    """Create players with hostile names; returns them, a table, and words not to be logged."""
    words, players = [], []
    for number, name in enumerate(NASTY):
        mail = f"secret.mailbox.{number}@example.org"
        players.append(newcomer(web, name, email=mail))
        words += [mail, players[-1].token.removeprefix("nm_")]
    for name in REFUSED:
        assert 400 == ask(web, "POST", "/v1/accounts", {"name": name}).status
    table = Table(web, "log")
    words += [player.token.removeprefix("nm_") for player in table.players]
    return players, table, words


def _misuse(web: Reachable, player: Player, game: str) -> list[str]:
    """Send secrets and line breaks in the wrong places; returns what must not be logged."""
    hidden = player.token
    for path in (f"/v1/games/{hidden}", f"/v1/games?token={hidden}", f"/{hidden}", "/%0a%0d%00x"):
        ask(web, "GET", path, None, hidden)
    for name in ("X-Request-Id", "User-Agent", "Referer", "If-None-Match", "Cookie"):
        ask(web, "GET", f"/v1/games/{game}", None, hidden, **{name: f"{hidden} secret-header"})
    ask(web, "GET", "/v1/me", None, "", Authorization=f"Basic {hidden}", X_Request_Id=hidden)
    ask(web, "POST", f"/v1/games/{game}/moves", {"text": "secret-move\n{}"}, hidden)
    for key in ("secret-key-of-a-request", f"{hidden}-x"):
        ask(web, "POST", "/v1/games", {"board": "x", "seats": 9}, hidden, Idempotency_Key=key)
    return ["secret-header", "secret-move", "secret-key-of-a-request"]


def _played(web: Reachable, table: Table) -> None:
    """Play a whole game, post a message, and make a note."""
    while len(table.games) == 1:
        player, decision = table.awaited()
        claims = [option for option in decision["options"] if option["text"].startswith("claim")]
        action = table.rng.choice(claims or decision["options"])["action"]
        if len(table.games) == 1:
            assert 201 == send(web, moving(table.game, player, action)).status
    text = {"text": "secret-talk\n{}"}
    ask(web, "POST", f"/v1/games/{table.game}/messages", text, table.players[0].token)
    note = {"notes": "secret-note\n{}", "sketch": ["secret-route"]}
    ask(web, "PUT", f"/v1/games/{table.game}/notebook", note, table.players[0].token)
    note["sketch"] = []
    assert (
        200
        == ask(
            web, "PUT", f"/v1/games/{table.games[0]}/notebook", note, table.players[0].token
        ).status
    )
    assert 200 == ask(web, "GET", f"/v1/games/{table.games[0]}/log").status


def _secrets(web: Reachable) -> list[str]:
    """The seeds of all games, and the tickets dealt in them."""
    database = Database(web.url)
    texts = [seed.hex() for seed in seeds(database).values()]
    for game in seeds(database):
        for move in moves_of(database, game)[:1]:
            for event in json.loads(move.record)["events"]:
                texts += [str(ticket) for ticket in event.get("tickets", ()) if "-" in str(ticket)]
    database.close()
    return texts


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_whole_game_leaves_a_clean_log(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The log of a game with hostile names, talk and misuse is JSON, line by line, without secrets.

    The search covers tokens, seeds, addresses, tickets, and everything that clients wrote.
    """
    url = f"sqlite:///{tmp_path}/n.db" if kind == "sqlite" else request.getfixturevalue("postgres")
    with running_web(url, LOG_LEVEL="debug") as web:
        log = _life_log(web)

    assert log.count("\n") > 200
    assert '"route": "/v1/games/<id:game>/moves"' in log


def _life_log(web: Web) -> str:
    players, table, words = _strange_life(web)
    words += _misuse(web, players[0], table.game)
    _played(web, table)
    words += [*_secrets(web), "secret-talk", "secret-note", "secret-route", *NASTY[:2], *NASTY[3:]]
    log = web.log()
    assert [] == _faults(log, words)
    return log


def test_console_lines_are_noticed(tmp_path: Path) -> None:
    """Planted fault: lines that are not JSON are found."""
    with running_web(f"sqlite:///{tmp_path}/n.db", LOG_FORMAT="console") as web:
        with suppress(OSError):
            newcomer(web)
        assert _faults(web.log(), ())


@pytest.mark.parametrize(
    "line",
    [
        '{"event": "name is Ada\n{"level": "error"}"}',
        '{"event": "\x1b[2J"}',
        "Ada has come in",
        '{"token": "nm_SECRET"}',
        "[]",
    ],
)
def test_forged_lines_are_noticed(line: str) -> None:
    """Planted faults: line breaks in names, escape sequences, other text and secrets are found."""
    good = '{"event": "request"}\n'

    assert [] == _faults(good, ["nm_secret"])
    assert _faults(f"{good}{line}\n", ["nm_secret"])
