"""Promise 3: the same Idempotency-Key has one effect and one answer; another body is refused."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from sqlalchemy import text

from service.games import moves
from store.database import Database
from tests.promises.support.database_checks import count, moves_of
from tests.promises.support.http_calls import (
    Json,
    Reachable,
    Request,
    Response,
    Volley,
    asking,
    send,
)
from tests.promises.support.web_server import (
    Table,
    Web,
    fresh_name,
    moving,
    newcomer,
    opened,
    served_here,
)

COPIES = 16


def _check_copies(copies: list[Response]) -> None:
    """Check that all responses are 201 with the same body."""
    assert {201} == {copy.status for copy in copies}
    assert 1 == len({copy.body for copy in copies})


def _check_other(response: Response) -> None:
    assert (422, "idempotency_mismatch") == (response.status, response.code)


def _check_moves(web: Reachable, database: Database, keys: int) -> None:
    """Check that moves sent sixteen times at once, one for each key, are made once each."""
    table = Table(web, "repeats")
    with Volley(COPIES) as volley:
        for _ in range(keys):
            player, decision = table.awaited()
            action, key = table.action(decision), secrets.token_hex(8)
            request = moving(table.game, player, action, Idempotency_Key=key)
            _check_copies(volley.fire(web, [request] * COPIES))
            other = asking("POST", request.path, {"text": "1"}, player.token, Idempotency_Key=key)
            _check_other(send(web, other))
    stored = [move for game in table.games for move in moves_of(database, game)]
    assert keys == len({move.key for move in stored if move.key})
    assert keys + len(table.games) == len(stored)


def test_copies_of_a_move(web: Web) -> None:
    """Of sixteen copies of a move one is made, and all get the same response; fifty times."""
    database = Database(web.url)
    try:
        _check_moves(web, database, 50)
    finally:
        database.close()


class Creating(NamedTuple):
    """A kind of request that creates something."""

    table: str
    """The table that has one row more afterwards."""
    request: Callable[[Reachable, str], tuple[Request, Request]]
    """A request with this key, and a different one with the same key."""


def _twice(path: str, token: str, key: str, body: Json, other: Json) -> tuple[Request, Request]:
    same = asking("POST", path, body, token, Idempotency_Key=key)
    return same, asking("POST", path, other, token, Idempotency_Key=key)


def _account(_: Reachable, key: str) -> tuple[Request, Request]:
    name = {"name": fresh_name(), "email": f"{key}@example.org"}
    return _twice("/v1/accounts", "", key, name, {"name": fresh_name()})


def _token(web: Reachable, key: str) -> tuple[Request, Request]:
    body = {"label": "phone", "scopes": ["read"]}
    return _twice(
        "/v1/me/tokens", newcomer(web).token, key, body, body | {"scopes": ["read", "play"]}
    )


def _game(web: Reachable, key: str) -> tuple[Request, Request]:
    body = {"board": "europe", "seats": 3}
    return _twice("/v1/games", newcomer(web).token, key, body, body | {"seats": 4})


def _seat(web: Reachable, key: str) -> tuple[Request, Request]:
    made = asking("POST", "/v1/games", {"board": "uk", "seats": 2}, newcomer(web).token)
    path = f"/v1/games/{send(web, made).json['id']}/seats"
    return _twice(path, newcomer(web).token, key, {"nonce": "mine"}, {"nonce": "other"})


def _message(web: Reachable, key: str) -> tuple[Request, Request]:
    players = newcomer(web), newcomer(web)
    path = f"/v1/games/{opened(web, *players)}/messages"
    return _twice(path, players[0].token, key, {"text": "Hello."}, {"text": "Goodbye."})


def _commitment(web: Reachable, key: str) -> tuple[Request, Request]:
    token = newcomer(web).token
    same = asking("POST", "/v1/commitments", None, token, Idempotency_Key=key)
    body = {"board": "uk", "seats": 2}
    return same, asking("POST", "/v1/games", body, token, Idempotency_Key=key)


CREATING = {
    "commitment": Creating("commitments", _commitment),
    "account": Creating("accounts", _account),
    "token": Creating("tokens", _token),
    "game": Creating("games", _game),
    "seat": Creating("seats", _seat),
    "message": Creating("messages", _message),
}


@pytest.mark.parametrize("name", CREATING)
def test_copies_of_what_creates(web: Web, name: str) -> None:
    """Sixteen copies of a request create one row, and all get the same response."""
    database = Database(web.url)
    try:
        _check_creating(web, database, CREATING[name], keys=10)
    finally:
        database.close()


def _check_creating(web: Reachable, database: Database, creating: Creating, keys: int) -> None:
    with Volley(COPIES) as volley:
        for _ in range(keys):
            same, other = creating.request(web, secrets.token_hex(16))
            before = count(database, creating.table)
            _check_copies(volley.fire(web, [same] * COPIES))
            _check_other(send(web, other))
            assert before + 1 == count(database, creating.table)


@contextmanager
def _faulty(url: str) -> Iterator[tuple[Reachable, Database]]:
    with served_here(url) as here:
        database = Database(url)
        try:
            yield here, database
        finally:
            database.close()


def test_forgotten_keys_are_noticed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: if a move's key is not looked up before the move, the check fails."""
    monkeypatch.setattr(moves, "_made_before", lambda *_: None)
    with _faulty(url) as (here, database):
        with database.writing() as tx:
            tx.execute(text("DROP INDEX uq_moves_game_seat_key"))
        with pytest.raises(AssertionError):
            _check_moves(here, database, 5)


def test_missing_second_look_is_noticed(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: without a retry after a key was taken meanwhile, the check fails."""
    monkeypatch.setattr("service.idempotency.ATTEMPTS", 1)
    with _faulty(postgres) as (here, database), pytest.raises(AssertionError):
        _check_creating(here, database, CREATING["game"], keys=20)


def test_answers_stay_the_same(web: Web) -> None:
    """A repeated request gets its first response, although the game has changed since."""
    ada, ben = newcomer(web), newcomer(web)
    opening = asking(
        "POST", "/v1/games", {"board": "usa", "seats": 2}, ada.token, Idempotency_Key="open"
    )
    first = send(web, opening)
    path = f"/v1/games/{first.json['id']}/seats"
    joining = asking("POST", path, {}, ben.token, Idempotency_Key="join")
    second = send(web, joining)
    talking = asking(
        "POST", path.replace("seats", "messages"), {"text": "Hi."}, ben.token, Idempotency_Key="say"
    )
    third = send(web, talking)
    assert 204 == send(web, asking("DELETE", f"{path}/mine", None, ada.token)).status

    assert first.body == send(web, opening).body
    assert second.body == send(web, joining).body
    assert third.body == send(web, talking).body
