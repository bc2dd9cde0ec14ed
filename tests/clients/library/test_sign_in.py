import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from urllib.parse import urlsplit

import httpx
import pytest

from nightmail_client import (
    AsyncNightmail,
    DeviceCode,
    Nightmail,
    SignInFailed,
    Tokens,
    Unauthenticated,
    Unreachable,
    async_revoke,
    async_sign_in_with_browser,
    async_sign_in_with_device,
    revoke,
    sign_in_with_browser,
    sign_in_with_device,
)
from nightmail_client._sync import sign_in
from tests.clients.library.oauth_server import OAuthServer
from tests.clients.library.playing import run_async

CLIENT = "A bot of Ada"


@pytest.fixture
def server() -> Iterator[OAuthServer]:
    """A stand-in for the service, on loopback."""
    with OAuthServer().serving() as serving:
        yield serving


class Browser:
    """A person who agrees, and the browser that takes the answer back."""

    def __init__(self, server: OAuthServer) -> None:
        self._server = server
        self._pool = ThreadPoolExecutor(1)
        self.pages: list[httpx.Response] = []

    def __call__(self, address: str) -> None:
        """Open an address without making the program wait."""
        self._pool.submit(self._open, address)

    def _open(self, address: str) -> None:
        target = self._server.agree(address)
        for url in (urlsplit(target)._replace(path="/favicon.ico").geturl(), target):
            self.pages.append(httpx.get(url))

    def close(self) -> None:
        """Wait until all pages are loaded."""
        self._pool.shutdown()


def test_a_browser_signs_a_program_in(server: OAuthServer) -> None:
    """The code comes back to 127.0.0.1 and is exchanged, with PKCE, for a token that works."""
    browser = Browser(server)
    tokens = sign_in_with_browser(server.url, CLIENT, show=browser)
    browser.close()
    with Nightmail(server.url, tokens) as nightmail:
        assert "Ada" == nightmail.me()["name"]

    [form] = server.forms
    assert form["redirect_uri"].startswith("http://127.0.0.1:")
    assert [404, 200] == [page.status_code for page in browser.pages]
    assert ("read play", CLIENT, server.url) == (tokens.scope, tokens.client_id, tokens.issuer)
    assert tokens.access_token not in repr(tokens)
    assert tokens == Tokens.from_json(tokens.to_json())


def test_the_answer_of_somebody_else_is_not_taken(server: OAuthServer) -> None:
    """A redirect with another state is not answered, and the program goes on waiting."""
    server.redirects = {"state": "another"}
    browser = Browser(server)
    with pytest.raises(SignInFailed, match="Nobody agreed"):
        sign_in_with_browser(server.url, CLIENT, show=browser, patience=0.5)
    browser.close()

    assert [404, 404] == [page.status_code for page in browser.pages]
    assert [] == server.forms


@pytest.mark.parametrize(
    ("redirects", "sentence"),
    [
        ({"iss": "https://evil.example"}, "another service"),
        ({"iss": ""}, "another service"),
        ({"error": "access_denied", "error_description": "Ada says no."}, "Ada says no."),
        ({"code": ""}, "no code"),
    ],
    ids=["mix-up", "no issuer", "denied", "no code"],
)
def test_a_redirect_without_a_grant(
    server: OAuthServer, redirects: dict[str, str], sentence: str
) -> None:
    """No code is sent anywhere if the answer is another service's, a refusal or incomplete."""
    server.redirects = redirects
    browser = Browser(server)
    with pytest.raises(SignInFailed, match=sentence):
        sign_in_with_browser(server.url, CLIENT, show=browser, patience=30)
    browser.close()

    assert [] == server.forms


