"""What the server and a view tell each other about a request that may wait.

The server puts a `Hold` into the WSGI environ of every request. A view that may wait subscribes to
topics before it looks. If it finds nothing new, it lets the server drop its answer and ask again
when a topic has news or the time is over. A stream is asked for its next piece in the same way.
So no thread waits, and every answer has passed authentication just before it is sent.

Views use `api.http.long_polls`. Without such a server, as in Flask's test client, they answer at
once.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any

from api.http.request_facts import Allowance
from service.memory.waiters import Waiter

ENVIRON = "nightmail.hold"
"""Where in the WSGI environ the server puts the hold of a request."""
COME_AGAIN = b"retry: 1000\n\n"
"""Tells a reader after how many milliseconds it may come again; begins a stream and ends it."""
COMMENT = b": still here\n\n"
"""A comment that keeps proxies from closing a silent stream."""


class Outcome(Enum):
    """What the server does with the view's answer."""

    ANSWER = "send it"
    WAIT = "drop it, and ask again when there is news"
    STREAM = "send it, and ask for the next piece when there is news"


class Hold:
    """One request, over all the times that the server asks Flask for its answer."""

    def __init__(self, waiter: Waiter) -> None:
        self.waiter = waiter
        self.is_again = False
        """Whether Flask was asked before: then nothing is counted, logged or named once more."""
        self.is_over = False
        """Whether the time is over: then the view answers with what there is."""
        self.outcome = Outcome.ANSWER
        self.is_stream = False
        """Whether a stream has begun, so that all that follows are pieces of it."""
        self.beat = COMMENT
        """What a silent stream sends now and then."""
        self.until = 0.0
        """When the time is over, by the monotonic clock."""
        self.state: Any = None
        """What a view remembers from one time to the next."""
        self.id = ""
        self.began = 0.0
        self.allowance: Allowance | None = None
        """These three belong to the request: its id, when it came, and what its rate leaves."""
        self.is_secret = False
        """Whether the answer holds a token, a signed link or a letter: then its length must not
        depend on its content."""
        self.release: Callable[[], None] = lambda: None
        """Gives the place of a waiting request back."""

    def close(self) -> None:
        """The request is answered, or its client has gone."""
        self.waiter.close()
        release, self.release = self.release, lambda: None
        release()
