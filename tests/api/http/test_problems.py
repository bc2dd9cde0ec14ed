import json
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from api.http.problems import MEDIA_TYPE, TABLE
from api.schemas.spec import Blueprint, document
from tests.api.framing import BEARER, application, client


@pytest.fixture(scope="module")
def web() -> FlaskClient:
    """A client of the test application."""
    return client(PUBLIC_URL="https://trains.example")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/v1/nowhere", 404, "not_found"),
        ("PUT", "/v1/echo", 405, "method_not_allowed"),
        ("TRACE", "/v1/echo", 405, "method_not_allowed"),
        ("GET", "/v1/mine", 401, "unauthenticated"),
        ("GET", "/v1/refusals/illegal", 422, "illegal"),
        ("GET", "/v1/refusals/ambiguous", 422, "ambiguous"),
        ("GET", "/v1/refusals/stale", 412, "stale"),
        ("GET", "/v1/refusals/accident", 500, "internal"),
        ("GET", "/v1/refusals/unheard_of", 500, "internal"),
    ],
)
def test_whatever_goes_wrong_is_a_problem(
    web: FlaskClient, method: str, path: str, status: int, code: str
) -> None:
    """All errors, ours and Flask's, are RFC 9457 problems."""
    answer = web.open(path, method=method)
    problem = json.loads(answer.data)

    assert (status, MEDIA_TYPE) == (answer.status_code, answer.content_type)
    assert (status, code) == (problem["status"], problem["code"])
    assert f"https://trains.example/docs/errors#{code}" == problem["type"]
    assert TABLE[code].title == problem["title"]
    assert problem["detail"]


def test_a_refusal_brings_its_members(web: FlaskClient) -> None:
    """A problem includes the rule, the candidates and other members of a refusal."""
    problems = [
        json.loads(web.get(f"/v1/refusals/{code}").data)
        for code in ("illegal", "ambiguous", "stale")
    ]

    assert "R-DBL-1" == problems[0]["rule"]
    assert ["claim a", "claim b"] == problems[1]["candidates"]
    assert 58 == problems[2]["version"]
    assert "rule" not in problems[1]


def test_an_accident_tells_only_where_it_is_logged(web: FlaskClient) -> None:
    """A 500 reveals nothing but the request id."""
    answer = web.get("/v1/refusals/accident", headers={"X-Request-Id": "find-me"})

    assert "Something went wrong on our side; it is logged as find-me." in answer.text
    assert "ZeroDivision" not in answer.text
    assert "nm_secret" not in answer.text


def test_a_405_says_what_is_allowed(web: FlaskClient) -> None:
    """A 405 keeps the Allow header, and its detail repeats it."""
    answer = web.delete("/v1/echo")

    assert {"OPTIONS", "POST"} == set(answer.headers["Allow"].split(", "))
    assert "This address supports OPTIONS and POST." in answer.text


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (None, 401),
        ("Bearer nm_wrong", 401),
        ("Bearer", 401),
        ("Basic bm06bm8=", 401),
        ("Bearer nm_a b", 401),
        ("Bearer é", 401),
        (f"bearer {BEARER['Authorization'][7:]}", 200),
        (BEARER["Authorization"], 200),
    ],
)
def test_a_view_that_needs_a_token_refuses_all_others(
    web: FlaskClient, header: str | None, status: int
) -> None:
    """Without a valid bearer token the response is 401 with WWW-Authenticate."""
    headers = {} if header is None else {"HTTP_AUTHORIZATION": header}
    answer = web.get("/v1/mine", environ_overrides=headers)

    assert status == answer.status_code
    assert (status == 401) == answer.headers.get("WWW-Authenticate", "").startswith("Bearer")


def test_a_token_without_the_scope_is_forbidden(web: FlaskClient) -> None:
    """A 403 names the missing scope."""
    answer = web.delete("/v1/managed", headers=BEARER)

    assert 403 == answer.status_code
    assert "“manage”" in answer.text


def test_a_token_is_optional_where_it_is_welcome(web: FlaskClient) -> None:
    """An optional token may be missing, but an invalid one is refused."""
    wrong = {"Authorization": "Bearer nm_wrong"}

    assert '{"got":null}' == web.get("/v1/anybodys").text
    assert '{"got":"ada"}' == web.get("/v1/anybodys", headers=BEARER).text
    assert 401 == web.get("/v1/anybodys", headers=wrong).status_code


def test_every_problem_has_an_address(web: FlaskClient) -> None:
    """The page that `type` links to has an anchor for every code."""
    page = web.get("/docs/errors").text

    assert [] == [code for code in TABLE if f'id="{code}"' not in page]


@pytest.mark.parametrize("path", ["/v1/refusals/illegal", "/v1/mine", "/v1/echo"])
def test_problems_are_documented(path: str) -> None:
    """Each operation documents its errors by status."""
    operations = document(application())["paths"][path.replace("illegal", "{code}")]
    ((_, operation),) = [pair for pair in operations.items() if pair[0] in ("get", "post")]
    expected = {
        "/v1/refusals/illegal": {"400", "404", "412", "422", "429"},
        "/v1/mine": {"400", "401", "403", "429"},
        "/v1/echo": {"400", "413", "415", "429"},
    }[path]
    problems = {
        status: response for status, response in operation["responses"].items() if status >= "400"
    }

    assert expected == set(problems)
    assert [[MEDIA_TYPE]] * len(problems) == [
        list(response["content"]) for response in problems.values()
    ]


def test_operations_are_named_by_their_views() -> None:
    """The name of a view is its operation id, and its scope is documented."""
    paths = document(application())["paths"]

    assert "look" == paths["/v1/echo/{thing}"]["get"]["operationId"]
    assert [{"token": ["play"]}, {"oauth2": ["play"]}] == paths["/v1/mine"]["get"]["security"]
    optional = [{}, {"token": ["read"]}, {"oauth2": ["read"]}]
    assert optional == paths["/v1/anybodys"]["get"]["security"]
    assert [] == paths["/v1/versioned"]["get"]["security"]


def test_two_operations_cannot_share_a_name() -> None:
    """Two views of the same name cannot be documented."""
    twins = Blueprint("twins", __name__)
    twins.add_url_rule("/v1/one", view_func=_view())
    twins.add_url_rule("/v1/two", view_func=_view())
    app: Flask = application()
    app.register_blueprint(twins)

    with pytest.raises(ValueError, match="two operations are called same"):
        document(app)


def _view() -> Callable[[], str]:
    def same() -> str:
        """The same."""
        return ""

    return same
