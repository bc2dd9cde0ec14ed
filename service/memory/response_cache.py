"""A cache of the JSON of games, shared by all requests of a process."""

import threading
from collections import OrderedDict
from collections.abc import Hashable

REMEMBERED = 300
"""Documents in the cache; the oldest is evicted first."""


class ResponseCache:
    """A cache of the JSON of games, keyed by everything it depends on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: OrderedDict[Hashable, bytes] = OrderedDict()

    def get(self, of: Hashable) -> bytes | None:
        return self._cached.get(of)

    def put(self, of: Hashable, page: bytes) -> None:
        with self._lock:
            self._cached[of] = page
            if len(self._cached) > REMEMBERED:
                self._cached.popitem(last=False)
