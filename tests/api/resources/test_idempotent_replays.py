"""`Idempotent-Replayed` marks the answers of requests that were carried out before."""

import pytest
from flask.testing import FlaskClient

from tests.api.serving import newcomer

Headers = dict[str, str]


def is_replay(web: FlaskClient, path: str, body: object, headers: Headers) -> str | None:
    """Send a request, and return its header."""
    answer = web.post(path, json=body, headers=headers)
    assert answer.status_code < 300, answer.text
    return answer.headers.get("Idempotent-Replayed")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/games", {"board": "usa", "seats": 2}),
        ("/v1/me/tokens", {"label": "bot", "scopes": ["read"]}),
        ("/v1/commitments", None),
    ],
)
def test_a_repeated_request_says_so(
    web: FlaskClient, ada: Headers, path: str, body: object
) -> None:
    """Only the second answer to a key has the header; a request without a key never has it."""
    keyed = {**ada, "Idempotency-Key": "one"}

    assert is_replay(web, path, body, keyed) is None
    assert "true" == is_replay(web, path, body, keyed)
    assert is_replay(web, path, body, ada) is None


def test_a_repeated_move_says_so(web: FlaskClient, ada: Headers) -> None:
    """A move that was made before is marked as well, and the next request is not."""
    game = web.post(
        "/v1/games", json={"board": "usa", "seats": 2, "bots": {"easy": 1}}, headers=ada
    )
    moves = f"/v1/games/{(game.json or {})['id']}/moves"
    keyed = {**ada, "Idempotency-Key": "one"}

    assert is_replay(web, moves, {"text": "all"}, keyed) is None
    assert "true" == is_replay(web, moves, {"text": "all"}, keyed)
    assert "Idempotent-Replayed" not in web.get("/v1/me", headers=ada).headers


def test_a_refusal_is_not_marked(web: FlaskClient, ada: Headers) -> None:
    """A key of another request is refused, and the refusal is no replay."""
    keyed = {**ada, "Idempotency-Key": "one"}
    is_replay(web, "/v1/games", {"board": "usa", "seats": 2}, keyed)
    refused = web.post("/v1/games", json={"board": "usa", "seats": 3}, headers=keyed)

    assert 422 == refused.status_code
    assert "Idempotent-Replayed" not in refused.headers


def test_a_repeated_account_says_so(web: FlaskClient) -> None:
    """So does an account that was created with the same key before."""
    newcomer(web, "Eve")
    keyed = {"Idempotency-Key": "sixteen-characters"}

    assert is_replay(web, "/v1/accounts", {"name": "Ben"}, keyed) is None
    assert "true" == is_replay(web, "/v1/accounts", {"name": "Ben"}, keyed)
