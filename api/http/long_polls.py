"""Long polls and event streams, as views use them; no thread waits for either."""

from datetime import datetime
from time import monotonic
from typing import Any

from flask import Response

from api.http.app_state import app_state
from api.http.auth import maybe_caller
from api.http.rate_limits import network_of
from api.http.request import current_request
from api.http.request_facts import Caller
from api.http.waiting import COME_AGAIN, COMMENT, Hold, Outcome

EVENT_STREAM = "text/event-stream"
LONGEST_STREAM = 600.0
"""Seconds after which a stream ends; its reader reconnects with the id of the last event."""


class Wait:
    """A long poll: start it before querying, and continue it if there is nothing new."""

    def __init__(self, seconds: float, *topics: str) -> None:
        self._hold = _subscribed(maybe_caller(), topics, seconds) if seconds else None

    def first(self, value: Any) -> Any:
        """Return the value that was passed at the first call of Flask for this request."""
        hold = current_request().hold
        if hold is None:
            return value
        if not hold.is_again:
            hold.state = value
        return hold.state

    def go_on(self) -> None:
        """Let the server drop this answer and call Flask again, unless the time is over."""
        if self._hold is not None:
            self._hold.outcome = Outcome.WAIT


class Stream:
    """A stream of server-sent events, built piece by piece."""

    def __init__(self, caller: Caller | None, *topics: str, beat: bytes = COMMENT) -> None:
        self._hold = _subscribed(caller, topics, LONGEST_STREAM)
        if self._hold is not None:
            self._hold.beat = beat
        self.is_first = self._hold is None or not self._hold.is_again

    @property
    def state(self) -> Any:
        """What was kept with the previous piece; None for the first."""
        return self._hold.state if self._hold else None

    def piece(self, events: bytes, state: Any, *, is_last: bool = False) -> Response:
        """Make a response of the events since the previous piece, and keep a state for the next."""
        if self._hold is not None and not is_last:
            self._hold.state = state
            self._hold.outcome = Outcome.STREAM
        response = Response(COME_AGAIN + events if self.is_first else events, mimetype=EVENT_STREAM)
        response.headers["X-Accel-Buffering"] = "no"  # a proxy must not buffer events
        return response


def _subscribed(caller: Caller | None, topics: tuple[str, ...], seconds: float) -> Hold | None:
    """Subscribe the current request to topics, and return its hold; None if the time is over.

    The first call takes a place. The wait ends when the token expires, so that the token is checked
    again.
    """
    hold = current_request().hold
    if hold is None or hold.is_over:
        return None
    if not hold.is_again:
        account = caller.account if caller else None
        hold.release = app_state().places.take(
            account, network_of(current_request().remote_addr or "")
        )
        hold.until = monotonic() + min(seconds, _validity(caller))
        hold.waiter.listen(*topics)
    hold.outcome = Outcome.ANSWER
    return hold


def _validity(caller: Caller | None) -> float:
    """Return the seconds until a token expires."""
    if caller is None or caller.expires is None:
        return float("inf")
    expires = datetime.fromisoformat(caller.expires)
    return max(0.0, (expires - datetime.now(expires.tzinfo)).total_seconds())
