"""Promise 23: a token cannot be guessed, is stored nowhere, and ends when it should."""

import secrets
import string
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Connection, Engine, event

from api.http import rate_limits
from service.desk import Desk
from service.people import tokens
from service.settings import ROWS
from tests.api.serving import KEY, OFTEN, fresh_app, newcomer
from tests.promises.support.database_checks import text_of
from tests.promises.support.http_calls import ask
from tests.promises.support.web_server import Web
from tests.promises.support.web_server import newcomer as web_newcomer
from tests.support.waiting import until

GUESSES = 1500
LETTERS = string.ascii_letters + string.digits
NEW_KEY = "n" * 32


@contextmanager
def _place(url: str, folder: Path, **environ: str) -> Iterator[tuple[FlaskClient, Desk]]:
    app, desk = fresh_app(url, DATA_DIR=str(folder), **environ)
    try:
        yield app.test_client(), desk
    finally:
        desk.close()


def _guess() -> dict[str, str]:
    return {"Authorization": f"Bearer nm_{''.join(secrets.choice(LETTERS) for _ in range(32))}"}


def test_guesses_are_cut_off(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None of 1,500 guesses is accepted: thirty are answered 401, all others 429.

    A valid token from the same address is still accepted.
    """
    monkeypatch.setattr(rate_limits, "time", SimpleNamespace(time=lambda: 1_000_000_040.0))
    with _place(url, tmp_path, RATE_LIMIT_FAILURES="30/minute") as (web, _):
        _, ada = newcomer(web, "Ada")
        statuses = Counter(web.get("/v1/me", headers=_guess()).status_code for _ in range(GUESSES))

        assert {401: 30, 429: GUESSES - 30} == statuses
        assert 200 == web.get("/v1/me", headers=ada).status_code


def test_uncounted_guesses_are_noticed(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: if wrong tokens are not counted, every guess is answered 401."""
    monkeypatch.setattr(rate_limits.Limiter, "count_failure", lambda *_: None)
    with _place(url, tmp_path, RATE_LIMIT_FAILURES="30/minute") as (web, _):
        assert {401} == {web.get("/v1/me", headers=_guess()).status_code for _ in range(50)}


def test_tokens_are_long_and_spread() -> None:
    """3,000 tokens are all different, and every letter and digit occurs in every place."""
    texts = [tokens._token_text(secrets.token_bytes(32)) for _ in range(3000)]

    assert 3000 == len(set(texts))
    for place in range(3, 35):
        assert set(LETTERS) == {text[place] for text in texts}


def _shown(web: FlaskClient) -> list[str]:
    """Valid tokens of both kinds, created with and without an Idempotency-Key."""
    shown = []
    for headers in ({}, {"Idempotency-Key": secrets.token_hex(16)}):
        made: Any = web.post("/v1/accounts", json={"name": secrets.token_hex(8)}, headers=headers)
        shown.append(made.json["token"]["token"])
        headers_sent = {**headers, "Authorization": f"Bearer {shown[-1]}"}
        made = web.post(
            "/v1/me/tokens", json={"label": "x", "scopes": ["read"]}, headers=headers_sent
        )
        shown.append(made.json["token"])
    return shown


def _in_a_copy(folder: Path, shown: list[str], desk: Desk) -> list[str]:
    """The tokens that a copy of the database contains."""
    copied = text_of(desk.database).encode()
    if desk.database.is_sqlite:
        copied += b"".join(file.read_bytes() for file in folder.iterdir())
    texts = [text.removeprefix("nm_").encode() for text in shown]
    return [text.decode() for text in texts if text in copied or text.hex().encode() in copied]


def test_a_stolen_database_holds_no_token(url: str, tmp_path: Path) -> None:
    """Neither files nor rows of the database contain a valid token; its hash is there."""
    with _place(url, tmp_path) as (web, desk):
        shown = _shown(web)

        assert [] == _in_a_copy(tmp_path, shown, desk)
        for text in shown:
            assert tokens._hash(text).hex() in text_of(desk.database)


def test_tokens_in_clear_are_noticed(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted fault: tokens stored in plain text are found."""
    monkeypatch.setattr(tokens, "_hash", lambda text: text.encode())
    with _place(url, tmp_path) as (web, desk):
        assert 4 == len(_in_a_copy(tmp_path, _shown(web), desk))


@pytest.mark.parametrize(("path", "status"), [("/v1/me", 200), ("/v1/games/nowhere", 404)])
def test_tokens_are_looked_up_by_hash(url: str, tmp_path: Path, path: str, status: int) -> None:
    """The database is queried by the token's hash, so its timing says nothing about the token."""
    statements: list[tuple[str, str]] = []

    def note(_: Connection, statement: Any, several: Any, values: Any, __: Any) -> None:
        statements.append((str(statement), str([*several, values])))

    with _place(url, tmp_path) as (web, _):
        text = _shown(web)[0]
        event.listen(Engine, "before_execute", note)
        try:
            answer = web.get(path, headers={"Authorization": f"Bearer {text}"})
        finally:
            event.remove(Engine, "before_execute", note)
        assert status == answer.status_code
    statement, values = statements[0]
    assert "tokens.hash =" in statement
    assert str(tokens._hash(text)) in values
    assert not any(text in values for _, values in statements)


def test_a_revoked_token_dies_at_once(web: Web) -> None:
    """Once a token's revocation is answered, every request with it gets 401."""
    ada = web_newcomer(web)
    for _ in range(10):
        made = ask(web, "POST", "/v1/me/tokens", {"label": "x", "scopes": ["read"]}, ada.token).json
        before = {ask(web, "GET", "/v1/me", None, made["token"]).status for _ in range(4)}
        assert 200 == ask(web, "DELETE", f"/v1/me/tokens/{made['id']}", None, ada.token).status
        after = {ask(web, "GET", "/v1/me", None, made["token"]).status for _ in range(4)}
        assert ({200}, {401}) == (before, after)


def test_an_expired_token_dies_at_once(web: Web) -> None:
    """A token is accepted before it expires, and never afterwards."""
    ada = web_newcomer(web)
    expires = datetime.now(UTC) + timedelta(seconds=1)
    body = {"label": "x", "scopes": ["read"], "expires": expires.isoformat()}
    made = ask(web, "POST", "/v1/me/tokens", body, ada.token).json
    statuses: list[int] = []

    def over() -> bool:
        late = datetime.now(UTC) >= expires
        status = ask(web, "GET", "/v1/me", None, made["token"]).status
        assert not late or 401 == status
        statuses.append(status)
        return late

    until(over, "the expiry")
    assert 200 == statuses[0]
    assert 401 == statuses[-1]


def test_keys_rotate_without_a_break(url: str, tmp_path: Path) -> None:
    """With a new key before the old one tokens work, and repeated requests get the same response.

    When the old key is dropped tokens still work; a response derived from it cannot be repeated.
    """
    body = {"name": "Ada"}
    headers = {"Idempotency-Key": "k" * 16}
    with _place(url, tmp_path, SECRET_KEYS=KEY) as (web, _):
        made = web.post("/v1/accounts", json=body, headers=headers)
        assert made.json is not None
        bearer = {"Authorization": f"Bearer {made.json['token']['token']}"}
    with _place(url, tmp_path, SECRET_KEYS=f"{NEW_KEY},{KEY}") as (web, _):
        again = web.post("/v1/accounts", json=body, headers=headers)
        # The calendar link is signed with the new key; the old link still works.
        first, second = made.json, again.json or {}
        first["account"].pop("calendar")
        second["account"].pop("calendar")
        assert (201, first) == (again.status_code, second)
        assert 200 == web.get("/v1/me", headers=bearer).status_code
        other = {**bearer, "Idempotency-Key": "rotated"}
        token = web.post("/v1/me/tokens", json={"label": "x", "scopes": ["read"]}, headers=other)
        assert 201 == token.status_code
    with _place(url, tmp_path, SECRET_KEYS=NEW_KEY) as (web, _):
        same = web.post("/v1/me/tokens", json={"label": "x", "scopes": ["read"]}, headers=other)
        assert token.data == same.data
        gone = web.post("/v1/accounts", json=body, headers=headers)
        assert (422, "idempotency_mismatch") == (gone.status_code, (gone.json or {})["code"])
        assert 200 == web.get("/v1/me", headers=bearer).status_code


def test_limits_are_on_by_default() -> None:
    """The default limit is 30 failures a minute, and the limits that tests raise are settings."""
    assert {"30/minute"} == {ROWS["RATE_LIMIT_FAILURES"].default}
    assert OFTEN.keys() <= ROWS.keys()
