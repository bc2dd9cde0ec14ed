"""The page on which players agree: whom it trusts, what it says, and where it leads."""

import re
from urllib.parse import urlencode

import pytest

from tests.api.oauth.playing_apps import (
    ISSUER,
    REDIRECT,
    PlayingApp,
    Service,
    fields_of,
    guest_token,
    player,
    way_back,
)
from tests.site.visiting import Guest

GOOD_REDIRECTS = (
    *("http://127.0.0.1/", "http://127.0.0.1:1/x", "http://[::1]:8080/back", "http://localhost:3"),
    *("https://app.example", "https://app.example:8443/a/b?c=d&e=%20f", "https://a-b.c.example/@x"),
    *("https://xn--bcher-kva.example/", "https://192.0.2.7/"),
)
BAD_REDIRECTS = (
    *(
        "",
        "app.example",
        "//app.example",
        "/back",
        "ftp://app.example/",
        "urn:ietf:wg:oauth:2.0:oob",
    ),
    *("javascript:alert(1)", "data:text/html,x", "com.example.app:/back", "HTTPS://app.example/"),
    *("http://app.example/", "http://127.0.0.1.evil.example/", "http://127.0.0.2/", "http://0/"),
    *("http://localhost.evil.example/", "http://evil.example:80/127.0.0.1", "http://[::2]/"),
    *("http://127.0.0.1@evil.example/", "https://user@app.example/", "https://u:p@app.example/"),
    *(
        "https://app.example/#",
        "https://app.example/#fragment",
        "https://app.example#@evil.example",
    ),
    *("https://app.example\\@evil.example/", "https://app.example/\\evil", "https:\\\\app.example"),
    *("https://app.example/ x", "https://app.example/\tx", "https://app.example/\r\nX: y"),
    *(
        "https://äpp.example/",
        "https://app。example/",
        "https://\u0430pp.example/",
        "https://app.example/ä",
    ),
    *(
        "https://app.example:0/",
        "https://app.example:65536/",
        "https://app.example:/",
        "https://:1/",
    ),
    *("https:///back", "https:app.example", "https://app..example/", "https://.app.example/"),
    *(
        "https://app.example./",
        "https://-app.example/",
        "https://app%2eexample/",
        "https://app_.x/",
    ),
    *("https://2130706433/", "https://0x7f.1/", "https://127.1/", "https://app.example/%zz"),
    *(
        "https://app.example/?code=x",
        "https://app.example/?a=b&state=x",
        "https://app.example/?iss",
    ),
    *(
        "https://app.example/?error=x",
        "https://app.example/?%63ode=x",
        f"https://a.example/{'x' * 999}",
    ),
    *(
        "https://app.example/<script>",
        'https://app.example/"',
        "https://app.example/;form-action *",
    ),
)


def test_the_page_says_what_is_granted_to_whom(ada: Guest, board: PlayingApp) -> None:
    """It names the app, the account, the powers in words, and where the player returns to."""
    page = ada.web.get(board.url(), base_url=ISSUER)
    text = " ".join(re.sub(r"<[^>]+>", "", page.text).split())
    assert "An app that calls itself Board would like to use your account, Ada." in text
    assert "See what you see: your games" in text
    assert "Play for you: move" in text
    assert "A program on this device, at http://127.0.0.1:5173." in text
    assert "It will not see your email address, and cannot change your settings" in text
    only_read = ada.web.get(board.url(scope="read"), base_url=ISSUER).text
    assert "Play for you: move" not in only_read
    far = ada.web.get(board.url(redirect_uri="https://app.example/back"), base_url=ISSUER).text
    assert "<strong>https://app.example</strong>" in far
    assert "A program on this device" not in far


def test_the_page_cannot_be_framed_and_leaks_no_address(ada: Guest, board: PlayingApp) -> None:
    """No site can put it into a frame, no cache keeps it, and its address goes to no other site."""
    for redirect, target in {
        REDIRECT: "http://127.0.0.1:5173",
        "http://[::1]:5173/back": "http:",
        "https://app.example/back": "https://app.example",
    }.items():
        page = ada.web.get(board.url(redirect_uri=redirect), base_url=ISSUER)
        policy = page.headers["Content-Security-Policy"].split("; ")
        assert "frame-ancestors 'none'" in policy
        assert f"form-action 'self' {target}" in policy
        assert "script-src 'self'" in policy
        assert "DENY" == page.headers["X-Frame-Options"]
        assert "same-origin" == page.headers["Referrer-Policy"]
        assert "no-store" == page.headers["Cache-Control"]
        assert "Access-Control-Allow-Origin" not in page.headers
    answer = board.answer(ada)
    assert answer.headers["Referrer-Policy"] in ("no-referrer", "same-origin")
    assert "no-store" == answer.headers["Cache-Control"]
    assert 303 == answer.status_code  # so that the form itself is not sent to the app


