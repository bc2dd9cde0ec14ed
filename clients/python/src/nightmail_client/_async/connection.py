"""Sends requests: with a token, again where that is safe, and streams that go on after a break."""

import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from itertools import count
from time import monotonic
from typing import Any

import httpx
from httpx_sse import EventSource, SSEError

from nightmail_client import retries
from nightmail_client._async.concurrency import Lock, sleep
from nightmail_client._async.sign_in import renewed
from nightmail_client.errors import ApiError, Unreachable, error_of
from nightmail_client.streams import StreamEvent
from nightmail_client.tokens import Tokens

AGENT = "nightmail-client"
WAIT = 30
"""Seconds that a long poll waits at the service."""
SILENCE = 60.0
"""Seconds without a byte after which a connection counts as lost; streams have a beat of 15."""


STREAM = {"Accept": "text/event-stream", "Cache-Control": "no-store"}


class AsyncConnection:
    """A connection to one service, for one account or for nobody."""

    def __init__(
        self,
        url: str,
        token: str | Tokens | None,
        *,
        patience: float,
        on_renewal: Callable[[Tokens], None] | None,
        transport: httpx.AsyncBaseTransport | None,
    ) -> None:
        self.tokens = Tokens(token) if isinstance(token, str) else token
        self._on_renewal = on_renewal
        self._patience = patience
        self._renewing = Lock()
        self._http = httpx.AsyncClient(
            base_url=url,
            timeout=httpx.Timeout(SILENCE + WAIT, connect=10.0),
            headers={"User-Agent": AGENT},
            transport=transport,
        )

    async def aclose(self) -> None:
        """Close all sockets."""
        await self._http.aclose()

    async def request(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        params: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        key: str | None = None,
    ) -> httpx.Response:
        """Send a request and return its response; raises the exception for a refusal.

        Every POST gets an `Idempotency-Key`. A request is sent again when it cannot have had an
        effect, or can have it only once; after `patience` seconds the last failure is raised.
        """
        own = dict(headers or {})
        if retries.takes_key(method, path):
            own["Idempotency-Key"] = key or secrets.token_urlsafe(24)
        repeatable = retries.is_repeatable(method, path)
        deadline = monotonic() + self._patience
        for attempt in count():
            try:
                response = await self._send(method, path, json=json, params=params, headers=own)
            except httpx.TransportError as error:
                pause = retries.pause_after_error(error, attempt, repeatable=repeatable)
                failure: Exception = Unreachable(f"{method} {path}: {error!r}")
            else:
                if not response.is_error:
                    return response
                pause = retries.pause_after_response(response, attempt, repeatable=repeatable)
                failure = error_of(response)
            if pause is None or monotonic() + pause > deadline:
                raise failure
            await sleep(pause)
        raise AssertionError  # counting never ends

    async def json(self, method: str, path: str, **parts: Any) -> Any:
        """Send a request and return the JSON of its response; None if it has no body."""
        response = await self.request(method, path, **parts)
        return response.json() if response.content else None

    async def pages(self, path: str, params: Mapping[str, Any]) -> AsyncIterator[httpx.Response]:
        """Yield the pages of a list."""
        response = await self.request("GET", path, params=params)
        yield response
        while following := response.links.get("next"):
            address = self._http.base_url.join(following["url"])
            response = await self.request("GET", address.raw_path.decode())  # same host, always
            yield response

    async def stream(self, path: str, last_id: str = "") -> AsyncIterator[StreamEvent]:
        """Yield the events of a stream, and reconnect when it breaks; it never ends by itself.

        After `patience` seconds without a connection the last failure is raised.
        """
        breaks = retries.Breaks(self._patience)
        while True:
            failure: Exception = Unreachable(f"GET {path}: the stream ends again and again.")
            pause: float | None = breaks.pause()
            try:
                async with self._opened(path, last_id) as source:
                    breaks.end()
                    async for event in source.aiter_sse():
                        last_id = event.id or last_id
                        breaks.forget()
                        if event.data:  # without data it only sets the time to reconnect
                            yield StreamEvent(event.event, event.json())
            except ApiError as error:
                failure = error
                pause = retries.pause_after_response(error.response, 0, repeatable=True)
            except (httpx.TransportError, SSEError) as error:
                failure = Unreachable(f"GET {path}: {error!r}")
            if pause is None or breaks.is_too_long(pause):
                raise failure
            await sleep(pause)

    @asynccontextmanager
    async def _opened(self, path: str, last_id: str) -> AsyncIterator[EventSource]:
        """Open a stream; raises the exception for a refusal."""
        headers = {**STREAM, "Last-Event-ID": last_id} if last_id else STREAM
        response = await self._send("GET", path, headers=headers, is_stream=True)
        try:
            if response.is_error:
                await response.aread()
                raise error_of(response)
            yield EventSource(response)
        finally:
            await response.aclose()

    async def _send(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str],
        is_stream: bool = False,
        **parts: Any,
    ) -> httpx.Response:
        """Send a request once, or twice if its token turns out to have expired."""
        own = {**headers, **await self._authorization()}
        request = self._http.build_request(method, path, headers=own, **parts)
        response = await self._http.send(request, stream=is_stream)
        if response.status_code != httpx.codes.UNAUTHORIZED or not await self._renew(own):
            return response
        await response.aclose()
        own |= await self._authorization()
        request = self._http.build_request(method, path, headers=own, **parts)
        return await self._http.send(request, stream=is_stream)

    async def _authorization(self) -> dict[str, str]:
        if self.tokens is None:
            return {}
        if self.tokens.can_be_renewed and self.tokens.is_expiring():
            await self._renew({"Authorization": f"Bearer {self.tokens.access_token}"})
        return {"Authorization": f"Bearer {self.tokens.access_token}"}

    async def _renew(self, refused: Mapping[str, str]) -> bool:
        """Renew the token unless another task has; whether there is another than the refused."""
        async with self._renewing:
            tokens = self.tokens
            if tokens is None or not tokens.can_be_renewed:
                return False
            if refused.get("Authorization") == f"Bearer {tokens.access_token}":
                self.tokens = await renewed(self._http, tokens)
                if self._on_renewal:
                    self._on_renewal(self.tokens)
            return True
