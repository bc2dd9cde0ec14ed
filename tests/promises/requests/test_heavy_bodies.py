"""Promise 31: no request of 64 kB costs much CPU, or gets a long response."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.http.forms import MOST_FIELDS
from api.http.forms import URLENCODED as FORM
from api.http.json_body import MOST_BYTES, MOST_ITEMS
from api.http.request import MOST_FAULTS
from tests.api.serving import fresh_app, newcomer
from tests.promises.requests.heavy_bodies import OPERATIONS, Operation, bodies
from tests.support.mail_links import placed

CPU = 0.1
"""Seconds of CPU; the worst body takes a tenth of it on a quiet machine."""
LONGEST_ANSWER = 8 * 1024


class Attacker:
    """A client with an account and a running game, who sends bodies."""

    def __init__(self, web: FlaskClient) -> None:
        self._web = web
        _, self._headers = newcomer(web, "Mallory")
        body = {"board": "usa", "seats": 2, "bots": {"easy": 1}}
        self._game = (web.post("/v1/games", json=body, headers=self._headers).json or {})["id"]

    def send(self, operation: Operation, body: bytes) -> TestResponse:
        """Send this body, and return the response."""
        return self._web.open(
            operation.path.format(game=self._game),
            method=operation.method,
            data=body,
            headers=self._headers,
            content_type="application/json",
        )

    def cost(self, operation: Operation, body: bytes) -> "Cost":
        """The CPU time and the length of the response for this body."""
        before = time.process_time()
        answer = self.send(operation, body)
        return Cost(time.process_time() - before, len(answer.data))

    def refusal(self, operation: Operation, body: bytes) -> dict[str, Any]:
        """The problem document in response to this body."""
        document: dict[str, Any] | None = self.send(operation, body).json
        assert document is not None
        return document


class Cost(NamedTuple):
    """Seconds of CPU, and the length of the response in bytes."""

    seconds: float
    length: int

    @property
    def is_high(self) -> bool:
        """Whether one of them is above its limit."""
        return self.seconds > CPU or self.length > LONGEST_ANSWER


@pytest.fixture(scope="module")
def attacker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacker]:
    """A client in its own game."""
    app, desk = fresh_app(f"sqlite:///{tmp_path_factory.mktemp('heavy')}/nightmail.db")
    yield Attacker(app.test_client())
    desk.close()


@pytest.mark.parametrize("operation", OPERATIONS, ids=range(len(OPERATIONS)))
def test_no_body_costs_much(attacker: Attacker, operation: Operation) -> None:
    """No body of 64 kB takes more than CPU seconds, or gets a response above LONGEST_ANSWER."""
    costly = {}
    for name, body in bodies(operation.legal).items():
        assert MOST_BYTES >= len(body), name
        if attacker.cost(operation, body).is_high:
            cost = attacker.cost(operation, body)  # again: the machine may have been busy
            if cost.is_high:
                costly[name] = cost

    assert {} == costly


def test_every_operation_with_a_body_is_attacked(tmp_path: Path) -> None:
    """Every operation that the OpenAPI document gives a JSON body is among OPERATIONS."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db") as place:
        document = place.web.get("/openapi.json").json or {}
    taken = {
        (method.upper(), path)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if method != "parameters"
        and "application/json" in operation.get("requestBody", {}).get("content", {})
    }

    named = {
        (
            attacked.method,
            attacked.path.replace("webhooks/none", "webhooks/{webhook}").replace(
                "destinations/none", "destinations/{destination}"
            ),
        )
        for attacked in OPERATIONS
    }
    assert taken == named


def test_at_most_twenty_faults_are_named(attacker: Attacker) -> None:
    """A list with 500 faults names the first MOST_FAULTS, and counts the others."""
    operation = next(each for each in OPERATIONS if each.path == "/v1/me")
    items = ",".join(["0"] * 500)
    answer = attacker.refusal(operation, f'{{"absences": [{items}]}}'.encode())

    assert MOST_FAULTS == len(answer["errors"])
    assert "There are 500 faults in all; 480 more are not listed." in answer["detail"]


def test_the_values_of_a_body_are_counted(attacker: Attacker) -> None:
    """A body with more than MOST_ITEMS values is refused; one at the limit is read."""
    operation = OPERATIONS[0]
    items = ",".join(["[]"] * MOST_ITEMS)
    answer = attacker.refusal(operation, f'{{"a": [{items}]}}'.encode())
    fitting = ",".join(["[]"] * (MOST_ITEMS - 1))
    read = attacker.refusal(operation, f'{{"a": [{fitting}]}}'.encode())

    assert f"The body has more than {MOST_ITEMS} values." == answer["detail"]
    assert read["detail"].startswith("name: Missing")


def test_a_form_with_thousands_of_fields_is_refused(tmp_path: Path) -> None:
    """A form with more than MOST_FIELDS fields is refused with 400; one at the limit is read."""
    with placed(f"sqlite:///{tmp_path}/nightmail.db") as place:
        many = place.web.post("/sign-in", data="a&" * MOST_FIELDS, content_type=FORM)
        fewer = place.web.post("/sign-in", data="a&" * (MOST_FIELDS - 1), content_type=FORM)

    assert (400, 403) == (many.status_code, fewer.status_code)
