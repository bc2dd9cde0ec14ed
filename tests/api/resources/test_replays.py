"""A repeated Idempotency-Key gets an honest response when what it created is gone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.serving import fresh_app, newcomer

Headers = dict[str, str]
KEY = {"Idempotency-Key": "the same key every time"}
GAME: dict[str, Any] = {"board": "usa", "seats": 3}
HOOK = {"url": "https://example.org/hook"}
TOKEN = {"label": "bot", "scopes": ["read"]}


class Caller:
    """A client that sends every request with the same Idempotency-Key."""

    def __init__(self, web: FlaskClient, name: str) -> None:
        self.web = web
        self.name = name
        _, self.headers = newcomer(web, name)

    def post(self, path: str, body: Any = None) -> TestResponse:
        """Send a POST request with the key."""
        return self.web.post(f"/v1{path}", json=body, headers={**self.headers, **KEY})

    def delete(self, path: str) -> None:
        """Send a DELETE request, which must succeed."""
        assert self.web.delete(f"/v1{path}", headers=self.headers).status_code in (200, 204)


@pytest.fixture
def ada(tmp_path: Path) -> Iterator[Caller]:
    """An account on a service of its own."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db")
    yield Caller(app.test_client(), "Ada")
    desk.close()


def _summary(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, (answer.json or {})["code"]


@pytest.mark.parametrize(
    ("path", "body", "gone"),
    [
        ("/me/webhooks", HOOK, "/me/webhooks/{id}"),
        ("/me/tokens", TOKEN, "/me/tokens/{id}"),
        ("/games", GAME, "/games/{id}/seats/mine"),
    ],
)
def test_what_was_deleted_is_not_made_again_or_said_to_be_there(
    ada: Caller, path: str, body: Any, gone: str
) -> None:
    """A repeated key gets the same response while the resource exists, and 410 afterwards."""
    first, second = ada.post(path, body), ada.post(path, body)
    assert (201, first.json) == (second.status_code, second.json)
    ada.delete(gone.format(id=(first.json or {})["id"]))
    assert (410, "gone") == _summary(ada.post(path, body))


def test_an_account_that_was_deleted_is_gone(ada: Caller) -> None:
    """After an account is deleted, its repeated key gets 410 and creates no account."""
    body = {"name": "Ben"}
    made = ada.web.post("/v1/accounts", json=body, headers=KEY).json or {}
    ben = {"Authorization": f"Bearer {made['token']['token']}"}
    assert 204 == ada.web.delete("/v1/me", headers=ben).status_code
    assert (410, "gone") == _summary(ada.web.post("/v1/accounts", json=body, headers=KEY))


def test_a_seat_that_was_given_up_is_gone(ada: Caller) -> None:
    """After a seat is given up, the repeated key that took it gets 410."""
    game = (ada.post("/games", GAME).json or {})["id"]
    ben = Caller(ada.web, "Ben")
    assert 201 == ben.post(f"/games/{game}/seats", {}).status_code
    ben.delete(f"/games/{game}/seats/mine")
    assert (410, "gone") == _summary(ben.post(f"/games/{game}/seats", {}))


@pytest.mark.parametrize("path", ["secret", "ping"])
def test_what_hangs_on_a_hook_goes_with_it(ada: Caller, path: str) -> None:
    """After a webhook is deleted, a repeated key for its secret or a ping gets 404."""
    hook = (ada.web.post("/v1/me/webhooks", json=HOOK, headers=ada.headers).json or {})["id"]
    assert ada.post(f"/me/webhooks/{hook}/{path}").status_code in (201, 202)
    ada.delete(f"/me/webhooks/{hook}")
    assert (404, "not_found") == _summary(ada.post(f"/me/webhooks/{hook}/{path}"))


def test_a_message_goes_with_its_table(ada: Caller) -> None:
    """After a table is deleted, the repeated key of a message at it gets 404."""
    game = (ada.web.post("/v1/games", json=GAME, headers=ada.headers).json or {})["id"]
    body = {"text": "hello"}
    assert 201 == ada.post(f"/games/{game}/messages", body).status_code
    ada.delete(f"/games/{game}/seats/mine")
    assert (404, "not_found") == _summary(ada.post(f"/games/{game}/messages", body))


def test_a_secret_that_was_replaced_is_not_shown_as_the_one_in_use(ada: Caller) -> None:
    """After the secret of a webhook is replaced, the key that created the webhook gets 410."""
    hook = (ada.post("/me/webhooks", HOOK).json or {})["id"]
    place = f"/v1/me/webhooks/{hook}/secret"
    assert 201 == ada.web.post(place, headers=ada.headers).status_code
    assert (410, "gone") == _summary(ada.post("/me/webhooks", HOOK))


def test_a_calendar_link_that_was_replaced_is_gone(ada: Caller) -> None:
    """After a calendar link is replaced, the repeated key that made it gets 410."""
    assert 201 == ada.post("/me/calendar").status_code
    assert 201 == ada.post("/me/calendar").status_code
    assert 201 == ada.web.post("/v1/me/calendar", headers=ada.headers).status_code
    assert (410, "gone") == _summary(ada.post("/me/calendar"))
