"""Security of pages and forms: headers, cookies, CSRF tokens, redirects and error pages."""

import dataclasses
import re
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask

from service.desk import Away, Desk
from service.links import signed_links
from service.people import sessions
from store.people import accounts
from tests.api.serving import fresh_app
from tests.promises.support.database_checks import rows
from tests.site.visiting import Guest, without_tokens
from tests.support import mail_links

OPEN = ("/", "/games/open", "/boards", "/boards/usa", "/rules", "/ladder")
BROWSER = {"Accept": "text/html,*/*;q=0.8"}
MEMBERS = ("/games", "/games/new", "/settings", "/settings/webhooks")


NOWHERE = (
    *("", "//evil.example/", "/\\evil.example", "https://evil.example/", "games", "//["),
    *("/\t/[", "/a\nb", "/a b", "/\N{SNOWMAN}", f"/{'x' * 300}"),
)
"""Values of `next` that do not lead to a page of this site."""


def _pages(guest: Guest) -> list[str]:
    return [*OPEN, *MEMBERS, guest.game(), guest.game(seats="3")]


def test_every_page_is_guarded(app: Flask) -> None:
    """Every page has strict security headers, and no inline script or style."""
    ada = Guest(app, "Ada")
    for path in (*_pages(ada), "/sign-in"):
        answer = (Guest(app) if path == "/sign-in" else ada).web.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert (200, "no-store") == (answer.status_code, answer.headers["Cache-Control"]), path
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "same-origin" == answer.headers["Referrer-Policy"]
        assert "Access-Control-Allow-Origin" not in answer.headers
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?! src=)", answer.text)


def test_the_cookie_is_out_of_reach(app: Flask) -> None:
    """The session cookie is HttpOnly and SameSite=Lax; over plain HTTP it is not Secure."""
    ada = Guest(app)
    answer = ada.send("/sign-up", "/sign-in", name="Ada", email="ada@example.org")
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Secure" not in cookie


def test_the_cookie_is_secure_behind_https(tmp_path: Path) -> None:
    """With an https PUBLIC_URL the session cookie is Secure and has the prefix __Host-."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/n.db", PUBLIC_URL="https://play.example.org")
    answer = Guest(app).send("/sign-up", "/sign-in", name="Ada", email="ada@example.org")
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-nightmail=")
    assert "Secure" in cookie.split("; ")
    desk.close()


def _forms(guest: Guest) -> dict[str, dict[str, str]]:
    game, table = guest.game(), guest.game(seats="3")
    return {
        "/games/new": {"board": "usa", "seats": "2"},
        f"{game}/move": {"asked": "0", "seen": "0", "choice": "keep all"},
        f"{game}/say": {"text": "hello"},
        f"{game}/leave": {"sure": "yes"},
        f"{table}/guests": {"guests": "ben@example.org"},
        "/settings/profile": {"name": "Eve"},
        "/settings/mail": {"mode": "off"},
        "/settings/address": {"email": "eve@example.org"},
        "/settings/absences": {"from": "2030-01-01", "to": "2030-01-02"},
        "/settings/tokens": {"label": "x", "scopes": "read"},
        "/settings/delete": {"name": "Ada", "sure": "yes"},
        "/settings/webhooks": {"url": "https://example.org/", "types": "game.started"},
        "/sign-out": {},
    }


def test_a_form_from_elsewhere_does_nothing(app: Flask, desk: Desk) -> None:
    """Without the CSRF token of the session every form is refused, and changes nothing."""
    ada = Guest(app, "Ada")
    forms = _forms(ada)
    before = rows(desk.database)
    for path, fields in forms.items():
        for token in (
            {},
            {"csrf_token": ""},
            {"csrf_token": "0" * 32},
            {"csrf_token": "\N{SNOWMAN}"},
        ):
            assert (403, path) == (ada.web.post(path, data=fields | token).status_code, path)
    assert before == rows(desk.database)


def test_somebody_elses_mark_is_none(app: Flask) -> None:
    """The CSRF token of another session is refused."""
    ada, ben = Guest(app, "Ada"), Guest(app, "Ben")
    stolen = ben.csrf_token("/settings")
    answer = ada.web.post("/settings/profile", data={"csrf_token": stolen, "name": "Eve"})
    assert 403 == answer.status_code


def test_the_browser_says_where_a_form_comes_from(app: Flask) -> None:
    """A form that another site has sent is refused, even with a valid CSRF token."""
    ada = Guest(app, "Ada")
    data = {"csrf_token": ada.csrf_token("/settings"), "name": "Eve"}
    for name, value in [
        *(("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site")),
        *(("Origin", "https://evil.example"), ("Origin", "null"), ("Origin", "http://[")),
    ]:
        answer = ada.web.post("/settings/profile", data=data, headers={name: value})
        assert (403, value) == (answer.status_code, value)
    for ours in ("http://localhost", "http://127.0.0.1:8000"):
        answer = ada.web.post("/settings/profile", data=data, headers={"Origin": ours})
        assert 303 == answer.status_code


@pytest.mark.parametrize(
    ("public", "origins"),
    [
        (
            "https://play.example.org",
            {
                "https://play.example.org": 200,
                "https://play.example.org:443": 200,
                "https://localhost": 200,
                "http://play.example.org": 403,
                "http://localhost": 403,
                "https://play.example.org:8443": 403,
                "https://play.example.org.evil.example": 403,
                "ws://play.example.org": 403,
                "play.example.org": 403,
                "//play.example.org": 403,
                "https://play.example.org:x": 403,
            },
        ),
        (
            "http://127.0.0.1:8000",
            {
                "http://127.0.0.1:8000": 200,
                "http://localhost": 200,
                "http://127.0.0.1": 403,
                "http://127.0.0.1:9000": 403,
                "https://127.0.0.1:8000": 403,
            },
        ),
    ],
    ids=["https", "http"],
)
def test_an_origin_is_scheme_host_and_port(
    tmp_path: Path, public: str, origins: dict[str, int]
) -> None:
    """A form is accepted only if scheme, host and port of its Origin are the service's."""
    app, desk = fresh_app(f"sqlite:///{tmp_path}/n.db", PUBLIC_URL=public)
    guest = Guest(app)
    data = {"csrf_token": guest.csrf_token("/sign-in"), "email": "ada@example.org"}
    sent = {
        origin: guest.web.post("/sign-in", data=data, headers={"Origin": origin}).status_code
        for origin in origins
    }
    desk.close()

    assert origins == sent


