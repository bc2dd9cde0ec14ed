"""Requests to webhook receivers on this machine, with a short deadline."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.notify.hook_targets import Target
from workers.calling.connector import Answer, Connector, Unreached, anywhere

SHORT = 0.5
"""The deadline of a request, in seconds; another test asserts the real one."""


@contextmanager
def impatient() -> Iterator[Connector]:
    """A connector with a short deadline that may call this machine."""
    made = Connector(anywhere, deadline=SHORT)
    yield made
    made.close()


def here(port: int, scheme: str = "http", host: str = "127.0.0.1") -> Target:
    """A webhook target on this machine."""
    return Target(scheme, host, port, "/hook?a=b")


def post(caller: Connector, port: int, body: bytes = b"{}") -> Answer:
    """Send a request, and return the response."""
    return caller.post("hook", here(port), body, {"x-told": "yes"})


def fault(caller: Connector, target: Target) -> str:
    """Send a request that gets no response, and return the reason."""
    with pytest.raises(Unreached) as raised:
        caller.post("hook", target, b"{}", {})
    return raised.value.sentence
