"""Destinations over the REST API."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.desk import Desk
from tests.api.serving import fresh_app, newcomer
from tests.support.destinations import base, deliver
from tests.support.hook_receiver import Receiver, receiving

PLACE = "/v1/me/destinations"
TOPIC = {"url": "http://127.0.0.1:1/t"}
Headers = dict[str, str]


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[FlaskClient, Desk]]:
    """A client and its desk, on a service that may call this machine."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db", WEBHOOK_TARGETS="any")
    yield app.test_client(), desk
    desk.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver that takes everything."""
    with receiving() as made:
        yield made


def body_of(answer: TestResponse, status: int = 200) -> Any:
    """Return the JSON of a response, after checking its status."""
    assert status == answer.status_code, answer.text
    return answer.json


def add(web: FlaskClient, headers: Headers, url: str, **more: Any) -> Any:
    """Create a destination on ntfy and return it."""
    body = {"channel": "ntfy", "address": {"url": url}, **more}
    return body_of(web.post(PLACE, json=body, headers=headers), 201)


def test_a_destination_is_added_tested_and_removed(
    both: tuple[FlaskClient, Desk], receiver: Receiver
) -> None:
    """The life of a destination: created, tested, changed, switched off and removed."""
    web, desk = both
    ada = newcomer(web, "Ada")[1]
    made = add(web, ada, f"{base(receiver)}/secret-topic", label="My phone")
    assert ("My phone", True, False, None) == tuple(
        made[name] for name in ("label", "on", "shared", "connect")
    )
    assert "secret-topic" not in str(made)
    here = f"{PLACE}/{made['id']}"

    tested = body_of(web.post(f"{here}/test", headers=ada), 202)
    assert "waiting" == tested["test"]["state"]
    deliver(desk, "ntfy")
    seen = body_of(web.get(here, headers=ada))
    assert "sent" == seen["test"]["state"]
    assert seen["last_success"]

    update = {"types": ["game.finished"], "on": False, "label": "Old phone"}
    changed = body_of(web.patch(here, json=update, headers=ada))
    assert (["game.finished"], False, "Old phone") == tuple(
        changed[name] for name in ("types", "on", "label")
    )
    assert "You have switched it off." == changed["off_reason"]
    assert 204 == web.delete(here, headers=ada).status_code
    assert 404 == web.get(here, headers=ada).status_code
    assert [] == body_of(web.get(PLACE, headers=ada))["destinations"]


def test_destinations_belong_to_their_account(
    both: tuple[FlaskClient, Desk], receiver: Receiver
) -> None:
    """Others find nothing at the same address, whatever they do there."""
    web, _ = both
    ada, eve = newcomer(web, "Ada")[1], newcomer(web, "Eve")[1]
    here = f"{PLACE}/{add(web, ada, f'{base(receiver)}/t')['id']}"
    for answer in (
        web.get(here, headers=eve),
        web.patch(here, json={"on": False}, headers=eve),
        web.delete(here, headers=eve),
        web.post(f"{here}/test", headers=eve),
    ):
        assert (404, "not_found") == (answer.status_code, body_of(answer, 404)["code"])
    assert body_of(web.get(here, headers=ada))["on"]


def test_a_token_that_may_not_manage_sees_nothing(
    both: tuple[FlaskClient, Desk],
) -> None:
    """Reading and playing is not enough for destinations."""
    web, _ = both
    ada = newcomer(web, "Ada")[1]
    body: dict[str, Any] = {"label": "bot", "scopes": ["read", "play"]}
    token = body_of(web.post("/v1/me/tokens", json=body, headers=ada), 201)["token"]
    weak = {"Authorization": f"Bearer {token}"}
    assert 403 == web.get(PLACE, headers=weak).status_code
    body = {"channel": "ntfy", "address": TOPIC}
    assert 403 == web.post(PLACE, json=body, headers=weak).status_code


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"channel": "pigeon", "address": {}}, "channel"),
        ({"channel": "mail", "address": {}}, "channel"),
        ({"channel": "ntfy", "address": {}}, "url"),
        ({"channel": "ntfy", "address": {"url": "nonsense"}}, "url"),
        ({"channel": "ntfy", "address": {**TOPIC, "password": "x"}}, "address"),
        ({"channel": "ntfy", "address": {**TOPIC, "token": "two\nlines"}}, "address"),
        ({"channel": "ntfy", "address": {"url": 7}}, "address"),
        ({"channel": "ntfy", "address": "http://127.0.0.1:1/t"}, "address"),
        ({"channel": "ntfy", "address": TOPIC, "types": []}, "types"),
        (
            {
                "channel": "ntfy",
                "address": TOPIC,
                "types": ["game.moved"],
            },
            "types",
        ),
        (
            {"channel": "ntfy", "address": TOPIC, "game": "x" * 22},
            "game",
        ),
        ({"channel": "ntfy"}, "address"),
        ({"channel": "web_push", "address": {"endpoint": "http://127.0.0.1:1/p"}}, "p256dh"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(
    both: tuple[FlaskClient, Desk], body: dict[str, Any], field: str
) -> None:
    """The problem names the wrong field, and there is no destination afterwards."""
    web, _ = both
    ada = newcomer(web, "Ada")[1]
    problem = body_of(web.post(PLACE, json=body, headers=ada), 400)
    assert any(error["at"].startswith(field) for error in problem["errors"]), problem
    assert [] == body_of(web.get(PLACE, headers=ada))["destinations"]


def test_the_same_place_twice_is_refused(
    both: tuple[FlaskClient, Desk], receiver: Receiver
) -> None:
    """Otherwise each message would come twice; a repeated request is the same destination."""
    web, _ = both
    ada = newcomer(web, "Ada")[1]
    url = f"{base(receiver)}/t"
    keyed = {**ada, "Idempotency-Key": "one"}
    first = add(web, keyed, url)
    assert first["id"] == add(web, keyed, url)["id"]
    body = {"channel": "ntfy", "address": {"url": url}}
    answer = web.post(PLACE, json=body, headers=ada)
    assert "destination_exists" == body_of(answer, 409)["code"]
    other = {"channel": "ntfy", "address": {"url": f"{url}2"}}
    answer = web.post(PLACE, json=other, headers=keyed)
    assert "idempotency_mismatch" == body_of(answer, 422)["code"]


def test_channels_say_what_they_need(both: tuple[FlaskClient, Desk]) -> None:
    """A client learns the inputs of each channel, what it has to know, and what is not set up."""
    web, _ = both
    ada = newcomer(web, "Ada")[1]
    listed = body_of(web.get(PLACE, headers=ada))["channels"]
    known = {channel["name"]: channel for channel in listed}
    assert ["web_push", "discord", "slack", "telegram", "matrix", "ntfy"] == list(known)
    assert ["url", "token"] == [part["name"] for part in known["ntfy"]["inputs"]]
    assert 87 == len(known["web_push"]["facts"]["application_server_key"])
    assert {"telegram", "matrix"} == {name for name in known if not known[name]["available"]}
