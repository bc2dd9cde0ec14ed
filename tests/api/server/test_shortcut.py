"""The shortcut for reading a game gives the same responses as Flask, which handles HEAD."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.http import request_log
from api.http.request import Request
from api.server.shortcut import Shortcut
from service.desk import Desk
from tests.api.framing import settings
from tests.api.logging import logged_to
from tests.api.serving import fresh_app, newcomer

Headers = dict[str, str]


@contextmanager
def room(folder: Path, **environ: str) -> Iterator[tuple[FlaskClient, Desk]]:
    """A client of an application with an empty database."""
    app, desk = fresh_app(f"sqlite:///{folder}/nightmail.db", **environ)
    yield app.test_client(), desk
    desk.close()


@pytest.fixture
def web(tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of that application."""
    with room(tmp_path) as (client, _):
        yield client


@pytest.fixture
def ada(web: FlaskClient) -> Headers:
    """Ada's token."""
    return newcomer(web, "Ada")[1]


def opened(web: FlaskClient, caller: Headers, **more: object) -> str:
    """Open a game of Ada and a bot, and return its URL."""
    body = {"board": "usa", "seats": 2, "bots": {"easy": 1}, **more}
    address: str = web.post("/v1/games", json=body, headers=caller).headers["Location"]
    return address


def long_way(web: FlaskClient, path: str, headers: Headers) -> TestResponse:
    """Send the same request as HEAD, which the shortcut leaves to Flask."""
    return web.head(path, headers=headers)


def headers_of(answer: TestResponse) -> dict[str, str]:
    """The headers of a response, without those that differ with every request."""
    always = {name: value for name, value in answer.headers if name != "X-Request-Id"}
    return always | {"RateLimit-Remaining": "…", "RateLimit-Reset": "…"}


@pytest.mark.parametrize(("known", "status"), [('"x"', 200), ("{}", 304), ('"x", W/{}', 304)])
def test_both_ways_wear_the_same(web: FlaskClient, ada: Headers, known: str, status: int) -> None:
    """Status and headers are the same by shortcut and by Flask, with 200 and with 304."""
    path = opened(web, ada)
    tag = web.get(path, headers=ada).headers["ETag"]
    caller = ada | {"If-None-Match": known.format(tag)}
    short, long = web.get(path, headers=caller), long_way(web, path, caller)

    assert (long.status, headers_of(long)) == (short.status, headers_of(short))
    assert status == short.status_code


