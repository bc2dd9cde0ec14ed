"""The protocol between the server and a view for a request that may wait.

The server puts a `Hold` into the WSGI environ of every request. A view that may wait subscribes to
topics before it queries the database. If it finds nothing new, the server drops its answer and
calls Flask again when a topic has news or the time is over. The pieces of a stream are made in the
same way. So no thread waits, and every answer is authenticated just before it is sent.

Views use `api.http.long_polls`. Without this server, as in Flask's test client, they answer at
once.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any

from api.http.request_facts import Allowance
from service.memory.waiters import Waiter

ENVIRON = "nightmail.hold"
"""The key of a request's hold in the WSGI environ."""
COME_AGAIN = b"retry: 1000\n\n"
"""Tells the client to reconnect after a second; sent at the start and the end of a stream."""
COMMENT = b": still here\n\n"
"""A comment that keeps proxies from closing a silent stream."""


class Outcome(Enum):
    """What the server does with the view's answer."""

    ANSWER = "send it"
    WAIT = "drop it, and ask again when there is news"
    STREAM = "send it, and ask for the next piece when there is news"


class Hold:
    """The state of one request, across all calls of Flask for its answer."""

    def __init__(self, waiter: Waiter) -> None:
        self.waiter = waiter
        self.is_again = False
        """Whether this is a repeated call: then it is not counted, logged or given an id again."""
        self.is_over = False
        """Whether the time is over: then the view answers even if nothing is new."""
        self.outcome = Outcome.ANSWER
        self.is_stream = False
        """Whether a stream has begun, so that further answers are its pieces."""
        self.beat = COMMENT
        """What a silent stream sends from time to time."""
        self.until = 0.0
        """The end of the wait, by the monotonic clock."""
        self.state: Any = None
        """What a view keeps from one call to the next."""
        self.id = ""
        self.began = 0.0
        self.allowance: Allowance | None = None
        """The id, the arrival time and the rate limit of the request, kept for repeated calls."""
        self.is_secret = False
        """Whether the answer holds a token, a signed link or a letter: then its length must not
        depend on its content."""
        self.release: Callable[[], None] = lambda: None
        """Releases the place of a waiting request."""

    def close(self) -> None:
        """Release everything: the request is answered, or its client has disconnected."""
        self.waiter.close()
        release, self.release = self.release, lambda: None
        release()
