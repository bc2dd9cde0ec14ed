"""The commonest slips of client authors are answered with what to do instead."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.serving import fresh_app, newcomer

Headers = dict[str, str]
UNKNOWN_TOKEN = "nm_" + "A" * 43


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    """A client of an application with Ada's account."""
    folder: Path = tmp_path_factory.mktemp("slips")
    app, desk = fresh_app(f"sqlite:///{folder}/nightmail.db")
    yield app.test_client()
    desk.close()


@pytest.fixture(scope="module")
def ada(web: FlaskClient) -> Headers:
    """Ada's token."""
    return newcomer(web, "Ada")[1]


@pytest.fixture(scope="module")
def game(web: FlaskClient, ada: Headers) -> str:
    """The path of a running game in which Ada chooses her first tickets."""
    body = {"board": "europe", "seats": 2, "bots": {"easy": 1}}
    answer = web.post("/v1/games", json=body, headers=ada)
    assert answer.json is not None
    return f"/v1/games/{answer.json['id']}"


def detail(answer: TestResponse, status: int, code: str) -> str:
    """Return the sentence of a problem, which must be complete."""
    assert answer.json is not None, answer.text
    assert (status, code) == (answer.status_code, answer.json["code"]), answer.text
    assert answer.mimetype == "application/problem+json"
    sentence: str = answer.json["detail"]
    return sentence


@pytest.mark.parametrize(
    ("header", "advice"),
    [
        (UNKNOWN_TOKEN, "The word “Bearer” is missing"),
        (f"Token {UNKNOWN_TOKEN}", "the scheme “Bearer”, not “Token”"),
        (f"Basic {UNKNOWN_TOKEN}", "the scheme “Bearer”, not “Basic”"),
        (f"Bearer:{UNKNOWN_TOKEN}", "the scheme “Bearer”, not another scheme"),
        (f'Bearer "{UNKNOWN_TOKEN}"', "must not be in quotes"),
        (f"Bearer <{UNKNOWN_TOKEN}>", "must not be in quotes"),
        ("Bearer ", "The token is missing"),
        ("Bearer whsec_AAAA", "the secret of a webhook and not a token"),
        ("Bearer eyJhbGciOi", "tokens begin with nm_"),
        (f"Bearer {UNKNOWN_TOKEN}", "not valid, or no longer valid"),
    ],
)
def test_a_token_without_bearer(web: FlaskClient, header: str, advice: str) -> None:
    """A wrong Authorization header is explained, and the token is not repeated."""
    answer = web.get("/v1/me", headers={"Authorization": header})

    assert advice in detail(answer, 401, "unauthenticated")
    assert UNKNOWN_TOKEN not in answer.text


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/v1/me", {"X-Api-Key": UNKNOWN_TOKEN}),
        (f"/v1/me/decisions?token={UNKNOWN_TOKEN}", {}),
    ],
)
def test_a_token_elsewhere(web: FlaskClient, path: str, headers: Headers) -> None:
    """A token in another header or in the query is explained."""
    sentence = detail(web.get(path, headers=headers), 401, "unauthenticated")

    assert "Authorization: Bearer nm_…" in sentence


def test_a_token_in_a_query_that_takes_nothing(web: FlaskClient) -> None:
    """A token in the query is explained also where no parameter is known."""
    answer = web.get(f"/v1/me?access_token={UNKNOWN_TOKEN}")

    assert "Authorization: Bearer nm_…" in detail(answer, 400, "unreadable")


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/v1/games/", "/v1/games"),
        ("/v1/me/decisions/", "/v1/me/decisions"),
        ("/v1//games", "/v1/games"),
        ("/accounts", "/v1/accounts"),
        ("/me/decisions", "/v1/me/decisions"),
        ("/me/decisions/", "/v1/me/decisions"),
        ("/api/v1/games", "/v1/games"),
        ("/v2/games", "/v1/games"),
    ],
)
def test_a_slash_at_the_end_or_no_v1(web: FlaskClient, path: str, meant: str) -> None:
    """A path that is nearly right is answered with the right one."""
    sentence = detail(web.get(path), 404, "not_found")

    assert sentence.endswith(f"Did you mean {meant}?")


