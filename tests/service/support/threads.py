"""Calling a function in concurrent threads."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def at_once(number: int, act: Callable[[int], T]) -> list[T]:
    """Call a function in this many threads, all started at the same moment; return the results."""
    ready = threading.Barrier(number)

    def started(n: int) -> T:
        ready.wait()
        return act(n)

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(started, range(number)))
