from typing import Any

import pytest
from flask.testing import FlaskClient
from icalendar import Calendar
from jsonschema import Draft202012Validator

from api.schemas.spec import document
from service import idempotency
from service.games import lobby
from tests.api.resources.test_games import code, opened

OWN = {
    "per_decision": 43200,
    "bank": 86400,
    "reminders": [0.75],
    "window": {"from": "08:00", "to": "22:00"},
    "weekdays": ["mon", "tue", "wed", "thu", "fri"],
    "time_zone": "Europe/Paris",
    "absences": False,
}


def _game(web: FlaskClient, id: str, caller: dict[str, str]) -> dict[str, Any]:
    fields: dict[str, Any] | None = web.get(f"/v1/games/{id}", headers=caller).json
    assert fields is not None
    return fields


def test_a_game_shows_its_clock(web: FlaskClient, ada: dict[str, str]) -> None:
    """A game shows the name and numbers of its preset pace; a pace of its own is `custom`."""
    preset = _game(web, opened(web, ada, pace="live"), ada)
    assert "live" == preset["pace"]
    assert (300, 0, False) == tuple(
        preset["clock"][name] for name in ("per_decision", "bank", "absences")
    )
    assert ("none", None) == tuple(
        _game(web, opened(web, ada, pace="none"), ada)[name] for name in ("pace", "clock")
    )

    own = _game(web, opened(web, ada, pace=OWN), ada)
    assert ("custom", OWN) == (own["pace"], own["clock"])


@pytest.mark.parametrize(
    ("pace", "place"),
    [
        ("quick", "pace"),
        (None, "pace"),
        ([], "pace"),
        ({}, "pace.per_decision"),
        ({**OWN, "bank": 0.5}, "pace.bank"),
        ({**OWN, "time_zone": "Mars"}, "pace.time_zone"),
        ({**OWN, "lunch": True}, "pace"),
    ],
    ids=repr,
)
def test_what_is_no_pace_is_unreadable(
    web: FlaskClient, ada: dict[str, str], pace: Any, place: str
) -> None:
    """An invalid pace gets 400 with the place of the error, and no game is opened."""
    body = {"board": "usa", "seats": 2, "pace": pace}
    answer = web.post("/v1/games", json=body, headers=ada)

    assert (400, "unreadable") == (answer.status_code, code(answer))
    assert answer.json is not None
    assert [place] == [fault["at"] for fault in answer.json["errors"]]
    assert {"games": []} == web.get("/v1/games").json


def test_the_same_pace_is_the_same_request(web: FlaskClient, ada: dict[str, str]) -> None:
    """An Idempotency-Key covers the whole pace: the same key with another pace is refused."""
    body = {"board": "usa", "seats": 2, "pace": OWN}
    keyed = {**ada, "Idempotency-Key": "k"}
    first = web.post("/v1/games", json=body, headers=keyed)
    again = web.post("/v1/games", json=body, headers=keyed)
    other = web.post("/v1/games", json={**body, "pace": {**OWN, "bank": 0}}, headers=keyed)

    assert (201, first.json) == (again.status_code, again.json)
    assert "idempotency_mismatch" == code(other)


def test_a_clock_may_be_sent_as_pace(web: FlaskClient, ada: dict[str, str]) -> None:
    """What older clients send means the same, and has its own answer under its own key."""
    body = {"board": "usa", "seats": 2}
    seen = [
        web.post("/v1/games", json=body | each, headers={**ada, "Idempotency-Key": str(each)})
        for each in ({"clock": OWN}, {"pace": OWN}, {"pace": "none", "clock": OWN})
    ]

    assert [201, 201, 201] == [answer.status_code for answer in seen]
    assert [OWN] * 3 == [(answer.json or {})["clock"] for answer in seen]
    assert ["custom"] * 3 == [(answer.json or {})["pace"] for answer in seen]


