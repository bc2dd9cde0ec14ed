"""Waiting for what threads and other processes do."""

import time
from collections.abc import Callable

PATIENCE = 30.0
LOOK_EVERY = 0.01


def until(done: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Wait until a condition holds; fail after this many seconds."""
    limit = time.monotonic() + patience
    while not done():
        if time.monotonic() > limit:
            raise AssertionError(f"in vain: {what}")
        time.sleep(LOOK_EVERY)
