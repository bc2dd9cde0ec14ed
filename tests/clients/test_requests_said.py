"""Request schemas refuse what the API refuses, wherever a schema can express it."""

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
        ("InvitationRequest", {}),
        ("InvitationRequest", {"name": "Ada", "email": "ada@example.org"}),
        ("InvitationRequest", {"email": "nobody"}),
        ("InvitationRequest", {"name": "A\nB"}),
        ("MoveRequest", {}),
        ("MoveRequest", {"action": {"type": "pass"}, "text": "pass"}),
        ("MoveRequest", {"text": ""}),
        ("AccountRequest", {"name": "  "}),
        ("AccountRequest", {"name": "A\x07"}),
        ("AccountRequest", {"name": "Ada", "email": "ada@localhost"}),
        ("AccountRequest", {"name": "Ada", "locale": "english please"}),
        ("AccountRequest", {"name": "Ada", "time_zone": "half past two"}),
        ("AccountUpdate", {"email": "@"}),
        ("AccountUpdate", {"locale": "e"}),
        ("AccountUpdate", {"time_zone": ""}),
        ("AccountUpdate", {"absences": [{"from": "1 July", "to": "2030-07-02"}]}),
        ("TokenRequest", {**TOKEN, "label": " "}),
        ("TokenRequest", {**TOKEN, "expires": "tomorrow"}),
        ("WebhookRequest", {"url": "example.org"}),
        ("WebhookRequest", {"url": "https://example.org/a b"}),
        ("WebhookRequest", {"url": "https://example.org/", "game": "not an id"}),
        ("WebhookUpdate", {"url": "ftp://example.org/"}),
        ("MessageRequest", {"text": " \n "}),
        ("GameRequest", {**GAME, "title": "\t"}),
        ("GameRequest", {**GAME, "nonce": " mine"}),
        ("GameRequest", {**GAME, "pace": "soon"}),
        ("GameRequest", {**GAME, "clock": {"per_decision": 60, "time_zone": "here and now"}}),
        ("GameRequest", {**GAME, "clock": {"per_decision": 60, "window": {"from": "8"}}}),
        ("SeatRequest", {"nonce": "mine "}),
        ("BotGamesRequest", {**BOTS, "opponents": ["Eve", "Eve"]}),
        ("BotGamesRequest", {**BOTS, "opponents": ["\n"]}),
    ],
)
def test_a_schema_says_what_is_refused(schema: str, body: Any) -> None:
    """A body that the API refuses does not fit its schema."""
    assert [] != _faults(schema, body)


@pytest.mark.parametrize(
    ("schema", "body"),
    [
        ("InvitationRequest", {"name": "Ada Lovelace"}),
        ("InvitationRequest", {"email": "ada@bücher.example"}),
        ("MoveRequest", {"text": "claim calgary-vancouver with 3 black"}),
        ("AccountRequest", {"name": "Zoë 🚂", "email": None, "locale": "zh-Hant-TW"}),
        ("AccountRequest", {"name": "Ada", "time_zone": "America/Argentina/Buenos_Aires"}),
        ("AccountRequest", {"name": "Ada", "time_zone": "Etc/GMT+12"}),
        ("AccountUpdate", {}),
        ("AccountUpdate", {"absences": [{"from": "2030-07-01", "to": "2030-07-02"}]}),
        ("TokenRequest", {**TOKEN, "expires": "2030-01-31T12:00:00.5+01:00"}),
        ("WebhookRequest", {"url": "HTTPS://example.org:8443/hook?a=1&b=%20", "game": None}),
        ("MessageRequest", {"text": "Good luck!\nAnd have fun."}),
        ("GameRequest", {**GAME, "title": "A quiet evening", "nonce": ""}),
        ("GameRequest", {**GAME, "nonce": "x"}),
        ("GameRequest", {**GAME, "clock": {"per_decision": 60, "window": None}}),
        ("SeatRequest", {"nonce": "my own words"}),
        ("BotGamesRequest", {**BOTS, "opponents": ["Eve", "Flo"]}),
    ],
)
def test_a_schema_lets_through_what_is_taken(schema: str, body: Any) -> None:
    """A body that the API accepts fits its schema."""
    assert [] == _faults(schema, body)


def test_a_new_account_says_how_long_its_key_is() -> None:
    """The Idempotency-Key of a new account has a minimum length, because it guards a token."""
    (operation,) = document()["paths"]["/v1/accounts"].values()
    (key,) = [
        parameter for parameter in operation["parameters"] if parameter["name"] == "Idempotency-Key"
    ]
    assert 16 == key["schema"]["minLength"]