def test_looking_changes_nothing(ada: Guest, board: PlayingApp) -> None:
    """Without a choice nobody is sent anywhere, whatever the address says."""
    for url in (board.url(), f"{board.url()}&choice=allow", f"{board.url()}&prompt=none"):
        page = ada.web.get(url, base_url=ISSUER)
        assert (200, None) == (page.status_code, page.headers.get("Location"))
    assert 200 == board.answer(ada, choice="perhaps").status_code


def test_a_form_of_another_site_is_refused(service: Service, ada: Guest, board: PlayingApp) -> None:
    """Consent needs the CSRF token of this session, in a form of our own page."""
    token = guest_token(ada, "/settings")
    others = guest_token(player(service, "Ben"), "/settings")
    for fields, sent in (
        ({"choice": "allow"}, {}),
        ({"choice": "allow", "csrf_token": others}, {}),
        ({"choice": "allow", "csrf_token": "0" * 64}, {}),
        ({"choice": "allow", "csrf_token": token}, {"Origin": "https://evil.example"}),
        ({"choice": "allow", "csrf_token": token}, {"Origin": "null"}),
        ({"choice": "allow", "csrf_token": token}, {"Sec-Fetch-Site": "cross-site"}),
    ):
        answer = ada.web.post(board.url(), data=fields, headers=sent, base_url=ISSUER)
        assert (403, None) == (answer.status_code, answer.headers.get("Location"))


def test_refusing_tells_the_app(ada: Guest, board: PlayingApp) -> None:
    """Who denies comes back to the app with an error, and without a code."""
    came_back = fields_of(board.answer(ada, choice="deny").headers["Location"])
    assert ("access_denied", board.state) == (came_back["error"], came_back["state"])
    assert "code" not in came_back


@pytest.mark.parametrize("choice", ["allow", "deny"])
def test_every_response_names_its_issuer(ada: Guest, board: PlayingApp, choice: str) -> None:
    """An app that uses several servers sees who answered (mix-up), also after an error."""
    came_back = fields_of(board.answer(ada, choice=choice).headers["Location"])
    metadata = board.web.get("/.well-known/oauth-authorization-server", base_url=ISSUER).json
    assert isinstance(metadata, dict)
    assert came_back["iss"] == metadata["issuer"] == ISSUER
    assert metadata["authorization_response_iss_parameter_supported"] is True
    faulty = ada.web.get(board.url(scope="manage"), base_url=ISSUER)
    assert ISSUER == way_back(faulty.text)["iss"]


def test_redirect_addresses(ada: Guest, board: PlayingApp) -> None:
    """Loopback addresses with any port, and https; no trick makes another one pass."""
    for redirect in GOOD_REDIRECTS:
        page = ada.web.get(board.url(redirect_uri=redirect), base_url=ISSUER)
        assert (200, redirect) == (page.status_code, redirect)
        location = board.answer(ada, redirect_uri=redirect).headers["Location"]
        assert location.startswith(redirect.partition("?")[0]), redirect
    for bad in (None, *BAD_REDIRECTS):
        for user in (ada, Guest(board.service.app)):
            page = user.web.get(board.url(redirect_uri=bad), base_url=ISSUER)
            assert (400, bad) == (page.status_code, bad)
            assert "Location" not in page.headers
            assert "Go back to" not in page.text
        answer = board.answer(ada, redirect_uri=bad)
        assert (400, None) == (answer.status_code, answer.headers.get("Location")), bad


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"response_type": None}, "unsupported_response_type"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code token"}, "unsupported_response_type"),
        ({"response_type": '"\\'}, "unsupported_response_type"),
        ({"scope": "manage"}, "invalid_scope"),
        ({"scope": "read play manage"}, "invalid_scope"),
        ({"scope": "session"}, "invalid_scope"),
        ({"scope": "app"}, "invalid_scope"),
        ({"scope": "READ"}, "invalid_scope"),
        ({"scope": '"'}, "invalid_scope"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
    ],
)
def test_a_faulty_request_redirects_nobody(
    ada: Guest, board: PlayingApp, changes: dict[str, str | None], error: str
) -> None:
    """Since anyone may name any address, nobody is sent there unasked: a link tells the app."""
    for user in (ada, Guest(board.service.app)):
        page = user.web.get(board.url(**changes), base_url=ISSUER)
        assert (400, None) == (page.status_code, page.headers.get("Location"))
        back = way_back(page.text)
        assert (error, board.state) == (back["error"], back["state"])
    for choice in ("allow", "deny"):
        answer = board.answer(ada, choice=choice, **changes)
        assert (400, None) == (answer.status_code, answer.headers.get("Location"))