def test_a_page_is_the_same_again(
    web: FlaskClient, ada: Headers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shortcut returns the cached page unchanged, and each viewer gets their own."""
    path = opened(web, ada)
    first = [web.get(path, headers=caller).data for caller in (ada, {})]
    taken: list[bytes] = []
    answer = Shortcut._answer

    def noted(self: Shortcut, request: Request, page: bytes, start: Any) -> Iterable[bytes]:
        taken.append(page)
        return answer(self, request, page, start)

    monkeypatch.setattr(Shortcut, "_answer", noted)

    assert first == [web.get(path, headers=caller).data for caller in (ada, {})]
    assert first == taken
    assert first[0] != first[1]


def test_a_private_game_is_for_those_who_sit_there(web: FlaskClient, ada: Headers) -> None:
    """A private game gets 404 for others, even if they send its ETag and it is cached."""
    path = opened(web, ada, visibility="private")
    tag = web.get(path, headers=ada).headers["ETag"]
    ben = newcomer(web, "Ben")[1]

    nowhere = web.get("/v1/games/nowhere").json
    for caller in ({}, ben):
        answer = web.get(path, headers=caller | {"If-None-Match": tag})
        assert (404, nowhere) == (answer.status_code, answer.json)
        assert "ETag" not in answer.headers


def test_a_revoked_token_is_refused(web: FlaskClient, ada: Headers) -> None:
    """A revoked token is refused at once, because tokens are not cached."""
    path = opened(web, ada)
    body = {"label": "x", "scopes": ["read"]}
    made = web.post("/v1/me/tokens", json=body, headers=ada).json or {}
    caller = {"Authorization": f"Bearer {made['token']}"}
    assert [200, 200] == [web.get(path, headers=caller).status_code for _ in range(2)]
    web.delete(f"/v1/me/tokens/{made['id']}", headers=ada)

    assert 401 == web.get(path, headers=caller).status_code
    assert 200 == web.get(path).status_code


def test_a_token_that_may_not_read_is_refused(web: FlaskClient, ada: Headers) -> None:
    """A token without the scope `read` gets 403."""
    path = opened(web, ada)
    body = {"label": "x", "scopes": ["play"]}
    made = web.post("/v1/me/tokens", json=body, headers=ada).json or {}
    answer = web.get(path, headers={"Authorization": f"Bearer {made['token']}"})

    assert 403 == answer.status_code
    assert "read" in answer.text


def test_a_refused_request_is_counted_once(tmp_path: Path) -> None:
    """A request that the shortcut passes on to Flask counts once towards the rate limits."""
    rates = {"RATE_LIMIT_ADDRESS": "50/day", "RATE_LIMIT_TOKEN": "4/day"}
    with room(tmp_path, **rates) as (web, _):
        ada = newcomer(web, "Ada")[1]
        path = opened(web, ada)
        before = int(web.get("/v1/boards").headers["RateLimit-Remaining"])
        wrong = {"Authorization": "Bearer nm_wrong"}
        for caller, statuses in ((wrong, {401}), ({}, {200}), (ada, {200, 429})):
            assert statuses == {web.get(path, headers=caller).status_code for _ in range(5)}
        after = int(web.get("/v1/boards").headers["RateLimit-Remaining"])

    assert 16 == before - after


def test_each_is_logged_and_counted(tmp_path: Path) -> None:
    """Each request has one log line and one count, with its route instead of its URL."""
    out = StringIO()
    with logged_to(out), ExitStack() as stack:
        request_log.set_up(settings(), out)
        web, _ = stack.enter_context(room(tmp_path))
        account, ada = newcomer(web, "Ada")
        path = opened(web, ada)
        tag = long_way(web, path, ada).headers["ETag"]
        out.truncate(0)
        out.seek(0)
        wrong = {"Authorization": "Bearer nm_wrong"}
        for more in ({}, {}, {"If-None-Match": tag}, wrong):
            web.get(path, headers={**ada, "X-Request-Id": "r-1", **more})
        lines = [json.loads(line) for line in out.getvalue().splitlines()]
        counted = web.get("/metrics").text

    rule = "/v1/games/<id:game>"
    assert [200, 200, 304, 401] == [line["status"] for line in lines]
    assert {(rule, "r-1", "GET")} == {
        (line["route"], line["request_id"], line["method"]) for line in lines
    }
    assert [account["id"]] * 3 + [None] == [line["account"] for line in lines]
    matches = re.findall(
        rf'requests_total{{method="GET",route="{rule}",status="(\d+)"}} (\S+)', counted
    )
    assert [("200", "2.0"), ("304", "1.0"), ("401", "1.0")] == sorted(matches)


def test_a_database_that_is_away_is_told(tmp_path: Path) -> None:
    """A database error in the shortcut gets 503 with Retry-After, as elsewhere."""
    with room(tmp_path) as (web, desk):
        path = opened(web, newcomer(web, "Ada")[1])
        with desk.database.writing() as tx:
            tx.exec_driver_sql("ALTER TABLE tokens RENAME TO gone")
        answer = web.get(path)

    assert (503, "1") == (answer.status_code, answer.headers["Retry-After"])


def test_a_query_is_refused(web: FlaskClient, ada: Headers) -> None:
    """A query string is refused with 400."""
    assert 400 == web.get(f"{opened(web, ada)}?x=1", headers=ada).status_code
