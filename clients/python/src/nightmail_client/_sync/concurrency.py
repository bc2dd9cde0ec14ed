"""How code waits; `_async` has the same names for code that does not block."""

from collections.abc import Callable
from threading import Lock
from time import sleep
from typing import ParamSpec, TypeVar

__all__ = ["Lock", "in_thread", "sleep"]

P = ParamSpec("P")
T = TypeVar("T")


def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call the function; a thread is already ours to block."""
    return function(*args, **kwargs)