@pytest.mark.parametrize(
    "client", [None, "", " x", "x ", "x" * 81, "a\nb", "Bücher", "\u202eppa", "a\x00b", "<b>" * 40]
)
def test_client_ids_are_short_plain_text(ada: Guest, board: PlayingApp, client: str | None) -> None:
    """An app's name cannot pretend with odd characters, nor push the rest off the page."""
    page = ada.web.get(board.url(client_id=client), base_url=ISSUER)
    assert (400, None) == (page.status_code, page.headers.get("Location"))


def test_markup_in_a_name_is_text(ada: Guest, board: PlayingApp) -> None:
    """What an app says about itself is shown as text."""
    page = ada.web.get(board.url(client_id="<b>x</b>", state='"><script>'), base_url=ISSUER).text
    assert "<strong>&lt;b&gt;x&lt;/b&gt;</strong>" in page
    assert "<script>" not in page.partition("<main")[2]


@pytest.mark.parametrize(
    "name", ["client_id", "redirect_uri", "scope", "state", "response_type", "code_challenge"]
)
def test_no_parameter_comes_twice(ada: Guest, board: PlayingApp, name: str) -> None:
    """Two readers of one request must not see different values."""
    page = ada.web.get(f"{board.url()}&{urlencode({name: 'x'})}", base_url=ISSUER)
    assert (400, None) == (page.status_code, page.headers.get("Location"))
    assert "given twice" in page.text


def test_signing_in_leads_back_to_the_app(service: Service, board: PlayingApp) -> None:
    """A stranger signs up or in first; the request waits in a cookie of that browser."""
    guest = Guest(service.app)
    answer = guest.web.get(board.url(), base_url=ISSUER)
    assert (303, "/sign-in?next=/oauth/authorize") == (
        answer.status_code,
        answer.headers["Location"],
    )
    cookie = answer.headers["Set-Cookie"]
    for part in ("__Host-nightmail_request=", "Secure", "HttpOnly", "SameSite=Lax", "Path=/"):
        assert part in cookie
    fields = {
        "csrf_token": guest_token(guest, "/sign-in?next=/oauth/authorize"),
        "name": "Ada",
        "next": "/oauth/authorize",
    }
    signed_up = guest.web.post("/sign-up", data=fields, base_url=ISSUER)
    assert "/oauth/authorize" == signed_up.headers["Location"]
    resumed = guest.web.get("/oauth/authorize", base_url=ISSUER)
    assert board.url() == resumed.headers["Location"]
    assert 400 == guest.web.get("/oauth/authorize", base_url=ISSUER).status_code  # only once
    assert "Board" in guest.web.get(board.url(), base_url=ISSUER).text


@pytest.mark.parametrize("kept", ["x\r\nLocation: https://evil.example", "ä", "x" * 3001])
def test_a_strange_cookie_is_ignored(ada: Guest, kept: str) -> None:
    """Whatever another host may have put into the cookie, it leads nowhere."""
    ada.web.set_cookie("__Host-nightmail_request", kept, domain="trains.example", secure=True)
    page = ada.web.get("/oauth/authorize", base_url=ISSUER)
    assert (400, None) == (page.status_code, page.headers.get("Location"))


def test_a_session_for_one_seat_agrees_to_nothing(service: Service, board: PlayingApp) -> None:
    """Who is here for one turn only has to sign in first."""
    guest = Guest(service.app)
    guest.web.set_cookie("__Host-nightmail-game", "nm_" + "x" * 32, domain="trains.example")
    assert 303 == guest.web.get(board.url(), base_url=ISSUER).status_code
    assert 403 == guest.web.post(board.url(), data={"choice": "allow"}, base_url=ISSUER).status_code