def test_a_key_from_before_clocks_still_finds_its_answer(
    web: FlaskClient, ada: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is remembered of a request has a clock only if the request has one."""
    bodies: list[Any] = []
    once = idempotency.once

    def noting(*words: Any) -> Any:
        bodies.append(words[4])
        return once(*words)

    monkeypatch.setattr(lobby, "once", noting)
    opened(web, ada)
    opened(web, ada, clock=OWN)

    assert [None, OWN] == [body.get("clock") for body in bodies]
    assert [False, True] == ["clock" in body for body in bodies]


def test_the_document_describes_what_is_answered(web: FlaskClient, ada: dict[str, str]) -> None:
    """Games and requests of every pace fit their schemas in the OpenAPI document."""
    schemas = document(web.application)["components"]
    for pace in ({"pace": "days"}, {"pace": "none"}, {"clock": OWN}):
        id = opened(web, ada, **pace, bots={"easy": 1})
        seen = _game(web, id, ada)
        assert [[], []] == [player["absences"] for player in seen["players"]]
        _fits(seen, "Game", schemas)
        _fits({"board": "usa", "seats": 2, **pace}, "GameRequest", schemas)
        _fits(web.get("/v1/games").json, "GameList", schemas)
    _fits(web.get("/v1/me", headers=ada).json, "Account", schemas)
    wrong = {"board": "usa", "seats": 2, "clock": {"bank": 7}}
    schema = {**schemas["schemas"]["GameRequest"], "components": schemas}
    assert not Draft202012Validator(schema).is_valid(wrong)


def _fits(value: Any, name: str, components: dict[str, Any]) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": components}
    Draft202012Validator(schema).validate(value)


def test_a_calendar_is_read_without_a_token(web: FlaskClient, ada: dict[str, str]) -> None:
    """The calendar link in the account needs no token, and its ETag gets 304."""
    id = opened(web, ada, bots={"easy": 1}, title="Night train")
    me = web.get("/v1/me", headers=ada).json
    assert me is not None
    path = me["calendar"].removeprefix("http://127.0.0.1:8000")
    answer = web.get(path)
    (event,) = Calendar.from_ical(answer.text).walk("VEVENT")

    assert (200, "text/calendar") == (answer.status_code, answer.mimetype)
    assert "Your move in Night train" == event["summary"]
    assert id in str(event["uid"])
    again = web.get(path, headers={"If-None-Match": answer.headers["ETag"]})
    assert (304, b"") == (again.status_code, again.data)


def test_a_calendar_has_a_new_link_on_request(web: FlaskClient, ada: dict[str, str]) -> None:
    """A new calendar link replaces the old one; a token with `read` and `play` only is refused."""
    body = {"label": "x", "scopes": ["read", "play"]}
    made = web.post("/v1/me/tokens", json=body, headers=ada).json
    me = web.get("/v1/me", headers=ada).json
    assert made is not None
    assert me is not None
    refused = web.post("/v1/me/calendar", headers={"Authorization": f"Bearer {made['token']}"})
    answer = web.post("/v1/me/calendar", headers=ada)
    assert answer.json is not None
    paths = [link["calendar"].removeprefix("http://127.0.0.1:8000") for link in (me, answer.json)]

    assert (403, 201) == (refused.status_code, answer.status_code)
    assert [404, 200] == [web.get(path).status_code for path in paths]


def test_a_calendar_cannot_be_guessed(web: FlaskClient, ada: dict[str, str]) -> None:
    """A calendar link that is wrong or incomplete gets 404."""
    me = web.get("/v1/me", headers=ada).json
    assert me is not None
    path = me["calendar"].removeprefix("http://127.0.0.1:8000")
    for wrong in (path[:-6] + "x.ics", "/calendar/x.ics", "/calendar/.ics", path[:-4]):
        answer = web.get(wrong)
        assert (404, "not_found") == (answer.status_code, code(answer))
