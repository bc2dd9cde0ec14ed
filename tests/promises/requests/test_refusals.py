"""Promise 6: no input makes us answer 5xx, and a refused request changes nothing."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import Connection, event
from werkzeug.test import TestResponse

from api.http import json_body
from store.database import Database
from tests.api.serving import fresh_app, newcomer
from tests.promises.support.database_checks import rows
from tests.promises.support.http_calls import PATIENCE, Json, ask
from tests.promises.support.web_server import Web

WRITING = {"POST", "PUT", "PATCH", "DELETE"}
SAMPLES: dict[tuple[str, str], Json] = {
    ("POST", "/v1/accounts"): {
        "name": "Eve",
        "email": "eve@example.org",
        "kind": "person",
        "locale": "en",
        "time_zone": "UTC",
    },
    ("PATCH", "/v1/me"): {
        "name": "Ada",
        "email": "ada@example.org",
        "locale": "de",
        "time_zone": "Europe/Paris",
        "notifications": {"mode": "off", "quiet_hours": {"from": "22:00", "to": "07:00"}},
        "absences": [{"from": "2999-01-01", "to": "2999-01-02"}],
    },
    ("POST", "/v1/me/tokens"): {
        "label": "x",
        "scopes": ["read"],
        "expires": "2999-01-01T00:00:00Z",
    },
    ("POST", "/v1/games"): {
        "board": "usa",
        "variants": [],
        "seats": 3,
        "pace": "days",
        "visibility": "public",
        "title": "T",
        "bots": {"easy": 1},
    },
    ("POST", "/v1/bot-games"): {
        "board": "usa",
        "games": 1,
        "bots": {"easy": 1},
        "commitments": ["0" * 64],
        "nonce": "n",
    },
    ("POST", "/v1/games/<id:game>/seats"): {"nonce": "n"},
    ("POST", "/v1/games/<id:game>/moves"): {"action": {"type": "draw_blind"}},
    ("POST", "/v1/games/<id:game>/messages"): {"text": "Hello."},
}
"""A valid body for each route; routes that are missing here get everything else."""

DEEP = 30_000
BODIES = {
    "nothing": b"",
    "no JSON": b"{",
    "brackets": b"[" * DEEP,
    "braces": b'{"a":' * 10_000,
    "brackets in a field": b'{"name":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep enough": b'{"name":' + b"[" * 19 + b"]" * 19 + b"}",
    "an endless number": b'{"seats":' + b"9" * 5000 + b"}",
    "a long number": b'{"seats":' + b"9" * 4000 + b"}",
    "a huge exponent": b'{"seats":1e400}',
    "no number": b'{"seats":NaN}',
    "infinity": b'{"seats":-Infinity}',
    "one key twice": b'{"name":"a","name":"b"}',
    "NUL": b'{"name":"a\\u0000b","text":"\\u0000","label":"\\u0000","nonce":"\\u0000"}',
    "half a character": b'{"name":"\\ud800","text":"\\udfff","nonce":"\\ud800"}',
    "a key with NUL": b'{"\\u0000":1}',
    "UTF-16": '{"name":"a"}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"name":"a"}',
    "no UTF-8": b'{"name":"\xff"}',
    "too much": b'{"name":"' + b"a" * 65_536 + b'"}',
    "far too much": b" " * 20_000_000,
    "an array": b"[]",
    "a text": b'"a"',
    "a number": b"7",
    "null": b"null",
}
ODD: list[Any] = [
    None, True, 0, -1, 7.9, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**30, "7", "", " ", "\0",
    "\ud800", "\r\n", "\x1b[31m", "\u202e", "\u2028", "x" * 5000, "%s%n", "';--", "../..",
    "\N{SNOWMAN}" * 300,
    [], {}, [[]], [None], [{"from": None}], {"a": 1}, {"": {}}, ["read"] * 500, {"type": "claim"},
    {"type": ["draw_blind"]}, {"type": "claim", "route": "\0", "payment": {"red": 2**70}},
    {"type": "keep_tickets", "keep": ["a"] * 1000}, "0001-01-01T00:00:00+23:59",
]  # fmt: skip
HEADERS = [
    {"Idempotency-Key": ""},
    {"Idempotency-Key": "k" * 256},
    {"Idempotency-Key": "\xff" * 20},
    {"Idempotency-Key": "\t"},
    {"If-Match": ""},
    {"If-Match": "57"},
    {"If-Match": f'"{"9" * 4000}"'},
    {"If-Match": '"-1", W/"x'},
    {"If-Match": '"0", ' * 1000},
    {"Content-Type": "text/plain"},
    {"Content-Type": "application/json; charset=utf-16"},
    {"Content-Type": "application/json; charset=no-such"},
    {"Content-Encoding": "gzip"},
    {"Accept": "\xff;q=x"},
    {"X-Request-Id": "\x1f"},
    {"Authorization": ""},
    {"Authorization": "Bearer"},
    {"Authorization": "Bearer nm_" + "a" * 9000},
    {"Authorization": "Bearer nm_\xff"},
    {"Authorization": "Basic Og=="},
]
IDS = [
    "x",
    "-",
    "a" * 64,
    "a" * 65,
    "%00",
    "%ff",
    "..",
    "%2e%2e",
    "a%2Fb",
    "%F0%9F%92%A9",
    "1' OR 1",
]


class Room(NamedTuple):
    """The application, the token of a player in a game, and the database."""

    web: FlaskClient
    database: Database
    bearer: dict[str, str]
    ids: dict[str, str]
    """Values for the placeholders of a path."""


@contextmanager
def _room(url: str, folder: Path) -> Iterator[tuple[Flask, Room]]:
    app, desk = fresh_app(url, DATA_DIR=str(folder))
    web = app.test_client()
    _, ada = newcomer(web, "Ada")
    _, ben = newcomer(web, "Ben")
    made = web.post("/v1/games", json={"board": "usa", "seats": 2}, headers=ada)
    assert made.json is not None
    game = made.json["id"]
    assert 201 == web.post(f"/v1/games/{game}/seats", json={}, headers=ben).status_code
    yield app, Room(web, desk.database, ada, {"game": game})
    desk.close()


def _addresses(app: Flask) -> list[tuple[str, str]]:
    """Every method and route of the API that could change something."""
    return sorted(
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/v1/")
        for method in (rule.methods or set()) & WRITING
    )


def _requests(method: str, rule: str) -> Iterator[tuple[bytes, dict[str, str]]]:
    """Bodies and headers for one route, nearly all of them invalid."""
    sample = SAMPLES.get((method, rule), {})
    for body in BODIES.values():
        yield body, {}
    for more in HEADERS:
        yield json.dumps(sample).encode(), more
    for altered in _altered(sample):
        yield json.dumps(altered).encode(), {}


def _altered(sample: Json) -> Iterator[Json]:
    yield sample | {"unknown": 1}
    for name, value in sample.items():
        yield {key: item for key, item in sample.items() if key != name}
        for odd in ODD:
            yield sample | {name: odd}
        for inner in _altered(value) if isinstance(value, dict) else ():
            yield sample | {name: inner}


def _path(rule: str, ids: dict[str, str], odd: str = "nobody") -> str:
    path = rule
    for part in rule.split("/"):
        if part.startswith("<"):
            path = path.replace(part, ids.get(part[1:-1].removeprefix("id:"), odd))
    return path


class Watch:
    """Sends requests, and checks what each has changed."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self._before = rows(room.database)
        self._written = False
        self.sent = 0
        event.listen(room.database.engine, "begin", self._note)

    def _note(self, _: Connection) -> None:
        """Note that a transaction has begun, so that rows may have changed."""
        self._written = True

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> TestResponse:
        """Send a request; fails on 5xx, and on changes made by a 4xx."""
        room = self._room
        headers_sent = {"Content-Type": "application/json", **room.bearer, **headers}
        answer = room.web.open(path, method=method, data=body, headers=headers_sent)
        exchange = f"{method} {path} {body[:200]!r} {headers}: {answer.status} {answer.text[:300]}"
        assert answer.status_code < 500, exchange
        if self._written:
            after = rows(room.database)
            assert answer.status_code < 400 or self._before == after, exchange
            self._before = after
            self._written = False
        self.sent += 1
        return answer

    def close(self) -> None:
        """Check that nothing has changed since the last comparison."""
        assert self._before == rows(self._room.database)


