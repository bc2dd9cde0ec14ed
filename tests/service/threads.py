"""Doing the same thing many times at once."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def at_once(number: int, act: Callable[[int], T]) -> list[T]:
    """What so many threads bring back that all begin at the same moment."""
    ready = threading.Barrier(number)

    def started(n: int) -> T:
        ready.wait()
        return act(n)

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(started, range(number)))
