import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from flask.testing import FlaskClient

from api.http import request_log
from tests.api.framing import BEARER, GOOD, client, settings
from tests.api.logging import logged_to

ODD = ["a\rb", "a\nb", "a\tb", "a\x1b[2Jb", "a\u202eb", "a\u2028b", "a\x85b", 'a"b', "ä🚂", "a\\nb"]
FORGED = 'x"}\n{"event": "request", "status": 200, "account": "eve"}'


@pytest.fixture
def stream() -> Iterator[StringIO]:
    """The stream that the log is written to."""
    with logged_to(StringIO()) as out:
        yield out


@pytest.fixture
def web(stream: StringIO) -> FlaskClient:
    """A client of the test application, which logs JSON."""
    request_log.set_up(settings(), stream)
    return client()


def lines(stream: StringIO) -> list[dict[str, Any]]:
    """Parse the lines of the log, which must be JSON and ASCII."""
    text = stream.getvalue()
    assert text.isascii()
    assert text.endswith("\n")
    return [json.loads(line) for line in text[:-1].split("\n")]


def test_a_request_is_one_line(web: FlaskClient, stream: StringIO) -> None:
    """A line has method, route, status, duration, account and request id."""
    web.get("/v1/mine", headers=BEARER | {"X-Request-Id": "r-1"})
    (line,) = lines(stream)

    assert ("GET", "/v1/mine", 200) == (line["method"], line["route"], line["status"])
    assert ("ada", "r-1", "info") == (line["account"], line["request_id"], line["level"])
    assert 0 < line["ms"] < 1000


@pytest.mark.parametrize("name", [*ODD, FORGED])
def test_no_name_can_forge_a_line(web: FlaskClient, stream: StringIO, name: str) -> None:
    """Text from a request cannot inject a line or a field."""
    web.post("/v1/noted", json={"text": name})
    (line,) = lines(stream)

    assert name == line["name"]
    assert line["account"] is None


@pytest.mark.parametrize("name", [*ODD[:7], FORGED])
def test_no_name_can_forge_a_line_on_the_console(stream: StringIO, name: str) -> None:
    """The readable format has no control characters either."""
    request_log.set_up(settings(LOG_FORMAT="console"), stream)
    client().post("/v1/noted", json={"text": name})
    text = stream.getvalue()

    assert text[:-1].isprintable()
    assert text.endswith("\n")


@pytest.mark.parametrize("request_id", ["", "a b", "x" * 65, "a\x1b", "é", "a\x7f"])
def test_an_odd_request_id_is_replaced(web: FlaskClient, stream: StringIO, request_id: str) -> None:
    """An X-Request-Id that is empty, long or unprintable is ignored."""
    answer = web.get("/healthz", environ_overrides={"HTTP_X_REQUEST_ID": request_id})
    (line,) = lines(stream)

    assert request_id != line["request_id"]
    assert 16 == len(line["request_id"])
    assert line["request_id"] == answer.headers["X-Request-Id"]


def test_a_token_is_never_logged(web: FlaskClient, stream: StringIO) -> None:
    """No token is logged: not from the header, query, path, body or an exception."""
    web.get("/v1/mine", headers=BEARER)
    web.get("/v1/mine", headers={"Authorization": f"Bearer {GOOD}x"})
    web.get(f"/v1/echo/x?board={GOOD}")
    web.get(f"/v1/nowhere/{GOOD}?token={GOOD}")
    web.post("/v1/noted", json={"text": f"a {GOOD}"})
    web.post("/v1/echo", json={"text": GOOD, GOOD: 1})
    web.get("/v1/refusals/accident")
    logging.getLogger("elsewhere").warning("found %s", GOOD)

    assert 9 == len(lines(stream))
    assert GOOD not in stream.getvalue()
    assert "nm_secret" not in stream.getvalue()


def test_an_accident_is_logged_whole(web: FlaskClient, stream: StringIO) -> None:
    """An exception is one line with its traceback and the request id."""
    answer = web.get("/v1/refusals/accident")
    accident, request = lines(stream)

    assert "ZeroDivisionError" in accident["exception"]
    assert "error" == accident["level"]
    assert answer.headers["X-Request-Id"] == accident["request_id"] == request["request_id"]


def test_foreign_lines_are_logged_alike(web: FlaskClient, stream: StringIO) -> None:
    """Records of libraries have the same format."""
    web.get("/healthz")
    logging.getLogger("library").warning("odd: %s", FORGED)

    assert ["request", f"odd: {FORGED}"] == [line["event"] for line in lines(stream)]


def test_a_request_ends(web: FlaskClient, stream: StringIO) -> None:
    """Lines after a request do not have its id."""
    web.get("/healthz")
    logging.getLogger("elsewhere").warning("later")

    assert [True, False] == ["request_id" in line for line in lines(stream)]


def test_the_level_is_kept(stream: StringIO) -> None:
    """With LOG_LEVEL=warning requests are not logged, but errors are."""
    request_log.set_up(settings(LOG_LEVEL="warning"), stream)
    web = client()
    web.get("/healthz")
    web.get("/v1/refusals/accident")

    assert ["internal error"] == [line["event"] for line in lines(stream)]
