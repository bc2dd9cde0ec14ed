"""Obtains tokens by OAuth 2: with a browser, with a code for another device; renews, revokes."""

import time
import webbrowser
from collections.abc import Callable

import httpx

from nightmail_client._async.concurrency import in_thread, sleep
from nightmail_client.errors import SignInFailed, Unreachable
from nightmail_client.loopback import Listener
from nightmail_client.oauth import (
    DEVICE_GRANT,
    METADATA,
    Authorization,
    DeviceCode,
    Metadata,
    pause_of_device,
    read_device_code,
    read_metadata,
    read_tokens,
)
from nightmail_client.tokens import Tokens

SCOPE = "read play"
PATIENCE = 300.0
"""Seconds that a person has to agree in the browser."""


async def async_sign_in_with_browser(
    url: str,
    client_id: str,
    *,
    scope: str = SCOPE,
    show: Callable[[str], object] = webbrowser.open,
    patience: float = PATIENCE,
) -> Tokens:
    """Sign in with a browser on this machine; raises `SignInFailed` if nobody agrees.

    `show` opens the address of the consent page. The answer comes back to a free port of
    127.0.0.1. `client_id` is the name of your program; it needs no registration.
    """
    async with httpx.AsyncClient() as http:
        metadata = await _metadata(http, url)
        with Listener() as listener:
            attempt = Authorization(metadata, client_id, scope, listener.redirect_uri)
            listener.expect(attempt.is_answered_by)
            show(attempt.url())
            query = await in_thread(listener.wait, patience)
        form = attempt.form(query)
        response = await _post(http, metadata.endpoint("token_endpoint"), form)
        return read_tokens(response, client_id, metadata.issuer, scope)


async def async_sign_in_with_device(
    url: str,
    client_id: str,
    *,
    show: Callable[[DeviceCode], object],
    scope: str = SCOPE,
) -> Tokens:
    """Sign in by a code that a person types elsewhere; raises `SignInFailed` if nobody does.

    `show` tells the person the code and where to type it.
    """
    async with httpx.AsyncClient() as http:
        metadata = await _metadata(http, url)
        asked = {"client_id": client_id, "scope": scope}
        endpoint = metadata.endpoint("device_authorization_endpoint")
        code = read_device_code(await _post(http, endpoint, asked))
        show(code)
        form = {
            "grant_type": DEVICE_GRANT,
            "device_code": code.device_code,
            "client_id": client_id,
        }
        pause = code.interval
        while time.time() + pause <= code.expires_at:
            await sleep(pause)
            response = await _post(http, metadata.endpoint("token_endpoint"), form)
            following = pause_of_device(response, pause)
            if following is None:
                return read_tokens(response, client_id, metadata.issuer, scope)
            pause = following
        raise SignInFailed("Nobody typed the code in time.", "expired_token")


async def async_revoke(tokens: Tokens) -> None:
    """Make tokens useless, as one does when signing out."""
    async with httpx.AsyncClient() as http:
        metadata = await _metadata(http, tokens.issuer)
        token = tokens.refresh_token or tokens.access_token
        form = {"token": token, "client_id": tokens.client_id}
        response = await _post(http, metadata.endpoint("revocation_endpoint"), form)
    if response.is_error:
        raise SignInFailed(f"The tokens were not revoked: status {response.status_code}.")


async def renewed(http: httpx.AsyncClient, tokens: Tokens) -> Tokens:
    """Return new tokens for those that have expired; the request may be sent again later."""
    metadata = read_metadata(tokens.issuer, await http.get(tokens.issuer.rstrip("/") + METADATA))
    form = {
        "grant_type": "refresh_token",
        "refresh_token": tokens.refresh_token or "",
        "client_id": tokens.client_id,
    }
    response = await http.post(metadata.endpoint("token_endpoint"), data=form)
    if response.is_server_error or response.status_code == httpx.codes.TOO_MANY_REQUESTS:
        raise httpx.ConnectError(f"The token was not renewed: status {response.status_code}.")
    return tokens.kept_by(read_tokens(response, tokens.client_id, tokens.issuer, tokens.scope))


async def _metadata(http: httpx.AsyncClient, url: str) -> Metadata:
    try:
        response = await http.get(url.rstrip("/") + METADATA)
    except httpx.TransportError as error:
        raise Unreachable(f"{url}: {error!r}") from error
    return read_metadata(url, response)


async def _post(http: httpx.AsyncClient, endpoint: str, form: dict[str, str]) -> httpx.Response:
    """Send a form once: codes and refresh tokens work only once."""
    try:
        return await http.post(endpoint, data=form, headers={"Accept": "application/json"})
    except httpx.TransportError as error:
        raise Unreachable(f"{endpoint}: {error!r}") from error