def test_a_page_with_a_secret_address_tells_it_to_nobody(app: Flask, desk: Desk) -> None:
    """The page of a sign-in link sends no-referrer, and its form is accepted from Origin null."""
    Guest(app, "Ada")
    with desk.database.writing() as tx:
        (ada,) = accounts.with_address(tx, "ada@example.org")
        accounts.change(tx, ada.id, {"email_confirmed": desk.now()})
    link = mail_links.path(
        signed_links.sign_in(desk, ada.id, "ada@example.org", {"key": "k" * 32}, desk.now())
    )
    stranger = Guest(app)
    for where in (link, "/sign-in/nonsense"):
        headers = stranger.web.get(where).headers
        assert ["no-referrer"] == headers.getlist("Referrer-Policy")
        assert "noindex, nofollow" == headers["X-Robots-Tag"]
    data = {"csrf_token": stranger.csrf_token(link), "choice": ada.id}
    for origin, status in {"https://evil.example": 403, "null": 303}.items():
        answer = stranger.web.post(link, data=data, headers={"Origin": origin})
        assert (status, origin) == (answer.status_code, origin)


def test_strangers_are_led_to_the_door_and_back(app: Flask) -> None:
    """Members' pages redirect strangers to sign-in, and `next` leads only to this site."""
    stranger = Guest(app)
    for path in MEMBERS:
        answer = stranger.web.get(path)
        assert (303, f"/sign-in?next={path}") == (answer.status_code, answer.headers["Location"])
    for url, led in {
        "/games/new": "/games/new",
        "/games/new?board=uk": "/games/new?board=uk",
        **dict.fromkeys(NOWHERE, "/games"),
    }.items():
        guest = Guest(app)
        name = f"N{secrets.token_hex(8)}"
        given = {"name": name, "email": f"{name}@example.org", "next": url}
        answer = guest.send("/sign-up", "/sign-in", **given)
        assert (303, led) == (answer.status_code, answer.headers["Location"])
        again = guest.web.get("/sign-in", query_string={"next": url})
        assert (303, led) == (again.status_code, again.headers["Location"])


def test_the_interface_takes_no_cookie_and_pages_take_no_token(app: Flask, desk: Desk) -> None:
    """A session cookie does not open the API, and an API token does not open pages."""
    ada = Guest(app, "Ada")
    assert 401 == ada.web.get("/v1/me").status_code
    cookie = ada.web.get_cookie("nightmail")
    assert cookie is not None
    bearer = {"Authorization": f"Bearer {cookie.value}"}
    assert 401 == app.test_client().get("/v1/me", headers=bearer).status_code
    made = app.test_client().post("/v1/accounts", json={"name": "Ben"}).json
    assert made is not None
    ben = app.test_client()
    ben.set_cookie("nightmail", made["token"]["token"])
    assert 303 == ben.get("/settings").status_code
    assert sessions.visitor_of(desk, made["token"]["token"]) is None


def test_a_session_that_is_over_opens_nothing(app: Flask) -> None:
    """Signing out deletes the cookie and ends the session, so an old cookie opens no page."""
    ada = Guest(app, "Ada")
    cookie = ada.web.get_cookie("nightmail")
    assert cookie is not None
    assert 303 == ada.send("/sign-out").status_code
    assert ada.web.get_cookie("nightmail") is None
    ada.web.set_cookie("nightmail", cookie.value)
    assert 303 == ada.web.get("/settings").status_code


