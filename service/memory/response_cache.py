"""Answers that were written before, for whoever asks for the same again."""

import threading
from collections import OrderedDict
from collections.abc import Hashable

REMEMBERED = 300


class Pages:
    """The JSON of games as they were last read, by everything that it depends on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()

    def get(self, of: Hashable) -> bytes | None:
        return self._kept.get(of)

    def put(self, of: Hashable, page: bytes) -> None:
        with self._lock:
            self._kept[of] = page
            if len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
