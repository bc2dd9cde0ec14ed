"""Decides whether a request is sent again, and when; sends and waits for nothing itself."""

import random
import re
import time
from http import HTTPStatus

import httpx

WITHOUT_KEY = re.compile(r"/v1/(games/[^/]+/(bots|link)|me/confirmation|inbound)")
"""Paths at which the service ignores an `Idempotency-Key`, so that a repetition would count."""
READING = ("GET", "HEAD")
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
OUR_MISTAKES = (httpx.UnsupportedProtocol, httpx.LocalProtocolError, httpx.TooManyRedirects)
OVERLOADED = HTTPStatus.TOO_MANY_REQUESTS
PASSING = (
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)
"""Statuses that say nothing about whether the request has taken effect."""
FIRST_PAUSE = 0.5
LONGEST_PAUSE = 30.0


def takes_key(method: str, path: str) -> bool:
    """Whether the service remembers the `Idempotency-Key` of this request."""
    return method == "POST" and not WITHOUT_KEY.fullmatch(path)


def is_repeatable(method: str, path: str) -> bool:
    """Whether sending this request twice has the effect of sending it once."""
    return method in READING or takes_key(method, path)


def pause_after_response(
    response: httpx.Response, attempt: int, *, repeatable: bool
) -> float | None:
    """Return the seconds until the request may be sent again; None if it must not be.

    A request beyond a limit (429) has had no effect, so any request may be sent again.
    """
    again = response.status_code == OVERLOADED or (repeatable and response.status_code in PASSING)
    if not again:
        return None
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdigit() else backoff(attempt)


def pause_after_error(
    error: httpx.TransportError, attempt: int, *, repeatable: bool
) -> float | None:
    """Return the seconds until the request may be sent again; None if it must not be."""
    if isinstance(error, OUR_MISTAKES):
        return None
    return backoff(attempt) if repeatable or isinstance(error, NEVER_SENT) else None


def backoff(attempt: int) -> float:
    """Return a pause that doubles with each attempt, counted from 0, up to a limit."""
    longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempt, 10))
    return longest * random.uniform(0.5, 1.0)  # noqa: S311  # spreads clients, and is no secret


class Breaks:
    """Counts the breaks of a stream, to pause longer after each, and to give up in the end."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._number = 0
        self._since: float | None = None

    def pause(self) -> float:
        """Return the seconds until the stream may be opened again."""
        self._number += 1
        return backoff(self._number - 1)

    def forget(self) -> None:
        """Count anew: the stream has brought something."""
        self._number = 0

    def end(self) -> None:
        """Stop the time: the stream is open."""
        self._since = None

    def is_too_long(self, pause: float) -> bool:
        """Whether the stream would stay broken for longer than one may wait."""
        if self._since is None:
            self._since = time.monotonic()
        return time.monotonic() + pause > self._since + self._patience