def _check(app: Flask, room: Room) -> int:
    """Send everything to every route; returns the number of requests."""
    watch = Watch(room)
    for method, rule in _addresses(app):
        if (method, rule) == ("DELETE", "/v1/me"):
            continue  # takes no body, and would delete the account that sends the rest
        for odd in IDS:
            if "<" in rule:
                watch.send(method, _path(rule, {}, odd), b"{}", {})
        if (method, rule) != ("DELETE", "/v1/games/<id:game>/seats/mine"):
            for body, headers in _requests(method, rule):
                watch.send(method, _path(rule, room.ids), body, headers)
    watch.close()
    return watch.sent


def test_no_input_breaks_anything(url: str, tmp_path: Path) -> None:
    """Bad bodies, headers and ids for every writing route give no 5xx, and no 4xx changes rows."""
    with _room(url, tmp_path) as (app, room):
        assert SAMPLES.keys() <= set(_addresses(app))
        assert _check(app, room) > 1000


def test_missing_depth_guard_is_noticed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: without the limit on nesting a request gets 500."""
    monkeypatch.setattr(json_body, "DEEPEST", 10**9)
    with _room(url, Path()) as (_, room), pytest.raises(AssertionError, match="500"):
        Watch(room).send("POST", "/v1/games", BODIES["brackets"], {})


def test_effect_of_a_refusal_is_noticed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a refused request that is committed is noticed."""
    with _room(url, Path()) as (_, room):

        @contextmanager
        def writing(self: Database) -> Iterator[Any]:
            with self.engine.connect() as connection, connection.begin() as transaction:
                try:
                    yield connection
                finally:
                    transaction.commit()

        monkeypatch.setattr(Database, "writing", writing)
        with pytest.raises(AssertionError, match="seat_taken"):
            Watch(room).send("POST", f"/v1/games/{room.ids['game']}/seats", b"{}", {})


