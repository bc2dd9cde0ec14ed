from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.people import addresses
from tests.api.serving import fresh_app, newcomer

KEY = "a key that nobody guesses"


@pytest.fixture(params=["sqlite", "postgres"])
def web(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of an application with an empty database of either kind."""
    small = f"sqlite:///{tmp_path}/nightmail.db"
    url = small if request.param == "sqlite" else request.getfixturevalue("ready_postgres")
    app, desk = fresh_app(url)
    yield app.test_client()
    desk.close()


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[FlaskClient]:
    """A client of an application on SQLite, for tests that do not depend on the database."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/nightmail.db")
    yield app.test_client()
    desk.close()


def body_of(answer: TestResponse, status: int = 200) -> Any:
    """Return the JSON of a response, after checking its status."""
    assert status == answer.status_code, answer.text
    return answer.json


def refused(answer: TestResponse, status: int, code: str) -> str:
    """Return the detail of a refused request, after checking its status and code."""
    problem = body_of(answer, status)
    assert code == problem["code"]
    detail: str = problem["detail"]
    return detail


def token(web: FlaskClient, headers: dict[str, str], *scopes: str) -> dict[str, str]:
    """The Authorization header of another token with these scopes."""
    body = {"label": "other", "scopes": list(scopes)}
    made = body_of(web.post("/v1/me/tokens", json=body, headers=headers), 201)
    return {"Authorization": f"Bearer {made['token']}"}


def test_an_account_comes_with_its_first_token(web: FlaskClient) -> None:
    """The first token has every scope and reads the account that was created with it."""
    made = web.post("/v1/accounts", json={"name": "Ada", "kind": "bot", "time_zone": "Asia/Tokyo"})
    account, first = body_of(made, 201)["account"], body_of(made, 201)["token"]

    assert ("Ada", "bot", "en", "Asia/Tokyo") == tuple(
        account[name] for name in ("name", "kind", "locale", "time_zone")
    )
    assert ["read", "play", "manage"] == first["scopes"]
    assert "/v1/me" == made.headers["Location"]
    headers = {"Authorization": f"Bearer {first['token']}"}
    assert account == body_of(web.get("/v1/me", headers=headers))


def test_no_cache_keeps_a_token(lite: FlaskClient) -> None:
    """Responses that contain a token have a header that forbids storing them."""
    made = lite.post("/v1/accounts", json={"name": "Ada"})
    headers = {"Authorization": f"Bearer {body_of(made, 201)['token']['token']}"}
    body = {"label": "other", "scopes": ["read"]}
    other = lite.post("/v1/me/tokens", json=body, headers=headers)

    assert ["no-store"] == made.headers.getlist("Cache-Control")
    assert ["no-store"] == other.headers.getlist("Cache-Control")


def test_a_name_is_had_once(web: FlaskClient) -> None:
    """A new or changed name that could be mistaken for an existing one is refused."""
    newcomer(web, "Ada")
    _, ben = newcomer(web, "Ben")

    refused(web.post("/v1/accounts", json={"name": "АDA"}), 409, "name_taken")  # noqa: RUF001  # the first letter is Cyrillic
    refused(web.patch("/v1/me", json={"name": "ada"}, headers=ben), 409, "name_taken")


