"""The library's sign-in against the real service, whose pages a visitor presses."""

import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from itertools import count
from urllib.parse import urljoin

import pytest
import requests

import cli.listening.service_client
import cli.mcp.service_client
from cli.listening.forwarder import Forwarder
from cli.mcp.server import Tools
from nightmail_client import (
    DeviceCode,
    Nightmail,
    SignInFailed,
    Tokens,
    Unauthenticated,
    revoke,
    sign_in_with_browser,
    sign_in_with_device,
)
from nightmail_client._sync import sign_in
from tests.clients.running import Service

CLIENT = "A board of Ada's"
URL = "http://127.0.0.1:1/"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105  # for tests only
_numbers = count(1)


class Visitor:
    """A player in a browser, which holds the session and follows redirects."""

    def __init__(self, service: Service) -> None:
        self.base, self.web = service.url, requests.Session()
        self.name = f"Visitor {next(_numbers)}"
        self.pages: list[requests.Response] = []
        self._threads: list[threading.Thread] = []
        form = self._token_in(self.web.get(f"{self.base}/sign-in", timeout=60))
        self._post(
            "/sign-up",
            csrf_token=form,
            name=self.name,
            email=f"visitor{next(_numbers)}@example.org",
        )

    def open(self, address: str, choice: str) -> None:
        """Open a consent page and press a button, while the program waits for the answer."""
        thread = threading.Thread(target=self._choose, args=(address, choice))
        thread.start()
        self._threads.append(thread)

    def _choose(self, address: str, choice: str) -> None:
        page = self.web.get(address, timeout=60)
        action = re.search(r'<form method="post" action="(/oauth/authorize[^"]+)"', page.text)
        assert action is not None, page.text
        target = urljoin(self.base, unescape(action[1]))
        self._post(target, csrf_token=self._token_in(page), choice=choice)

    def enter(self, code: DeviceCode, choice: str) -> None:
        """Open the page of the device, enter its code and press a button."""
        page = self.web.get(code.verification_uri, timeout=60)
        page = self._post("/device", csrf_token=self._token_in(page), user_code=code.user_code)
        assert CLIENT in unescape(page.text), page.text
        fields = {"csrf_token": self._token_in(page), "user_code": code.user_code}
        self._post("/device", **fields, choice=choice)

    def disconnect_all(self) -> None:
        """Disconnect every app on the settings page."""
        page = self.web.get(f"{self.base}/settings", timeout=60)
        paths = re.findall(r'action="(/settings/apps/[^"]+)"', page.text)
        assert paths
        for path in paths:
            self._post(path, csrf_token=self._token_in(page))

    def leave(self) -> None:
        """Wait until all pages are loaded."""
        for thread in self._threads:
            thread.join()
        self.web.close()

    def _post(self, target: str, **fields: str) -> requests.Response:
        page = self.web.post(urljoin(self.base, target), data=fields, timeout=60)
        assert page.ok, page.text
        self.pages.append(page)
        return page

    @staticmethod
    def _token_in(page: requests.Response) -> str:
        match = re.search(r'name="csrf_token" value="([0-9a-f]+)"', page.text)
        assert match is not None, page.text
        return match[1]


@pytest.fixture
def visitor(service: Service) -> Iterator[Visitor]:
    """A player who has signed up."""
    visitor = Visitor(service)
    yield visitor
    visitor.leave()


def signed_in(service: Service, visitor: Visitor, scope: str = "read play") -> Tokens:
    """Tokens for which a visitor has pressed “Allow”."""
    return sign_in_with_browser(
        service.url, CLIENT, scope=scope, show=lambda url: visitor.open(url, "allow")
    )