RAW = [
    b"\0\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
    b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\n{}",
    b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n",
    b"POST /v1/accounts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nf\r\n",
    b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /v1/games HTTP/1.1\r\n" + b"".join(b"X-%d: x\r\n" % n for n in range(200)) + b"\r\n",
    b"GET /v1/games HTTP/1.1\r\nX: " + b"a" * 20_000 + b"\r\n\r\n",
    b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX\xff: \xff\r\n\r\n",
    b"GET /%ff%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
]  # fmt: skip


@pytest.mark.parametrize("raw", [RAW[1], RAW[2], RAW[11]])
def test_what_is_hardly_http_is_refused(sqlite_web: Web, raw: bytes) -> None:
    """Malformed HTTP that never reaches the application gets 400 with a fixed text."""
    with socket.create_connection(("127.0.0.1", sqlite_web.port), PATIENCE) as line:
        line.sendall(raw)
        answer = http.client.HTTPResponse(line)
        answer.begin()
        body = answer.read()

    assert (400, b"Invalid HTTP request received.") == (answer.status, body)


@pytest.mark.parametrize("raw", RAW, ids=range(len(RAW)))
def test_no_bytes_break_the_server(sqlite_web: Web, raw: bytes) -> None:
    """Malformed HTTP gets no 5xx, if any response, and the server stays ready."""
    with socket.create_connection(("127.0.0.1", sqlite_web.port), PATIENCE) as line:
        try:
            line.sendall(raw)
            line.shutdown(socket.SHUT_WR)
            response = line.recv(1 << 16)
        except OSError:  # the server has hung up
            response = b""
    assert b"" == response or response.split(b" ")[1][:1] in (b"2", b"4"), response
    assert 200 == ask(sqlite_web, "GET", "/readyz").status
