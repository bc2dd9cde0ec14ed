"""What we refuse in a request is said by its schema, wherever a schema can say it."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.clients.documents import document

TOKEN: dict[str, Any] = {"label": "bot", "scopes": ["read"]}
GAME: dict[str, Any] = {"board": "usa", "seats": 2}
BOTS: dict[str, Any] = {"board": "usa", "games": 1}


def _faults(schema: str, body: Any) -> list[str]:
    made = document()
    refer = {"$ref": f"#/components/schemas/{schema}", "components": made["components"]}
    return [error.message for error in Draft202012Validator(refer).iter_errors(body)]


@pytest.mark.parametrize(
    ("schema", "body"),
    [
        ("InvitationWanted", {}),
        ("InvitationWanted", {"name": "Ada", "email": "ada@example.org"}),
        ("InvitationWanted", {"email": "nobody"}),
        ("InvitationWanted", {"name": "A\nB"}),
        ("MoveWanted", {}),
        ("MoveWanted", {"action": {"type": "pass"}, "text": "pass"}),
        ("MoveWanted", {"text": ""}),
        ("AccountWanted", {"name": "  "}),
        ("AccountWanted", {"name": "A\x07"}),
        ("AccountWanted", {"name": "Ada", "email": "ada@localhost"}),
        ("AccountWanted", {"name": "Ada", "locale": "english please"}),
        ("AccountWanted", {"name": "Ada", "time_zone": "half past two"}),
        ("MeWanted", {"email": "@"}),
        ("MeWanted", {"locale": "e"}),
        ("MeWanted", {"time_zone": ""}),
        ("MeWanted", {"absences": [{"from": "1 July", "to": "2030-07-02"}]}),
        ("TokenWanted", {**TOKEN, "label": " "}),
        ("TokenWanted", {**TOKEN, "expires": "tomorrow"}),
        ("WebhookWanted", {"url": "example.org"}),
        ("WebhookWanted", {"url": "https://example.org/a b"}),
        ("WebhookWanted", {"url": "https://example.org/", "game": "not an id"}),
        ("WebhookChange", {"url": "ftp://example.org/"}),
        ("MessageWanted", {"text": " \n "}),
        ("GameWanted", {**GAME, "title": "\t"}),
        ("GameWanted", {**GAME, "nonce": " mine"}),
        ("GameWanted", {**GAME, "pace": {"per_decision": 60, "time_zone": "here and now"}}),
        ("SeatWanted", {"nonce": "mine "}),
        ("BotGamesWanted", {**BOTS, "opponents": ["Eve", "Eve"]}),
        ("BotGamesWanted", {**BOTS, "opponents": ["\n"]}),
    ],
)
def test_a_schema_says_what_is_refused(schema: str, body: Any) -> None:
    """Whoever checks a body by the schema learns it before we say so."""
    assert [] != _faults(schema, body)


@pytest.mark.parametrize(
    ("schema", "body"),
    [
        ("InvitationWanted", {"name": "Ada Lovelace"}),
        ("InvitationWanted", {"email": "ada@bücher.example"}),
        ("MoveWanted", {"text": "claim calgary-vancouver with 3 black"}),
        ("AccountWanted", {"name": "Zoë 🚂", "email": None, "locale": "zh-Hant-TW"}),
        ("AccountWanted", {"name": "Ada", "time_zone": "America/Argentina/Buenos_Aires"}),
        ("AccountWanted", {"name": "Ada", "time_zone": "Etc/GMT+12"}),
        ("MeWanted", {}),
        ("MeWanted", {"absences": [{"from": "2030-07-01", "to": "2030-07-02"}]}),
        ("TokenWanted", {**TOKEN, "expires": "2030-01-31T12:00:00.5+01:00"}),
        ("WebhookWanted", {"url": "HTTPS://example.org:8443/hook?a=1&b=%20", "game": None}),
        ("MessageWanted", {"text": "Good luck!\nAnd have fun."}),
        ("GameWanted", {**GAME, "title": "A quiet evening", "nonce": ""}),
        ("GameWanted", {**GAME, "nonce": "x"}),
        ("SeatWanted", {"nonce": "my own words"}),
        ("BotGamesWanted", {**BOTS, "opponents": ["Eve", "Flo"]}),
    ],
)
def test_a_schema_lets_through_what_is_taken(schema: str, body: Any) -> None:
    """What people and programs send in earnest fits."""
    assert [] == _faults(schema, body)


def test_a_new_account_says_how_long_its_key_is() -> None:
    """There the key guards a token, so it has to be hard to guess."""
    (operation,) = document()["paths"]["/v1/accounts"].values()
    (key,) = [one for one in operation["parameters"] if one["name"] == "Idempotency-Key"]
    assert 16 == key["schema"]["minLength"]
