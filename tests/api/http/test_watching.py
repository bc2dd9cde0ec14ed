"""Who may read the metrics, and which requests are counted."""

import pytest
from flask.testing import FlaskClient

from service.notify.mail_providers import Counts
from tests.api.framing import application, client

TOKEN = "t" * 32
PUBLIC = {"PUBLIC_URL": "https://play.example.org"}
PROXIED = {**PUBLIC, "TRUSTED_PROXIES": "1"}
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.1"}


def status_of(web: FlaskClient, environ: dict[str, str] | None = None, **headers: str) -> int:
    """Request the metrics and return the response."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return web.get("/metrics", headers=named, environ_overrides=environ).status_code


@pytest.mark.parametrize("chosen", [{}, PROXIED], ids=["alone", "behind a proxy"])
def test_this_machine_reads_the_metrics(chosen: dict[str, str]) -> None:
    """Without METRICS_TOKEN only requests from this machine are answered."""
    web = client(**chosen)

    assert [200, 200] == [status_of(web), status_of(web, Host="127.0.0.1:8000")]


@pytest.mark.parametrize(
    "headers",
    [
        {"X_Forwarded_For": "192.0.2.1"},
        {"X_Forwarded_For": "127.0.0.1"},
        {"X_Forwarded_Proto": "https"},
        {"Forwarded": "for=192.0.2.1"},
        {"X_Real_Ip": "192.0.2.1"},
        {"Via": "1.1 proxy"},
        {"Host": "play.example.org"},
    ],
    ids=range(7),
)
@pytest.mark.parametrize("chosen", [{}, PUBLIC, PROXIED], ids=["alone", "public", "proxied"])
def test_nobody_reads_the_metrics_through_a_proxy(
    chosen: dict[str, str], headers: dict[str, str]
) -> None:
    """Requests through a proxy on this machine do not count as local."""
    assert 404 == status_of(client(**chosen), None, **headers)


def test_nobody_elsewhere_reads_the_metrics() -> None:
    """Other machines get 404, whatever the Host header says."""
    web = client()

    assert [404, 404] == [status_of(web, ELSEWHERE), status_of(web, ELSEWHERE, Host="localhost")]


def test_a_proxy_need_not_say_that_it_is_one() -> None:
    """With a public URL and no trusted proxy, a local address may be an unknown proxy."""
    assert 404 == status_of(client(**PUBLIC))


def test_the_token_reads_the_metrics_from_anywhere() -> None:
    """Other machines need METRICS_TOKEN; a wrong one is refused and counted."""
    web = client(**PROXIED, METRICS_TOKEN=TOKEN, RATE_LIMIT_FAILURES="2/minute")
    far = {"X_Forwarded_For": "192.0.2.1"}

    assert 200 == status_of(web, None, **far, Authorization=f"Bearer {TOKEN}")
    assert [401, 401, 429] == [
        status_of(web, None, **far, Authorization="Bearer x") for _ in range(3)
    ]
    assert 200 == status_of(web)


def test_without_a_token_nothing_is_said_of_it() -> None:
    """If METRICS_TOKEN is not set, a guess gets 404."""
    assert 404 == status_of(client(), ELSEWHERE, Authorization="Bearer ")


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_those_who_watch_are_counted_by_themselves(path: str) -> None:
    """Monitoring has a rate limit of its own."""
    web = client(RATE_LIMIT_ADDRESS="2/minute")
    others = [web.get("/v1/anybodys").status_code for _ in range(3)]
    watching = [web.get(path).status_code for _ in range(3)]

    assert ([200, 200, 429], [200, 200, 429]) == (others, watching)


@pytest.mark.parametrize(
    "path",
    [
        "/docs/api",
        "/openapi.json",
        "/docs/files/page.js",
        "/nowhere",
        f"/{'x' * 2000}",
        "/v1/mine?a=%FF",
    ],
    ids=["docs", "document", "file", "nowhere", "long path", "odd query"],
)
def test_every_other_request_is_counted(path: str) -> None:
    """Pages, files, unknown URLs and bad requests count towards the limit."""
    web = client(RATE_LIMIT_ADDRESS="2/minute")
    for _ in range(2):
        web.get(path)

    assert 429 == web.get(path).status_code
    assert 429 == web.get("/v1/anybodys").status_code


def test_a_large_body_is_counted() -> None:
    """A body that is too large counts towards the limit."""
    web = client(RATE_LIMIT_ADDRESS="1/minute")
    sent = [web.post("/v1/echo", data=b"x" * 70_000).status_code for _ in range(2)]

    assert [413, 429] == sent


def test_preflights_are_counted_by_themselves() -> None:
    """Preflight requests have a rate limit of their own."""
    web = client(RATE_LIMIT_ADDRESS="2/minute")
    ask = {"Access-Control-Request-Method": "GET"}
    asking = [web.options("/v1/mine", headers=ask).status_code for _ in range(3)]

    assert [204, 204, 429] == asking
    assert 200 == web.get("/v1/anybodys").status_code


def test_a_provider_that_refuses_our_mail_is_shown() -> None:
    """`/readyz` warns and stays ready, and the metrics name the domain."""
    refusing = [Counts("example.org", 12, 11)]
    web = application(refusing=lambda: refusing).test_client()
    answer = web.get("/readyz")
    warning = "1 mail provider(s) refuse most of our letters; see the log or /metrics"
    assert (200, {"status": "ready", "warnings": [warning]}) == (answer.status_code, answer.json)
    assert 'nightmail_mail_refused{domain="example.org"} 11.0' in web.get("/metrics").text
    assert {"status": "ready", "warnings": []} == client().get("/readyz").json
