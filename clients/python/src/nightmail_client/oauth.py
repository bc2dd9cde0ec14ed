"""What OAuth 2 prescribes, without sending anything: requests, checks and answers.

Authorization code with PKCE (RFC 6749, 7636, 8252), device flow (8628), metadata (8414), the
issuer in the redirect (9207), revocation (7009).
"""

import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx

from nightmail_client.errors import SignInFailed
from nightmail_client.tokens import Tokens

METADATA = "/.well-known/oauth-authorization-server"
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
INTERVAL = 5
"""Seconds between two questions of a device, unless the service says otherwise."""


@dataclass(frozen=True)
class Metadata:
    """Where a service issues tokens."""

    issuer: str
    endpoints: Mapping[str, str]
    names_issuer: bool
    """Whether redirects name the issuer."""

    def endpoint(self, name: str) -> str:
        """Return an endpoint; raises `SignInFailed` if the service has none."""
        try:
            return self.endpoints[name]
        except KeyError:
            raise SignInFailed(f"The service has no {name.replace('_', ' ')}.") from None


def read_metadata(url: str, response: httpx.Response) -> Metadata:
    """Read and check the metadata of the service at this URL."""
    document = _document(response)
    if not response.is_success:
        raise SignInFailed(f"{url} does not offer to sign in by OAuth.")
    if str(document.get("issuer", "")).rstrip("/") != url.rstrip("/"):
        raise SignInFailed(f"The metadata of {url} is that of another service.")
    endpoints = {name: str(value) for name, value in document.items() if name.endswith("_endpoint")}
    for endpoint in endpoints.values():
        _check_endpoint(url, endpoint)
    names_issuer = document.get("authorization_response_iss_parameter_supported") is True
    return Metadata(str(document["issuer"]), endpoints, names_issuer)


def _check_endpoint(url: str, endpoint: str) -> None:
    """Refuse endpoints without TLS; a service on this machine needs none."""
    parts = urlsplit(endpoint)
    if parts.scheme == "https" or (
        parts.scheme == "http" and parts.hostname in LOOPBACK and url.startswith("http:")
    ):
        return
    raise SignInFailed(f"{endpoint} is not an HTTPS address.")


@dataclass(frozen=True)
class Authorization:
    """One attempt to sign in with a browser; its secrets never leave this program."""

    metadata: Metadata
    client_id: str
    scope: str
    redirect_uri: str
    state: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48), repr=False)

    def url(self) -> str:
        """Return the address of the consent page."""
        challenge = urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=")
        query = urlencode(
            {
                "response_type": "code",
                "client_id": self.client_id,
                "redirect_uri": self.redirect_uri,
                "scope": self.scope,
                "state": self.state,
                "code_challenge": challenge.decode(),
                "code_challenge_method": "S256",
            }
        )
        return f"{self.metadata.endpoint('authorization_endpoint')}?{query}"

    def is_answered_by(self, query: Mapping[str, str]) -> bool:
        """Whether a redirect belongs to this attempt, and not to somebody else's."""
        return secrets.compare_digest(query.get("state", "").encode(), self.state.encode())

    def form(self, query: Mapping[str, str]) -> dict[str, str]:
        """Return the token request for the query of a redirect; raises `SignInFailed`."""
        issuer = query.get("iss")
        if (issuer is not None or self.metadata.names_issuer) and issuer != self.metadata.issuer:
            raise SignInFailed("The answer comes from another service.")
        if "error" in query:
            raise refusal(query)
        if "code" not in query:
            raise SignInFailed("The answer has no code.")
        return {
            "grant_type": "authorization_code",
            "code": query["code"],
            "redirect_uri": self.redirect_uri,
            "client_id": self.client_id,
            "code_verifier": self.verifier,
        }


@dataclass(frozen=True)
class DeviceCode:
    """What a person needs to sign a device in."""

    user_code: str
    """To be typed at `verification_uri`."""
    verification_uri: str
    verification_uri_complete: str | None
    """The same with the code in it, for a link or a QR code."""
    expires_at: float
    """When the code expires, in seconds since 1970."""
    device_code: str = field(repr=False)
    interval: float = INTERVAL


def read_device_code(response: httpx.Response) -> DeviceCode:
    """Read the answer of the device authorization endpoint."""
    document = _granted(response)
    try:
        return DeviceCode(
            user_code=str(document["user_code"]),
            verification_uri=str(document["verification_uri"]),
            verification_uri_complete=document.get("verification_uri_complete"),
            expires_at=time.time() + float(document["expires_in"]),
            device_code=str(document["device_code"]),
            interval=float(document.get("interval", INTERVAL)),
        )
    except (KeyError, TypeError, ValueError):
        raise SignInFailed("The service answered with an incomplete device code.") from None


def pause_of_device(response: httpx.Response, interval: float) -> float | None:
    """Return the seconds until a device may ask again; None if its question is answered."""
    if response.is_success:
        return None
    code = _document(response).get("error")
    if code == "slow_down":
        return interval + 5
    return interval if code == "authorization_pending" else None


def read_tokens(response: httpx.Response, client_id: str, issuer: str, scope: str) -> Tokens:
    """Read the answer of the token endpoint."""
    document = _granted(response)
    token, kind = document.get("access_token"), str(document.get("token_type", ""))
    if not isinstance(token, str) or kind.casefold() != "bearer":
        raise SignInFailed("The service answered without a token that can be used.")
    lifetime = document.get("expires_in")
    return Tokens(
        access_token=token,
        refresh_token=document.get("refresh_token"),
        expires_at=None if lifetime is None else time.time() + float(lifetime),
        scope=str(document.get("scope", scope)),
        client_id=client_id,
        issuer=issuer,
    )


def refusal(document: Mapping[str, Any]) -> SignInFailed:
    """Return the exception for an error of OAuth."""
    code = str(document.get("error", ""))
    sentence = str(document.get("error_description") or f"The service refused: {code}.")
    return SignInFailed(sentence, code)


def _granted(response: httpx.Response) -> dict[str, Any]:
    document = _document(response)
    if not response.is_success:
        raise refusal(document or {"error": f"status {response.status_code}"})
    return document


def _document(response: httpx.Response) -> dict[str, Any]:
    try:
        document = response.json()
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}
