"""The metadata, and what the endpoints answer to requests that make no sense."""

import logging

import pytest
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata

from api.oauth.server import server
from tests.api.oauth.playing_apps import ISSUER, PlayingApp, Service, error_in, open_service
from tests.site.visiting import Guest

WRONG: tuple[tuple[str, dict[str, str], str], ...] = (
    ("token", {}, "invalid_client"),
    ("token", {"client_id": "Board"}, "unsupported_grant_type"),
    ("token", {"client_id": "Board", "grant_type": "password"}, "unsupported_grant_type"),
    ("token", {"client_id": "Board", "grant_type": "client_credentials"}, "unsupported_grant_type"),
    ("token", {"client_id": "Board", "grant_type": "implicit"}, "unsupported_grant_type"),
    ("token", {"client_id": "Board", "grant_type": '"\\'}, "unsupported_grant_type"),
    ("token", {"client_id": "Board", "grant_type": "é"}, "invalid_request"),
    ("token", {"client_id": "Board", "grant_type": "authorization_code"}, "invalid_request"),
    ("token", {"client_id": "Board", "grant_type": "refresh_token"}, "invalid_request"),
    ("token", {"client_id": "x" * 81, "grant_type": "refresh_token"}, "invalid_client"),
    ("token", {"client_id": "Board", "client_secret": "s"}, "invalid_client"),
    ("revoke", {"client_id": "Board"}, "invalid_request"),
    ("revoke", {"token": "nm_x"}, "invalid_client"),
    ("device-authorization", {}, "invalid_client"),
)


def test_the_metadata_is_what_the_standard_demands(service: Service) -> None:
    """Authlib finds no fault with it, and every address in it exists."""
    web = service.app.test_client()
    answer = web.get("/.well-known/oauth-authorization-server", base_url=ISSUER)
    metadata = answer.json
    assert isinstance(metadata, dict)
    AuthorizationServerMetadata(metadata).validate()
    assert ["S256"] == metadata["code_challenge_methods_supported"]
    assert "*" == answer.headers["Access-Control-Allow-Origin"]
    for name, url in metadata.items():
        if name.endswith("_endpoint"):
            found = web.get(url.removeprefix(ISSUER), base_url=ISSUER).status_code
            assert found in (400, 405), name


@pytest.mark.parametrize(("path", "fields", "error"), WRONG)
def test_nonsense_gets_an_error(
    board: PlayingApp, path: str, fields: dict[str, str], error: str
) -> None:
    """A request without what it needs gets the error of the standard."""
    assert error == error_in(board.post(f"/oauth/{path}", **fields))


def test_forms_are_read_strictly(board: PlayingApp) -> None:
    """Nothing is read from a query or from JSON, and nothing twice."""
    query = board.web.post("/oauth/token?client_id=Board&grant_type=refresh_token", data={})
    assert "invalid_client" == error_in(query)
    assert "invalid_request" == error_in(board.web.post("/oauth/token", json={"client_id": "x"}))
    twice = board.web.post(
        "/oauth/token",
        data="client_id=Board&client_id=Other&grant_type=refresh_token",
        content_type="application/x-www-form-urlencoded",
    )
    assert "invalid_request" == error_in(twice)
    broken = board.web.post(
        "/oauth/token",
        data=b"client_id=Board%00",
        content_type="application/x-www-form-urlencoded",
    )
    assert "invalid_request" == error_in(broken)


def test_no_token_is_logged(
    ada: Guest, board: PlayingApp, caplog: pytest.LogCaptureFixture
) -> None:
    """Even at the finest level, Authlib's messages contain no token."""
    with caplog.at_level(logging.DEBUG):
        tokens = board.tokens(ada)
    text = " ".join(record.getMessage() for record in caplog.records)
    assert tokens["access_token"] not in text
    assert tokens["refresh_token"] not in text


def test_plain_http_elsewhere_is_refused(service: Service) -> None:
    """Without TLS there is no OAuth, except on the reader's own machine."""
    plain = open_service(f"{service.desk.database.url}x", PUBLIC_URL="http://trains.example")
    try:
        board = PlayingApp(plain)
        answer = board.web.post("/oauth/token", data={"client_id": "Board"})
        assert "insecure_transport" == error_in(answer)
        page = plain.app.test_client().get(board.url())
        assert (400, None) == (page.status_code, page.headers.get("Location"))
    finally:
        plain.desk.close()


def test_the_server_keeps_nothing_about_requests(ada: Guest, board: PlayingApp) -> None:
    """The server is shared by all threads, so a request leaves nothing in it."""
    board.tokens(ada)
    before = repr(sorted(vars(server)))
    board.tokens(ada)
    assert before == repr(sorted(vars(server)))