@pytest.mark.parametrize(
    "changes",
    [
        {"issuer": "https://evil.example"},
        {"token_endpoint": "http://evil.example/token"},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
    ids=["issuer", "without TLS", "script"],
)
def test_metadata_that_leads_astray(server: OAuthServer, changes: dict[str, str]) -> None:
    """Metadata of another service, or with an address that is not safe, is refused."""
    server.changes = changes
    shown: list[str] = []
    with pytest.raises(SignInFailed):
        sign_in_with_browser(server.url, CLIENT, show=shown.append, patience=0.1)

    assert [] == shown


def test_a_service_without_sign_in(server: OAuthServer) -> None:
    """It is said in words that the service does not offer this, or is not there."""
    with pytest.raises(SignInFailed, match="does not offer"):
        sign_in_with_browser(f"{server.url}/elsewhere", CLIENT)
    with pytest.raises(Unreachable):
        sign_in_with_browser("http://127.0.0.1:1", CLIENT)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that a device would have slept."""
    seconds: list[float] = []
    monkeypatch.setattr(sign_in, "sleep", seconds.append)
    return seconds


def test_a_device_signs_in(server: OAuthServer, pauses: list[float]) -> None:
    """A person gets the code; the device asks in the pace that the service sets."""
    server.pending = ["authorization_pending", "slow_down", "authorization_pending"]
    shown: list[DeviceCode] = []
    tokens = sign_in_with_device(server.url, CLIENT, show=shown.append)

    assert ["WDJB-MJHT"] == [code.user_code for code in shown]
    assert [1, 1, 6, 6] == pauses
    assert server.token == tokens.access_token


@pytest.mark.usefixtures("pauses")
def test_a_device_that_is_refused(server: OAuthServer) -> None:
    """It stops asking, and the exception has the code of the refusal."""
    server.pending = ["authorization_pending", "access_denied"]
    with pytest.raises(SignInFailed) as failed:
        sign_in_with_device(server.url, CLIENT, show=lambda _: None)

    assert "access_denied" == failed.value.code


def expired(server: OAuthServer) -> Tokens:
    """Tokens of which the first has expired."""
    browser = Browser(server)
    tokens = sign_in_with_browser(server.url, CLIENT, show=browser)
    browser.close()
    return replace(tokens, expires_at=time.time() - 1)


def test_an_expired_token_is_renewed(server: OAuthServer) -> None:
    """It is renewed before it is sent, and the new tokens are handed over to be kept."""
    kept: list[Tokens] = []
    with Nightmail(server.url, expired(server), on_renewal=kept.append) as nightmail:
        nightmail.me()
        nightmail.me()

    assert [server.token] == [tokens.access_token for tokens in kept]
    assert 1 == len([form for form in server.forms if form["grant_type"] == "refresh_token"])


def test_a_refused_token_is_renewed_once(server: OAuthServer) -> None:
    """A token that the service does not take any more is renewed, and the request repeated."""
    tokens = replace(expired(server), expires_at=None)
    server.token = server.token[::-1]
    server.refusing_together = threading.Barrier(4)
    with Nightmail(server.url, tokens) as nightmail, ThreadPoolExecutor(4) as pool:
        names = [account["name"] for account in pool.map(lambda _: nightmail.me(), range(4))]

    assert 4 * ["Ada"] == names
    assert 1 == len([form for form in server.forms if form["grant_type"] == "refresh_token"])


def test_revoked_tokens_are_useless(server: OAuthServer) -> None:
    """After signing out neither the token nor its renewal works, and no loop begins."""
    tokens = replace(expired(server), expires_at=None)
    revoke(tokens)
    with (
        Nightmail(server.url, replace(tokens, refresh_token=CLIENT)) as nightmail,
        pytest.raises(SignInFailed),
    ):
        nightmail.me()
    with Nightmail(server.url, tokens.access_token) as nightmail, pytest.raises(Unauthenticated):
        nightmail.me()

    assert {"token": tokens.refresh_token, "client_id": CLIENT} == server.forms[1]


async def _sign_in_and_out(server: OAuthServer, browser: Browser) -> list[str]:
    tokens = await async_sign_in_with_browser(server.url, CLIENT, show=browser)
    device = await async_sign_in_with_device(server.url, CLIENT, show=lambda _: None)
    names = []
    async with AsyncNightmail(server.url, replace(device, expires_at=0.0)) as nightmail:
        names.append((await nightmail.me())["name"])
    await async_revoke(tokens)
    return names


def test_the_asynchronous_functions_do_the_same(server: OAuthServer) -> None:
    """Browser, device, renewal and revocation, without blocking."""
    browser = Browser(server)
    names = run_async(_sign_in_and_out, server, browser)
    browser.close()

    assert ["Ada"] == names
    kinds = [form.get("grant_type", "").rpartition(":")[2] for form in server.forms]
    assert ["authorization_code", "", "device_code", "refresh_token", ""] == kinds