def test_an_unknown_path_suggests_nothing(web: FlaskClient) -> None:
    """A path that is like none gets the plain sentence."""
    assert "Did you mean" not in detail(web.get("/v1/trains"), 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_called_by_a_program(web: FlaskClient, ada: Headers, method: str) -> None:
    """A program with a token that forgets /v1 is led from the page to the API."""
    body = {"board": "usa", "seats": 2} if method == "POST" else None
    answer = web.open("/games", method=method, json=body, headers=ada)

    refusal = (404, "not_found") if method == "GET" else (405, "method_not_allowed")

    assert "Programs use /v1/games." in detail(answer, *refusal)


def test_a_page_opened_by_a_browser(web: FlaskClient, ada: Headers) -> None:
    """A browser gets the page, whatever it sends besides."""
    answer = web.get("/games", headers={**ada, "Accept": "text/html"})

    assert "text/html" == answer.mimetype or answer.status_code == 303


def test_a_wrong_method(web: FlaskClient, ada: Headers) -> None:
    """A wrong method is answered with the right ones, also in the Allow header."""
    answer = web.put("/v1/games", json={}, headers=ada)

    assert "GET, HEAD, OPTIONS and POST" in detail(answer, 405, "method_not_allowed")
    assert {"GET", "HEAD", "OPTIONS", "POST"} == set(answer.headers["Allow"].split(", "))


@pytest.mark.parametrize(
    ("body", "at", "says"),
    [
        ({"bord": "usa", "seats": 2}, "bord", "Unknown field; did you mean “board”?"),
        ({"board": "usa", "seats": 2, "bots": {"hardd": 1}}, "bots.hardd", "mean “hard”?"),
        ({"board": "usa", "seats": 2, "bots": {"zz": 1}}, "bots.zz", "“easy”, “medium” and “hard”"),
    ],
)
def test_an_unknown_field(
    web: FlaskClient, ada: Headers, body: dict[str, Any], at: str, says: str
) -> None:
    """An unknown field is answered with the one that was meant, or with all known ones."""
    answer = web.post("/v1/games", json=body, headers=ada)
    detail(answer, 400, "unreadable")
    faults = {fault["at"]: fault["says"] for fault in (answer.json or {})["errors"]}

    assert says in faults[at]


def test_an_unknown_query_parameter(web: FlaskClient, ada: Headers) -> None:
    """So is an unknown parameter of a query."""
    answer = web.get("/v1/games?mein=true", headers=ada)

    assert "did you mean “mine”?" in detail(answer, 400, "unreadable")


def test_a_whole_entry_sent_back(web: FlaskClient, ada: Headers, game: str) -> None:
    """An entry of the menu that comes back whole is answered with what to send."""
    (entry,) = (web.get(f"{game}/decision", headers=ada).json or {})["menu"]
    bodies = (entry, {"choose": entry}, {"choose": {"entry": entry}}, {"action": entry})
    for body in bodies:
        answer = web.post(f"{game}/moves", json=body, headers=ada)
        sentence = detail(answer, 400, "unreadable")
        assert f"{{“choose”: {{“entry”: {entry['n']}, “things”:" in sentence


def test_an_action_by_itself(web: FlaskClient, ada: Headers, game: str) -> None:
    """An action without its field, and a number as a choice, are answered with the right form."""
    (entry,) = (web.get(f"{game}/decision", headers=ada).json or {})["menu"]
    bare = web.post(f"{game}/moves", json=entry["action"], headers=ada)
    number = web.post(f"{game}/moves", json={"choose": 1}, headers=ada)

    assert "{“action”: {…}}" in detail(bare, 400, "unreadable")
    assert "{“choose”: {“entry”: 1}}" in detail(number, 400, "unreadable")


def test_a_whole_way_sent_back(web: FlaskClient, ada: Headers, game: str) -> None:
    """A way of the decision in place of its key is answered with what to send."""
    body = {"choose": {"entry": 1, "way": {"text": "1 purple", "label": "1 purple"}}}

    answer = web.post(f"{game}/moves", json=body, headers=ada)

    assert "not the whole way" in detail(answer, 400, "unreadable")


def test_an_entry_counted_from_zero(web: FlaskClient, ada: Headers, game: str) -> None:
    """Entries are numbered from 1, as the answer to entry 0 says."""
    answer = web.post(f"{game}/moves", json={"choose": {"entry": 0}}, headers=ada)

    assert "they begin at 1" in detail(answer, 400, "unreadable")


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        ("application/x-www-form-urlencoded", "this body came as a form"),
        (None, "this body came without a Content-Type"),
        ("text/plain", "this body came as text/plain"),
    ],
)
def test_json_without_its_type(
    web: FlaskClient, ada: Headers, kind: str | None, advice: str
) -> None:
    """JSON sent as something else is answered with the right type and the one that came."""
    answer = web.post(
        "/v1/games", data='{"board": "usa", "seats": 2}', content_type=kind, headers=ada
    )
    sentence = detail(answer, 415, "unsupported_media_type")

    assert "Content-Type: application/json" in sentence
    assert advice in sentence


def test_a_version_in_the_body(web: FlaskClient, ada: Headers, game: str) -> None:
    """A version in the body is answered with the header to send."""
    answer = web.post(f"{game}/moves", json={"text": "1", "version": 57}, headers=ada)

    assert 'If-Match: "57"' in detail(answer, 400, "unreadable")


def test_an_unquoted_version(web: FlaskClient, ada: Headers, game: str) -> None:
    """A version without quotes is answered with the same version in quotes."""
    answer = web.post(f"{game}/moves", json={"text": "1"}, headers={**ada, "If-Match": "12"})

    assert 'such as "12"' in detail(answer, 400, "unreadable")


def test_a_key_used_twice(web: FlaskClient, ada: Headers) -> None:
    """A key for another request is refused with advice; for the same one it is replayed."""
    keyed = {**ada, "Idempotency-Key": "always-the-same"}
    first = web.post("/v1/games", json={"board": "usa", "seats": 2}, headers=keyed)
    again = web.post("/v1/games", json={"board": "usa", "seats": 2}, headers=keyed)
    other = web.post("/v1/games", json={"board": "usa", "seats": 3}, headers=keyed)

    assert (201, 201) == (first.status_code, again.status_code)
    assert "Make a new key for each request" in detail(other, 422, "idempotency_mismatch")
