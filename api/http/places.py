"""Limits on waiting requests: per account, per IP address and per process."""

from collections import Counter
from collections.abc import Callable
from threading import Lock

from api.http.problems import Problem
from engine.translate import say
from service.settings import Settings

RETRY_AFTER = 5
"""Seconds after which a request that got no place may be retried."""


class Places:
    """Counts the waiting requests of one process.

    A request holds its place until its last byte is sent.
    """

    def __init__(self, settings: Settings) -> None:
        self._most = {
            "account": settings.waiting_account,
            "address": settings.waiting_address,
            "process": settings.waiting_process,
        }
        self._lock = Lock()
        self._taken: Counter[tuple[str, str]] = Counter()

    @property
    def taken(self) -> int:
        """The number of requests that wait in this process."""
        return self._taken["process", ""]

    def take(self, account: str | None, address: str) -> Callable[[], None]:
        """Take a place, which the returned function releases; refuse if none is free."""
        keys = [("address", address), ("process", "")]
        if account is not None:
            keys.append(("account", account))
        with self._lock:
            if any(self._taken[key] >= self._most[key[0]] for key in keys):
                raise Problem(
                    "too_many_waiting",
                    say("Too many requests are waiting already; try again later."),
                    retry_after=RETRY_AFTER,
                )
            self._taken.update(keys)
        return lambda: self._give_back(keys)

    def _give_back(self, keys: list[tuple[str, str]]) -> None:
        with self._lock:
            self._taken.subtract(keys)
            for key in keys:
                if not self._taken[key]:
                    del self._taken[key]
