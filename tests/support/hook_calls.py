"""Calling receivers on this machine, without much patience."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.notify.hook_targets import Target
from workers.channels.webhook.connector import Answer, Connector, Unreached
from workers.channels.webhook.sender import anywhere

SHORT = 0.5
"""Seconds for what must end by itself; the real deadline is asserted on its own."""


@contextmanager
def impatient() -> Iterator[Connector]:
    """A connector that may call this machine and does not wait long."""
    made = Connector(anywhere, deadline=SHORT)
    yield made
    made.close()


def here(port: int, scheme: str = "http", host: str = "127.0.0.1") -> Target:
    """An address on this machine."""
    return Target(scheme, host, port, "/hook?a=b")


def post(caller: Connector, port: int, body: bytes = b"{}") -> Answer:
    """What is answered to a request."""
    return caller.post("hook", here(port), body, {"x-told": "yes"})


def fault(caller: Connector, target: Target) -> str:
    """Why there is no answer."""
    with pytest.raises(Unreached) as raised:
        caller.post("hook", target, b"{}", {})
    return raised.value.sentence
