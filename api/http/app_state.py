"""State that an application keeps for all of its requests."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

from flask import current_app

from api.http.metrics import Metrics
from api.http.places import Places
from api.http.rate_limits import Limiter
from api.http.request_facts import Caller
from service.notify.mail_providers import Counts
from service.settings import Settings

CallerOf = Callable[[str, str | None], Caller | None]
Ready = Callable[[], Sequence[str]]
Refusing = Callable[[], Sequence[Counts]]


@dataclass(frozen=True)
class AppState:
    """Settings, rate limits, metrics, and the functions of the service that all requests need."""

    settings: Settings
    caller_of: CallerOf
    """Looks up the owner of a token, and optionally a game with it; None for an unknown token."""
    ready: Ready
    """Lists the reasons why the service is not ready."""
    refusing: Refusing
    """Lists the mail providers that refuse most of our letters."""
    limiter: Limiter
    metrics: Metrics
    places: Places


def app_state() -> AppState:
    """Return the state of the current application."""
    return cast(AppState, current_app.extensions["nightmail.state"])
