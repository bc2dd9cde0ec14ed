"""Calls the REST API of a service with an account's token."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import urllib3
from urllib3.exceptions import HTTPError, LocationParseError

from cli.listening.event_stream import ServerEvent, events
from engine.text import clean, shortened

Json = dict[str, Any]
SILENCE = 45.0
"""Seconds without a byte after which a stream is broken; the service sends one every 15."""
CONNECTING = 10.0
BUSY = (429, 500, 502, 503, 504)
"""Statuses after which the same request may succeed later."""
NO_SERVICE = "This address does not answer as a service of Nightmail does."
PAUSE = 1.0
"""Seconds to wait before the next attempt, unless the service says how long."""
LONGEST_PAUSE = 60.0


class Refused(Exception):
    """The service refuses this token, or is none; trying again cannot help."""


class Busy(Exception):
    """The service cannot answer now; holds for how long to wait."""

    def __init__(self, reason: str, seconds: float) -> None:
        super().__init__(reason)
        self.seconds = seconds


class ServiceAnswer(NamedTuple):
    """A response of the service."""

    status: int
    document: Json

    @property
    def detail(self) -> str:
        """Return why a request was refused."""
        return clean(str(self.document.get("detail", f"status {self.status}")))


class ServiceClient:
    """Calls one service on behalf of one account."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address.rstrip("/").removesuffix("/v1")
        self._http = urllib3.PoolManager(retries=False, maxsize=2)
        self._headers = {"Authorization": f"Bearer {token}", "User-Agent": "nightmail hook listen"}

    def get(self, path: str) -> ServiceAnswer:
        """Read a document."""
        return self._document("GET", path, None, {})

    def move(self, game: str, version: int, move: Json, key: str) -> ServiceAnswer:
        """Make a move in the position of this version."""
        headers = {"If-Match": f'"{version}"', "Idempotency-Key": key}
        return self._document("POST", f"/v1/games/{game}/moves", move, headers)

    def stream(self, last_id: str | None) -> Iterator[ServerEvent]:
        """Yield the news of the account, until the stream ends or breaks."""
        headers = {"Last-Event-ID": last_id} if last_id else {}
        response = self._request("GET", "/v1/me/stream", None, headers, whole=False)
        try:
            if response.status != 200:
                answer = _answer(response, response.read(64 * 1024))
                raise Refused(answer.detail)
            if not response.headers.get("Content-Type", "").startswith("text/event-stream"):
                raise Refused(NO_SERVICE)
            yield from events(_pieces(response))
        except HTTPError as error:
            raise Busy(_reason(error), PAUSE) from None
        finally:
            response.close()

    def _document(
        self, method: str, path: str, body: Json | None, headers: Mapping[str, str]
    ) -> ServiceAnswer:
        response = self._request(method, path, body, headers)
        return _answer(response, response.data)

    def _request(
        self,
        method: str,
        path: str,
        body: Json | None,
        headers: Mapping[str, str],
        *,
        whole: bool = True,
    ) -> urllib3.BaseHTTPResponse:
        """Send a request; raises Busy if it may succeed later, Refused for a bad token."""
        try:
            response = self._http.request(
                method,
                self.address + path,
                json=body,
                headers={**self._headers, **headers},
                preload_content=whole,
                redirect=False,
                timeout=urllib3.Timeout(connect=CONNECTING, read=SILENCE),
            )
        except LocationParseError:
            raise Refused(f"{self.address} is not the address of a service.") from None
        except HTTPError as error:
            raise Busy(_reason(error), PAUSE) from None
        if response.status in BUSY:
            seconds = _retry_after(response)
            response.close()
            raise Busy(f"status {response.status}", seconds)
        if response.status in (401, 403):
            answer = _answer(response, response.data)
            response.close()
            raise Refused(answer.detail)
        return response


def _pieces(response: urllib3.BaseHTTPResponse) -> Iterator[bytes]:
    while piece := response.read1(64 * 1024):
        yield piece


def _answer(response: urllib3.BaseHTTPResponse, body: bytes) -> ServiceAnswer:
    try:
        document = json.loads(body) if body else {}
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise Refused(NO_SERVICE)
    return ServiceAnswer(response.status, document)


def _retry_after(response: urllib3.BaseHTTPResponse) -> float:
    value = response.headers.get("Retry-After", "")
    return min(float(value), LONGEST_PAUSE) if value.isdecimal() else PAUSE


def _reason(error: HTTPError) -> str:
    """Say in a few words why there was no response."""
    if isinstance(error, urllib3.exceptions.NewConnectionError):
        return "it cannot be reached"
    if isinstance(error, urllib3.exceptions.TimeoutError):
        return "it does not answer in time"
    return shortened(clean(f"the connection broke ({type(error).__name__})"), 100)
