"""Decisions and moves over HTTP: the menu, and answers by action, text and choice."""

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.serving import newcomer
from tests.support.menus import any_form, by_action, by_choice

Headers = dict[str, str]
Json = dict[str, Any]


@pytest.fixture
def ben(web: FlaskClient) -> Headers:
    """Ben's token."""
    return newcomer(web, "Ben")[1]


@pytest.fixture
def game(web: FlaskClient, ada: Headers, ben: Headers) -> str:
    """The path of a running game of Ada and Ben, who choose their first tickets."""
    body = {"board": "europe", "seats": 2}
    answer = web.post("/v1/games", json=body, headers=ada)
    assert answer.json is not None
    path = f"/v1/games/{answer.json['id']}"
    assert 201 == web.post(f"{path}/seats", headers=ben).status_code
    return path


def decision_of(web: FlaskClient, game: str, caller: Headers, query: str = "") -> Json:
    """The open decision of a player."""
    answer = web.get(f"{game}/decision{query}", headers=caller)
    assert answer.json is not None, answer.status_code
    document: Json = answer.json
    return document


def test_a_choice_is_a_move(web: FlaskClient, ada: Headers, ben: Headers, game: str) -> None:
    """Tickets and ways are chosen by entry; the same action can be sent whole."""
    rng = random.Random(3)
    for caller in (ada, ben):
        (entry,) = decision_of(web, game, caller)["menu"]
        assert (
            201 == web.post(f"{game}/moves", json=by_choice(entry, rng), headers=caller).status_code
        )
    caller = ada if web.get(f"{game}/decision", headers=ada).status_code == 200 else ben
    decision = decision_of(web, game, caller)
    station = next(entry for entry in decision["menu"] if entry["group"] == "station")
    made = web.post(f"{game}/moves", json=by_action(decision, station, rng), headers=caller)

    assert 201 == made.status_code
    assert "station_built" == (made.json or {})["events"][0]["event"]["type"]


def test_all_options_are_listed_on_request(web: FlaskClient, ada: Headers, game: str) -> None:
    """`options=all` adds the list, in both places; anything else is refused."""
    assert "options" not in decision_of(web, game, ada)
    listed = decision_of(web, game, ada, "?options=all")["options"]
    (mine,) = web.get("/v1/me/decisions?options=all", headers=ada).json["decisions"]  # type: ignore[index]  # it has a body

    assert len(listed) > 4
    assert listed == mine["options"]
    assert 400 == web.get(f"{game}/decision?options=some", headers=ada).status_code


@pytest.mark.parametrize(
    ("choice", "status", "code"),
    [
        ({"entry": 1, "things": []}, 422, "illegal"),
        ({"entry": 1, "things": ["nowhere"]}, 422, "illegal"),
        ({"entry": 1}, 400, "unreadable"),
        ({"entry": 2, "things": []}, 400, "unreadable"),
        ({"entry": 0, "things": []}, 400, "unreadable"),
        ({"entry": 1, "way": "2 red"}, 400, "unreadable"),
        ({"entry": 1, "things": [{}]}, 400, "unreadable"),
        ({"entry": "1"}, 400, "unreadable"),
        ({}, 400, "unreadable"),
    ],
)
def test_a_bad_choice_changes_nothing(
    web: FlaskClient, ada: Headers, game: str, choice: Json, status: int, code: str
) -> None:
    """A bad choice is refused with a sentence, and the game stays as it was."""
    answer = web.post(f"{game}/moves", json={"choose": choice}, headers=ada)
    assert answer.json is not None

    assert (status, code) == (answer.status_code, answer.json["code"])
    assert answer.json["detail"].endswith(".")
    assert 0 == decision_of(web, game, ada)["version"]


def test_too_few_tickets_are_told_the_number(web: FlaskClient, ada: Headers, game: str) -> None:
    """A choice with too few, foreign or repeated tickets names the number or the ticket."""
    (entry,) = decision_of(web, game, ada)["menu"]
    first = entry["choice"]["things"][0]["value"]

    def detail(*things: str) -> str:
        body = {"choose": {"entry": 1, "things": things}}
        document: Json = web.post(f"{game}/moves", json=body, headers=ada).json or {}
        return str(document["detail"])

    number = "Choose 2 to 4 of them."
    assert f"{number} You chose 1." == detail(first)
    assert f"“{first}” is named twice; name each once. {number}" == detail(first, first)
    assert f"“x” is not one of the things to choose from. {number}" == detail(first, "x")


@pytest.mark.parametrize("body", [{}, {"text": "1", "choose": {"entry": 1}}, {"choose": None}])
def test_one_form_is_sent(web: FlaskClient, ada: Headers, game: str, body: Json) -> None:
    """A body has exactly one of action, text and choose."""
    answer = web.post(f"{game}/moves", json=body, headers=ada)

    assert 400 == answer.status_code


def test_a_choice_is_repeated_by_its_key(web: FlaskClient, ada: Headers, game: str) -> None:
    """The same choice with the same key gets the same receipt; another choice is refused."""
    keyed = {**ada, "Idempotency-Key": "my-choice"}
    decision = decision_of(web, game, ada)
    body = any_form(decision, random.Random(1))
    first = web.post(f"{game}/moves", json=body, headers=keyed)
    again = web.post(f"{game}/moves", json=body, headers=keyed)
    other = web.post(f"{game}/moves", json={"choose": {"entry": 1, "things": []}}, headers=keyed)

    assert (201, first.data) == (first.status_code, again.data)
    assert (422, "idempotency_mismatch") == (other.status_code, (other.json or {})["code"])