def test_the_same_key_makes_one_account(web: FlaskClient) -> None:
    """A repeated Idempotency-Key gets the same account and token; another body is refused."""
    key = {"Idempotency-Key": KEY}
    first = body_of(web.post("/v1/accounts", json={"name": "Ada"}, headers=key), 201)

    assert first == body_of(web.post("/v1/accounts", json={"name": "Ada"}, headers=key), 201)
    refused(
        web.post("/v1/accounts", json={"name": "Ben"}, headers=key), 422, "idempotency_mismatch"
    )


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ({}, "name"),
        ({"name": ""}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"name": "x" * 41}, "name"),
        ({"name": "Ada", "kind": "cat"}, "kind"),
        ({"name": "Ada", "email": "nowhere"}, "email"),
        ({"name": "Ada", "locale": "!"}, "locale"),
        ({"name": "Ada", "time_zone": "Mars/Base"}, "time_zone"),
        ({"name": "Ada", "shoe": 43}, "shoe"),
    ],
)
def test_a_fault_in_a_new_account_has_its_place(
    lite: FlaskClient, body: dict[str, Any], at: str
) -> None:
    """An invalid field is refused with its name, and no account is created."""
    answer = lite.post("/v1/accounts", json=body)

    assert refused(answer, 400, "unreadable").startswith(at)
    assert [at] == [fault["at"] for fault in body_of(answer, 400)["errors"]]


