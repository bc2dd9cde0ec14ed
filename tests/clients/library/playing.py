"""Accounts and moves for the tests of the library."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any, TypeVar

import anyio

from nightmail_client import Nightmail, Tokens, models
from tests.clients.running import Service

R = TypeVar("R")

numbers = count(1)


def run_async(function: Callable[..., Awaitable[R]], *args: Any) -> R:
    """Run an asynchronous function in a thread of its own.

    Tests of pages that ran before in this process leave the loop of their browser in its thread.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(anyio.run, function, *args).result()


def token_of_newcomer(service: Service) -> str:
    """Create an account and return its token."""
    with Nightmail(service.url) as nightmail:
        account = nightmail.create_account(name=f"Passenger {next(numbers)}", kind="bot")
        assert isinstance(nightmail.connection.tokens, Tokens)
    return account["token"]["token"]


def claiming(decision: models.Decision) -> models.Entry:
    """Choose a claim if possible, so that games end soon."""
    claims = [entry for entry in decision["menu"] if entry["group"] == "claim"]
    return (claims or decision["menu"])[0]
