"""What an application keeps for all of its requests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from flask import current_app

from api.limits import Limiter
from api.metrics import Metrics
from service.settings import Settings


class Caller(Protocol):
    """Who is calling, by which token, and what the token allows."""

    @property
    def account(self) -> str: ...
    @property
    def token(self) -> str: ...
    @property
    def scopes(self) -> frozenset[str]: ...


CallerOf = Callable[[str, str | None], Caller | None]
Ready = Callable[[], Sequence[str]]


@dataclass(frozen=True)
class Frame:
    """The settings, the doors into the service that the frame itself needs, and its counters."""

    settings: Settings
    caller_of: CallerOf
    """Whose token this is, None if it is nobody's; a game may be looked at on the way."""
    ready: Ready
    """What stands in the way of answering requests."""
    limiter: Limiter
    metrics: Metrics


def frame() -> Frame:
    """The frame of the application in hand."""
    return cast(Frame, current_app.extensions["nightmail.frame"])
