"""Apps of others that sign players in, and the service that they call."""

import base64
import html
import re
import secrets
from hashlib import sha256
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.wsgi import app_at
from service.desk import Desk, open_desk
from service.settings import Settings
from store import schema
from tests.api.serving import KEY, OFTEN
from tests.service.support.timing import Hands, by_hand
from tests.site.visiting import Guest
from tests.support.databases import lay_ready

ISSUER = "https://trains.example"
REDIRECT = "http://127.0.0.1:5173/back"
VERIFIER = "a verifier must be without spaces".replace(" ", "-") + "-and-long-enough"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_WAY_BACK = re.compile(r'<a href="([^"]+)" rel="noreferrer nofollow"')


class Service(NamedTuple):
    """An application whose clock is moved by hand."""

    app: Flask
    desk: Desk
    hands: Hands


def open_service(url: str, **environ: str) -> Service:
    """Open the application on an empty database."""
    quiet = {"SECRET_KEYS": KEY, "LOG_FORMAT": "json", "LOG_LEVEL": "error", "PUBLIC_URL": ISSUER}
    lay_ready(url)
    settings = Settings.of({**quiet, **OFTEN, **environ, "DATABASE_URL": url})
    desk, hands = by_hand(open_desk(settings))
    schema.upgrade(desk.database)
    return Service(app_at(desk), desk, hands)


def challenge_of(verifier: str) -> str:
    """The S256 challenge of a verifier."""
    return base64.urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def player(service: Service, name: str = "Ada") -> Guest:
    """A player who is signed in with a browser."""
    guest = Guest(service.app)
    guest.web = service.app.test_client()
    guest.web.get("/sign-in", base_url=ISSUER)
    token = guest_token(guest, "/sign-in")
    fields = {"csrf_token": token, "name": name, "email": f"{name.lower()}@example.org"}
    answer = guest.web.post("/sign-up", data=fields, base_url=ISSUER)
    assert 303 == answer.status_code, answer.text
    return guest


def guest_token(guest: Guest, path: str) -> str:
    """The CSRF token in the forms of a page."""
    page = guest.web.get(path, base_url=ISSUER).text
    match = re.search(r'name="csrf_token" value="([0-9a-f]+)"', page)
    assert match is not None, page
    return match[1]


def fields_of(location: str) -> dict[str, str]:
    """The parameters of an authorization response."""
    return dict(parse_qsl(urlsplit(location).query))


def way_back(page: str) -> dict[str, str]:
    """The parameters of the link back to the app, on the page about a faulty request."""
    match = _WAY_BACK.search(page)
    assert match is not None, page
    return fields_of(html.unescape(match[1]))


class PlayingApp:
    """An app of somebody else."""

    def __init__(self, service: Service, client: str = "Board", redirect: str = REDIRECT) -> None:
        self.service, self.client, self.redirect = service, client, redirect
        self.web: FlaskClient = service.app.test_client(use_cookies=False)
        self.state = secrets.token_hex(4)

    def url(self, **changes: str | None) -> str:
        """The address to which the app sends its user; None leaves a parameter out."""
        fields = {
            "response_type": "code",
            "client_id": self.client,
            "redirect_uri": self.redirect,
            "scope": "read play",
            "state": self.state,
            "code_challenge": challenge_of(VERIFIER),
            "code_challenge_method": "S256",
        }
        kept = {name: value for name, value in (fields | changes).items() if value is not None}
        return f"/oauth/authorize?{urlencode(kept)}"

    def answer(
        self, user: Guest, choice: str | None = "allow", **changes: str | None
    ) -> TestResponse:
        """Let a player choose on the consent page."""
        url = self.url(**changes)
        fields = {"csrf_token": guest_token(user, "/settings"), "choice": choice}
        return user.web.post(url, data=fields, base_url=ISSUER)

    def code(self, user: Guest, **changes: str | None) -> str:
        """The code with which the browser comes back."""
        answer = self.answer(user, **changes)
        assert 303 == answer.status_code, answer.text
        return fields_of(answer.headers["Location"])["code"]

    def post(self, path: str, **fields: str | None) -> TestResponse:
        """Send a form, without cookies; None leaves a field out."""
        kept = {name: value for name, value in fields.items() if value is not None}
        return self.web.post(path, data=kept, base_url=ISSUER)

    def exchange(self, code: str, **changes: str | None) -> TestResponse:
        """Exchange a code for tokens."""
        fields: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "client_id": self.client,
            "code": code,
            "redirect_uri": self.redirect,
            "code_verifier": VERIFIER,
        }
        return self.post("/oauth/token", **(fields | changes))

    def tokens(self, user: Guest, **changes: str | None) -> dict[str, Any]:
        """Sign a player in, and return the tokens."""
        return tokens_in(self.exchange(self.code(user, **changes)))

    def refresh(self, refresh_token: str, **changes: str | None) -> TestResponse:
        """Renew the tokens."""
        fields: dict[str, str | None] = {
            "grant_type": "refresh_token",
            "client_id": self.client,
            "refresh_token": refresh_token,
        }
        return self.post("/oauth/token", **(fields | changes))

    def device_codes(self, **changes: str | None) -> dict[str, Any]:
        """Ask for the codes of a device."""
        fields: dict[str, str | None] = {"client_id": self.client, "scope": "read play"}
        answer = self.post("/oauth/device-authorization", **(fields | changes))
        assert 200 == answer.status_code, answer.text
        return json_in(answer)

    def poll(self, device_code: str, **changes: str | None) -> TestResponse:
        """Ask whether the device has been approved."""
        fields: dict[str, str | None] = {
            "grant_type": DEVICE_GRANT,
            "client_id": self.client,
            "device_code": device_code,
        }
        return self.post("/oauth/token", **(fields | changes))

    def call(self, tokens: dict[str, Any], path: str = "/v1/me", **more: Any) -> TestResponse:
        """Call the API with an access token."""
        header = {"Authorization": f"Bearer {tokens['access_token']}"}
        return self.web.open(path, headers=header, base_url=ISSUER, **more)

    def read(self, tokens: dict[str, Any], path: str = "/v1/me", **more: Any) -> dict[str, Any]:
        """Call the API, and return the document in its answer."""
        return json_in(self.call(tokens, path, **more))


def json_in(answer: TestResponse) -> dict[str, Any]:
    """The document in an answer."""
    assert isinstance(answer.json, dict), answer.text
    return answer.json


def tokens_in(answer: TestResponse) -> dict[str, Any]:
    """The tokens in an answer."""
    assert 200 == answer.status_code, answer.text
    return json_in(answer)


def error_in(answer: TestResponse) -> str:
    """The error in an answer of an endpoint."""
    assert answer.status_code in (400, 401), answer.text
    return str(json_in(answer)["error"])


def enter(user: Guest, user_code: str, choice: str | None = None) -> TestResponse:
    """Enter the code of a device on its page, and choose if there is a choice."""
    fields = {"csrf_token": guest_token(user, "/device"), "user_code": user_code}
    chosen = {"choice": choice} if choice else {}
    return user.web.post("/device", data=fields | chosen, base_url=ISSUER)
