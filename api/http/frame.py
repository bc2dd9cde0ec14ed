"""What an application keeps for all of its requests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from flask import current_app

from api.http.metrics import Metrics
from api.http.places import Places
from api.http.rate_limits import Limiter
from api.http.request_facts import Caller
from service.settings import Settings

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
    places: Places


def frame() -> Frame:
    """The frame of the application in hand."""
    return cast(Frame, current_app.extensions["nightmail.frame"])
