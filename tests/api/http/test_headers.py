import re

import pytest
from flask.testing import FlaskClient

from tests.api.framing import BEARER, application, client


@pytest.fixture(scope="module")
def web() -> FlaskClient:
    """A client of the test application."""
    return client()


EVERYWHERE = [
    ("GET", "/healthz"),
    ("GET", "/docs/api"),
    ("GET", "/docs/files/page.js"),
    ("GET", "/openapi.json"),
    ("GET", "/nowhere"),
    ("GET", "/v1/versioned"),
    ("GET", "/v1/refusals/accident"),
    ("PUT", "/v1/echo"),
    ("OPTIONS", "/v1/echo"),
    ("HEAD", "/v1/versioned"),
]


@pytest.mark.parametrize(("method", "path"), EVERYWHERE)
def test_every_answer_is_guarded(web: FlaskClient, method: str, path: str) -> None:
    """Every response has the security headers, whatever its status."""
    headers = web.open(path, method=method).headers

    assert ["nosniff"] == headers.getlist("X-Content-Type-Options")
    assert ["no-referrer"] == headers.getlist("Referrer-Policy")
    assert 1 == len(headers.getlist("Content-Security-Policy"))
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "camera=()" in headers["Permissions-Policy"]
    assert 1 == len(headers.getlist("Cross-Origin-Resource-Policy"))
    assert 1 == len(headers.getlist("Cache-Control"))
    assert 1 == len(headers.getlist("X-Request-Id"))


def test_nothing_is_said_twice_of_what_has_not_changed(web: FlaskClient) -> None:
    """A 304 has only the CORS headers; the cached response has the others."""
    tag = web.get("/v1/versioned").headers["ETag"]
    answer = web.get("/v1/versioned", headers={"If-None-Match": tag})

    assert 304 == answer.status_code
    assert "*" == answer.headers["Access-Control-Allow-Origin"]
    assert tag == answer.headers["ETag"]
    assert "Content-Security-Policy" not in answer.headers


def test_answers_run_nothing(web: FlaskClient) -> None:
    """JSON may load nothing; the API reference only files from our own host."""
    policies = [
        web.get(path).headers["Content-Security-Policy"] for path in ("/healthz", "/docs/api")
    ]

    assert "default-src 'none'; frame-ancestors 'none'" == policies[0]
    assert "default-src 'self'" in policies[1]
    assert "unsafe" not in policies[1]


def test_the_page_has_no_script_inside(web: FlaskClient) -> None:
    """The API reference contains nothing that its policy forbids, and we serve all its files."""
    page = web.get("/docs/api").text

    assert "<script>" not in page
    assert "://" not in page
    loaded = re.findall('(?:src|href)="([^"]+)"', page)
    assert "/site/icon.svg" in loaded  # or browsers ask for one that is not there
    assert [200] * 4 == [web.get(path).status_code for path in loaded]
    assert 404 == web.get("/docs/files/docs/README.md").status_code


def test_nothing_is_kept_by_caches(web: FlaskClient) -> None:
    """Responses without an ETag are not cached; those with one are revalidated for each token."""
    plain = web.get("/v1/mine", headers=BEARER).headers
    versioned = web.get("/v1/versioned").headers

    assert ("no-store", None) == (plain["Cache-Control"], plain.get("ETag"))
    assert ("private, no-cache", "Authorization") == (
        versioned["Cache-Control"],
        versioned["Vary"],
    )


def test_the_openapi_document_is_tagged(web: FlaskClient) -> None:
    """The document is answered with 304 if it has not changed."""
    tag = web.get("/openapi.json").headers["ETag"]

    assert 304 == web.get("/openapi.json", headers={"If-None-Match": tag}).status_code


@pytest.mark.parametrize(
    ("url", "is_sent"), [("https://t.example", True), ("http://t.example", False)]
)
def test_transport_security_is_asked_for_where_there_is_any(*, url: str, is_sent: bool) -> None:
    """HSTS is only sent with an https public URL."""
    headers = client(PUBLIC_URL=url).get("/healthz").headers

    assert is_sent == ("Strict-Transport-Security" in headers)


def test_any_page_may_ask_with_a_token(web: FlaskClient) -> None:
    """A preflight response is valid for a day and allows the headers that we read, no cookies."""
    answer = web.options(
        "/v1/mine",
        headers={"Origin": "https://else.example", "Access-Control-Request-Method": "POST"},
    )
    headers = answer.headers

    assert (204, b"") == (answer.status_code, answer.data)
    assert "*" == headers["Access-Control-Allow-Origin"]
    assert "86400" == headers["Access-Control-Max-Age"]
    assert "Access-Control-Allow-Credentials" not in headers
    assert {"GET", "POST", "PATCH", "DELETE"} <= set(
        headers["Access-Control-Allow-Methods"].split(", ")
    )
    allowed = set(headers["Access-Control-Allow-Headers"].split(", "))
    assert {"Authorization", "Content-Type", "Idempotency-Key", "If-Match"} <= allowed
    assert {"If-None-Match", "Last-Event-ID"} <= allowed
    assert {"X-Request-Id", "traceparent", "tracestate"} <= allowed


@pytest.mark.parametrize("path", ["/v1/mine", "/v1/refusals/illegal", "/v1/nowhere"])
def test_any_page_may_read_the_answer(web: FlaskClient, path: str) -> None:
    """Pages of other sites can read errors, too, with their headers."""
    headers = web.get(path, headers={"Origin": "https://else.example"}).headers

    assert "*" == headers["Access-Control-Allow-Origin"]
    exposed = set(headers["Access-Control-Expose-Headers"].split(", "))
    assert {"ETag", "Link", "Location", "Retry-After", "RateLimit-Remaining"} <= exposed
    assert {"X-Request-Id", "Idempotent-Replayed", "Deprecation", "Sunset"} <= exposed


def test_pages_are_not_shared(web: FlaskClient) -> None:
    """Pages of other sites can only read the API."""
    headers = {"Origin": "https://else.example", "Access-Control-Request-Method": "GET"}

    assert "Access-Control-Allow-Origin" not in web.get("/docs/api").headers
    assert "Access-Control-Allow-Origin" not in web.options("/docs/api", headers=headers).headers


def test_a_service_that_is_not_ready_says_why() -> None:
    """`/readyz` answers 503 with the reasons, while `/healthz` answers 200."""
    web = application(ready=lambda: ["The database does not answer."]).test_client()
    answer = web.get("/readyz")

    assert (503, ["The database does not answer."]) == (
        answer.status_code,
        (answer.json or {})["faults"],
    )
    assert 200 == web.get("/healthz").status_code
    assert 200 == client().get("/readyz").status_code


def test_requests_are_counted_by_template(web: FlaskClient) -> None:
    """Neither ids nor made-up methods create a series, and each application counts for itself."""
    for number in range(3):
        web.get(f"/v1/echo/id{number}")
    web.open("/v1/echo/x", method="BREW")
    text = web.get("/metrics").text

    assert (
        'nightmail_requests_total{method="GET",route="/v1/echo/<id:thing>",status="200"} 3.0'
        in text
    )
    assert 'method="OTHER"' in text
    assert "BREW" not in text
    assert "id1" not in text
    assert "/v1/echo" not in client().get("/metrics").text