def test_an_address_makes_only_so_many_accounts(tmp_path: Path) -> None:
    """Beyond RATE_LIMIT_ACCOUNTS a request gets 429; existing accounts still work."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/n.db", RATE_LIMIT_ACCOUNTS="2/day")
    web = app.test_client()
    newcomer(web, "Ada")
    _, ben = newcomer(web, "Ben")
    answer = web.post("/v1/accounts", json={"name": "Cem"})

    refused(answer, 429, "rate_limited")
    assert int(answer.headers["Retry-After"]) > 0
    assert "Ben" == body_of(web.get("/v1/me", headers=ben))["name"]
    desk.close()


def test_a_change_leaves_the_rest(web: FlaskClient) -> None:
    """PATCH changes only the fields that it names, also within the notifications."""
    before, ada = newcomer(web, "Ada", locale="de")
    hours = {"from": "22:00", "to": "07:00"}
    body = {"notifications": {"quiet_hours": hours}, "absences": []}
    after = body_of(web.patch("/v1/me", json=body, headers=ada))

    assert {"mode": "each_turn", "quiet_hours": hours} == after["notifications"]
    assert before == {**after, "notifications": before["notifications"]}
    assert after == body_of(web.get("/v1/me", headers=ada))


@pytest.mark.parametrize(
    "body",
    [
        {"name": " "},
        {"kind": "bot"},
        {"notifications": {"mode": "often"}},
        {"notifications": {"quiet_hours": {"from": "25:00", "to": "07:00"}}},
        {"absences": [{"from": "2999-01-02", "to": "2999-01-01"}]},
        {"absences": [{"from": "2999-02-30", "to": "2999-03-01"}]},
        {"absences": {}},
    ],
    ids=str,
)
def test_a_wrong_change_changes_nothing(lite: FlaskClient, body: dict[str, Any]) -> None:
    """An invalid PATCH is refused as unreadable, and the account does not change."""
    before, ada = newcomer(lite, "Ada")

    refused(lite.patch("/v1/me", json=body, headers=ada), 400, "unreadable")
    assert before == body_of(lite.get("/v1/me", headers=ada))


def test_who_is_deleted_is_gone(web: FlaskClient) -> None:
    """Deleting an account voids its token, frees its name and removes the name from the table."""
    _, ada = newcomer(web, "Ada")
    _, ben = newcomer(web, "Ben")
    game = body_of(web.post("/v1/games", json={"board": "usa", "seats": 2}, headers=ada), 201)["id"]
    body_of(web.post(f"/v1/games/{game}/seats", json={}, headers=ben), 201)

    assert (204, b"") == ((gone := web.delete("/v1/me", headers=ada)).status_code, gone.data)
    refused(web.get("/v1/me", headers=ada), 401, "unauthenticated")
    assert "Ada" not in web.get(f"/v1/games/{game}", headers=ben).text
    newcomer(web, "Ada")


def test_tokens_are_listed_without_their_text(web: FlaskClient) -> None:
    """The list of tokens contains no token text."""
    _, ada = newcomer(web, "Ada")
    other = token(web, ada, "read")
    answer = web.get("/v1/me/tokens", headers=other)

    assert ["first", "other"] == [listed["label"] for listed in body_of(answer)["tokens"]]
    assert "nm_" not in answer.text


def test_a_revoked_token_is_worth_nothing(web: FlaskClient) -> None:
    """A revoked token is refused at once, and a token of another account is not found."""
    _, ada = newcomer(web, "Ada")
    _, ben = newcomer(web, "Ben")
    other = token(web, ada, "read")
    id = body_of(web.get("/v1/me/tokens", headers=ada))["tokens"][1]["id"]

    refused(web.delete(f"/v1/me/tokens/{id}", headers=ben), 404, "not_found")
    body_of(web.get("/v1/me", headers=other))
    assert {"revoked": 1} == body_of(web.delete(f"/v1/me/tokens/{id}", headers=ada))
    refused(web.get("/v1/me", headers=other), 401, "unauthenticated")
    refused(web.delete(f"/v1/me/tokens/{id}", headers=ada), 404, "not_found")
    body_of(web.get("/v1/me", headers=ada))


def test_what_a_revoked_token_has_made_is_revoked(web: FlaskClient) -> None:
    """Revoking a token also revokes the tokens created with it, and the response counts them."""
    _, ada = newcomer(web, "Ada")
    stolen = token(web, ada, "read", "play", "manage")
    child = token(web, stolen, "read")
    id = body_of(web.get("/v1/me/tokens", headers=ada))["tokens"][1]["id"]

    assert {"revoked": 2} == body_of(web.delete(f"/v1/me/tokens/{id}", headers=ada))
    refused(web.get("/v1/me", headers=child), 401, "unauthenticated")
    body_of(web.get("/v1/me", headers=ada))


ESCALATIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("PATCH", "/v1/me", {"email": "eve@example.org"}),
    ("PATCH", "/v1/me", {"email": None, "locale": "de"}),
    ("POST", "/v1/me/confirmation", {}),
    ("POST", "/v1/me/tokens", {"label": "more", "scopes": ["manage"]}),
    ("POST", "/v1/me/webhooks", {"url": "https://eve.example.org/"}),
    ("POST", "/v1/me/calendar", {}),
]


@pytest.mark.parametrize(("method", "path", "body"), ESCALATIONS, ids=str)
def test_a_token_that_only_manages_gets_no_further(
    web: FlaskClient, method: str, path: str, body: dict[str, Any]
) -> None:
    """A call that could lead to a session, to reading or to playing needs every scope."""
    _, ada = newcomer(web, "Ada", email="ada@example.org")
    lesser = token(web, ada, "manage")
    before = body_of(web.get("/v1/me", headers=ada))
    answer = web.open(path, method=method, json=body or None, headers=lesser)

    assert "all scopes" in refused(answer, 403, "forbidden")
    assert before == body_of(web.get("/v1/me", headers=ada))
    assert 200 == web.patch("/v1/me", json={"locale": "de"}, headers=lesser).status_code
    assert web.open(path, method=method, json=body or None, headers=ada).status_code < 300


def test_the_same_key_makes_one_token(web: FlaskClient) -> None:
    """A repeated Idempotency-Key shows the same token again."""
    _, ada = newcomer(web, "Ada")
    body = {"label": "bot", "scopes": ["play"], "expires": "2999-01-01T00:00:00Z"}
    headers = {**ada, "Idempotency-Key": KEY}
    first = body_of(web.post("/v1/me/tokens", json=body, headers=headers), 201)

    assert first == body_of(web.post("/v1/me/tokens", json=body, headers=headers), 201)
    assert 2 == len(body_of(web.get("/v1/me/tokens", headers=ada))["tokens"])


@pytest.mark.parametrize(
    "change",
    [
        {"label": ""},
        {"scopes": []},
        {"scopes": ["all"]},
        {"expires": "soon"},
        {"expires": "2001-01-01T00:00:00Z"},
    ],
    ids=str,
)
def test_a_wrong_token_is_not_made(lite: FlaskClient, change: dict[str, Any]) -> None:
    """An invalid request for a token is refused as unreadable."""
    _, ada = newcomer(lite, "Ada")
    body = {"label": "bot", "scopes": ["read"], **change}

    refused(lite.post("/v1/me/tokens", json=body, headers=ada), 400, "unreadable")


CALLS = [
    ("GET", "/v1/me", "read"),
    ("PATCH", "/v1/me", "manage"),
    ("DELETE", "/v1/me", "manage"),
    ("GET", "/v1/me/tokens", "read"),
    ("DELETE", "/v1/me/tokens/x", "manage"),
]


@pytest.mark.parametrize(("method", "path", "scope"), CALLS)
def test_each_call_needs_its_scope(lite: FlaskClient, method: str, path: str, scope: str) -> None:
    """Without a token the response is 401; with every scope but the required one it is 403."""
    _, ada = newcomer(lite, "Ada")
    others = token(lite, ada, *(other for other in ("read", "play", "manage") if other != scope))
    body: dict[str, Any] | None = {} if method in ("PATCH", "POST") else None

    refused(lite.open(path, method=method, json=body), 401, "unauthenticated")
    answer = lite.open(path, method=method, json=body, headers=others)
    assert f"“{scope}”" in refused(answer, 403, "forbidden")


def test_a_token_passes_on_only_what_it_has(lite: FlaskClient) -> None:
    """A token cannot create another token with scopes that it lacks itself."""
    _, ada = newcomer(lite, "Ada")
    weaker = token(lite, ada, "manage")
    body = {"label": "bot", "scopes": ["play"]}

    refused(lite.post("/v1/me/tokens", json=body, headers=weaker), 403, "forbidden")


def test_letters_to_a_mailbox_are_counted(lite: FlaskClient) -> None:
    """One client gets five emails an hour to a mailbox, by new accounts, changes or repeats."""

    def newcomers(email: str, *names: str) -> list[TestResponse]:
        bodies = [{"name": name, "email": email} for name in names]
        return [lite.post("/v1/accounts", json=body) for body in bodies]

    made = newcomers("x@example.org", "Ada", "Ben", "Cem")
    headers = {"Authorization": f"Bearer {body_of(made[0], 201)['token']['token']}"}
    again = [lite.post("/v1/me/confirmation", headers=headers) for _ in range(3)]
    assert [204, 204, 429] == [answer.status_code for answer in again]
    refused(newcomers("X@example.org", "Dora")[0], 429, "rate_limited")
    assert [201] == [answer.status_code for answer in newcomers("y@example.org", "Eve")]
    copies = [
        lite.post(
            "/v1/accounts",
            json={"name": "Flo", "email": "z@example.org"},
            headers={"Idempotency-Key": KEY},
        )
        for _ in range(7)
    ]
    assert {201} == {answer.status_code for answer in copies}  # one email, counted once
    change = lite.patch("/v1/me", json={"email": "y@example.org"}, headers=headers)
    assert (200, "y@example.org") == (change.status_code, body_of(change)["email"])


def test_letters_to_a_mailbox_that_sends_them_back_are_counted(lite: FlaskClient) -> None:
    """Naming the same address again after a bounce counts towards the limit of emails."""
    body = {"name": "Ada", "email": "x@example.org"}
    made = body_of(lite.post("/v1/accounts", json=body), 201)
    headers = {"Authorization": f"Bearer {made['token']['token']}"}
    desk = lite.application.extensions["nightmail"]
    statuses = []
    for _ in range(5):
        addresses.record_complaint(desk, made["account"]["id"], "x@example.org")
        statuses.append(lite.patch("/v1/me", json={"email": "x@example.org"}, headers=headers))
    assert [200] * 4 + [429] == [answer.status_code for answer in statuses]
    other = lite.post("/v1/accounts", json={"name": "Ben", "email": "x@example.org"})
    refused(other, 429, "rate_limited")
