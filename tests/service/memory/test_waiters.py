import asyncio
import threading
import time
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from service.memory.waiters import Waiter, Waiters

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a new thread: a browser test may have left an event loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


LONG = 60.0


def test_a_waiter_is_woken_by_another_thread() -> None:
    """Waking one of its topics from another thread ends a wait at once."""
    waiters = Waiters()

    async def wait() -> bool:
        waiter = Waiter(waiters, asyncio.get_running_loop())
        waiter.listen("game:a", "account:b")
        threading.Timer(0.05, waiters.wake, ("game:x", "account:b")).start()
        return await waiter.changed(LONG)

    began = time.monotonic()
    assert run(wait())
    assert time.monotonic() - began < LONG / 2


def test_a_wait_ends_with_its_time() -> None:
    """A wait times out if only another topic is woken."""
    waiters = Waiters()

    async def wait() -> bool:
        waiter = Waiter(waiters, asyncio.get_running_loop())
        waiter.listen("game:a")
        waiters.wake("game:b")
        return await waiter.changed(0.01)

    assert not run(wait())


def test_news_between_the_look_and_the_wait_is_not_missed() -> None:
    """A topic woken between subscribing and waiting ends the first wait, and not the second."""
    waiters = Waiters()

    async def wait() -> list[bool]:
        waiter = Waiter(waiters, asyncio.get_running_loop())
        waiter.listen("game:a")
        waiters.wake("game:a")
        return [await waiter.changed(LONG), await waiter.changed(0.01)]

    assert [True, False] == run(wait())


def test_all_are_woken_after_a_gap() -> None:
    """`wake_all` wakes every waiter, whatever its topics are."""
    waiters = Waiters()

    async def wait() -> list[bool]:
        waiting = [Waiter(waiters, asyncio.get_running_loop()) for _ in range(3)]
        for number, waiter in enumerate(waiting):
            waiter.listen(f"game:{number}")
        waiters.wake_all()
        return [await waiter.changed(LONG) for waiter in waiting]

    assert [True] * 3 == run(wait())


def test_nothing_is_kept_of_those_who_have_left() -> None:
    """Closed waiters leave no topics; waking a waiter whose event loop has ended is harmless."""
    waiters = Waiters()

    async def wait() -> tuple[Waiter, Waiter]:
        here, gone = (Waiter(waiters, asyncio.get_running_loop()) for _ in range(2))
        here.listen("game:a")
        gone.listen("game:a", "game:b")
        gone.close()
        return here, gone

    here, _ = run(wait())
    waiters.wake("game:a", "game:b")
    assert {"game:a": {here}} == waiters._by_topic
    here.close()
    assert {} == waiters._by_topic
