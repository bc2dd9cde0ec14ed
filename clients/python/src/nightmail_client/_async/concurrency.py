"""How code waits; `_sync` has the same names for code that blocks."""

from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from anyio import Lock, sleep
from anyio.to_thread import run_sync

__all__ = ["Lock", "in_thread", "sleep"]

P = ParamSpec("P")
T = TypeVar("T")


async def in_thread(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that blocks in a thread; it is left alone if this task is cancelled."""
    return await run_sync(partial(function, *args, **kwargs), abandon_on_cancel=True)