def test_a_program_that_was_allowed_plays(service: Service, visitor: Visitor) -> None:
    """The code comes back over loopback, and the token plays for the visitor."""
    tokens = signed_in(service, visitor)
    visitor.leave()
    with Nightmail(service.url, tokens) as nightmail:
        assert visitor.name == nightmail.me()["name"]
        game = nightmail.open_game(board="usa", seats=2, bots={"easy": 1})
        [decision] = nightmail.open_decisions()
        assert game.id == decision["game"]

    assert "go back to your program" in visitor.pages[-1].text
    assert ("read play", service.url) == (tokens.scope, tokens.issuer)


def test_tools_of_this_machine_take_the_token_of_a_grant(
    service: Service, visitor: Visitor
) -> None:
    """`nightmail hook listen` and the tools of agents read with it; agents still do not play."""
    token = signed_in(service, visitor).access_token
    listening = Forwarder(
        cli.listening.service_client.ServiceClient(service.url, token), URL, SECRET, 1.0, print
    )
    assert visitor.name == listening.greet()
    listening.close()

    tools = Tools(cli.mcp.service_client.ServiceClient(service.url, token))
    assert f"You are ⟦{visitor.name}⟧" in tools.list_decisions()
    with pytest.raises(cli.mcp.service_client.ServiceError, match="the account of a person"):
        tools.talk("any", "Hello")


def test_a_program_that_was_denied(service: Service, visitor: Visitor) -> None:
    """The exception has the code of the standard."""
    with pytest.raises(SignInFailed) as failed:
        sign_in_with_browser(service.url, CLIENT, show=lambda url: visitor.open(url, "deny"))

    assert "access_denied" == failed.value.code


def test_a_scope_that_no_program_gets(service: Service) -> None:
    """Managing the account is refused before anybody is asked."""
    with pytest.raises(SignInFailed) as failed:
        sign_in_with_device(service.url, CLIENT, scope="manage", show=lambda _: None)

    assert "invalid_scope" == failed.value.code


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that a device would have slept."""
    seconds: list[float] = []
    monkeypatch.setattr(sign_in, "sleep", seconds.append)
    return seconds


def test_a_device_that_was_allowed(service: Service, visitor: Visitor, pauses: list[float]) -> None:
    """The visitor enters the code that the device shows, and the device gets its token."""
    tokens = sign_in_with_device(
        service.url, CLIENT, show=lambda code: visitor.enter(code, "allow")
    )
    with Nightmail(service.url, tokens) as nightmail:
        assert visitor.name == nightmail.me()["name"]
    assert [5] == pauses


@pytest.mark.usefixtures("pauses")
def test_a_device_that_was_denied(service: Service, visitor: Visitor) -> None:
    """It stops polling."""
    with pytest.raises(SignInFailed) as failed:
        sign_in_with_device(service.url, CLIENT, show=lambda code: visitor.enter(code, "deny"))

    assert "access_denied" == failed.value.code


def test_tokens_are_renewed_once_each(service: Service, visitor: Visitor) -> None:
    """An expired token is renewed before it is sent; a copied refresh token ends everything."""
    old = replace(signed_in(service, visitor), expires_at=0.0)
    kept: list[Tokens] = []
    with Nightmail(service.url, old, on_renewal=kept.append) as nightmail:
        assert visitor.name == nightmail.me()["name"]
        [new] = kept
        assert old.refresh_token != new.refresh_token
        with Nightmail(service.url, old) as copy, pytest.raises(SignInFailed) as failed:
            copy.me()
        assert "invalid_grant" == failed.value.code
        with pytest.raises(SignInFailed):
            nightmail.me()


def test_revoked_tokens_end_everything(service: Service, visitor: Visitor) -> None:
    """After `revoke` neither of the two tokens is good for anything; so after “Disconnect”."""
    for end in (revoke, lambda _: visitor.disconnect_all()):
        tokens = signed_in(service, visitor)
        end(tokens)
        plain = tokens.access_token
        with Nightmail(service.url, plain) as nightmail, pytest.raises(Unauthenticated):
            nightmail.me()
        with Nightmail(service.url, tokens) as nightmail, pytest.raises(SignInFailed):
            nightmail.me()