def test_scripts_and_style_are_small(app: Flask) -> None:
    """Style sheet, script and icon are less than 250 kB in all, and the script has an ETag."""
    web = app.test_client()
    loaded = [web.get(path) for path in ("/pages.css", "/site/site.js", "/site/icon.svg")]
    assert {200} == {answer.status_code for answer in loaded}
    assert sum(len(answer.data) for answer in loaded) < 250_000
    tag = loaded[1].headers["ETag"]
    assert 304 == web.get("/site/site.js", headers={"If-None-Match": tag}).status_code


def test_what_is_not_there_is_a_page(app: Flask) -> None:
    """An unknown path is an HTML 404 for browsers, and problem+json for programs and the API."""
    for path in ("/games/nothing", "/boards/nowhere", "/site/secret", "/nowhere/at/all"):
        answer = app.test_client().get(path, headers=BROWSER)
        assert (404, "text/html") == (answer.status_code, answer.mimetype)
    for path in ("/nowhere/at/all", "/v1/nowhere"):
        answer = app.test_client().get(path, headers=BROWSER if "/v1" in path else {})
        assert (404, "application/problem+json") == (answer.status_code, answer.mimetype)


def test_what_goes_wrong_is_a_page(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors are HTML for browsers and problem+json for programs, with the same headers."""

    def breaks(error: Exception) -> Callable[..., None]:
        def broken(*_: object) -> None:
            raise error

        return broken

    ada = Guest(app, "Ada")
    path = "/games/open"
    away = Away("away")
    for status, error in {405: None, 500: ZeroDivisionError(), 503: away}.items():
        if error:
            monkeypatch.setattr(sessions, "visitor_of", breaks(error))
        where = path if error else "/settings/profile"
        page, problem = ada.web.get(where, headers=BROWSER), ada.web.get(where)
        assert (status, "text/html") == (page.status_code, page.mimetype)
        assert (status, "application/problem+json") == (problem.status_code, problem.mimetype)
        for header in ("Allow", "Retry-After"):
            both = [
                set(response.headers.get(header, "").split(", ")) for response in (problem, page)
            ]
            assert both[0] == both[1]


def test_strangers_are_told_the_same_of_every_hidden_table(app: Flask) -> None:
    """Private, unknown and malformed game ids give strangers the same 404 page."""
    hidden = Guest(app, "Ada").game(visibility="private", seats="3")
    pages = []
    for path in (hidden, "/games/aaaaaaaaaaaaaaaaaaaaaa", "/games/nothing"):
        answer = Guest(app).web.get(path, headers=BROWSER)
        assert f"/sign-in?next={path}" in answer.text
        pages.append((answer.status_code, without_tokens(answer.text).replace(path, "")))
    assert "If this is your table, sign in" in pages[0][1]
    assert 404 == pages[0][0]
    assert [pages[0]] * 3 == pages
    assert "If this is your table" not in Guest(app, "Ben").web.get(hidden).text


def test_who_is_signed_out_is_told_so(app: Flask) -> None:
    """A form sent after signing out leads to sign-in, and from there back to its page."""
    ada = Guest(app, "Ada")
    game = ada.game()
    data = {"csrf_token": ada.csrf_token("/settings"), "text": "hello"}
    ada.send("/sign-out")
    answer = ada.web.post(f"{game}/say", data=data)
    assert (403, True) == (answer.status_code, "You are signed out" in answer.text)
    assert f'"/sign-in?next={game}"' in answer.text
    stranger = {"csrf_token": ada.csrf_token("/sign-in"), "text": "hello"}
    for path, back in {f"{game}/say": game, "/settings/profile": "/settings"}.items():
        led = ada.web.post(path, data=stranger)
        assert (303, f"/sign-in?next={back}") == (led.status_code, led.headers["Location"])


def test_a_form_outlives_a_new_key(app: Flask, desk: Desk) -> None:
    """A CSRF token stays valid after a new secret key is added, until its own is removed."""
    ada = Guest(app, "Ada")
    data = {"csrf_token": ada.csrf_token("/settings"), "name": "Ada L"}
    for keys, status in {
        ("n" * 32, *desk.settings.secret_keys): 303,
        ("n" * 32,): 403,
    }.items():
        settings = dataclasses.replace(desk.settings, secret_keys=keys)
        app.extensions["nightmail"] = desk._replace(settings=settings)
        assert status == ada.web.post("/settings/profile", data=data).status_code


def test_no_page_is_an_operation(app: Flask) -> None:
    """The OpenAPI document lists no pages."""
    document = app.test_client().get("/openapi.json").json
    assert document is not None
    allowed = ("/v1/", "/calendar/", "/healthz", "/readyz", "/metrics")
    assert [] == [path for path in document["paths"] if not path.startswith(allowed)]
