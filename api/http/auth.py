"""Authentication: reads the bearer token of a request and checks its scopes."""

import re

from api.http.app_state import AppState, app_state
from api.http.problems import Problem
from api.http.request import Request, current_request
from api.http.request_facts import Caller
from api.http.slips import request_slips

INVALID = "This token is not valid, or no longer valid."
BEARER = re.compile(r"(?i:bearer) +(nm_[A-Za-z0-9_-]{1,128})")


def require(scope: str, caller: Caller) -> None:
    """Refuse a token that lacks this scope."""
    if scope not in caller.scopes:
        raise Problem("forbidden", f"This requires a token with the scope “{scope}”.")


def caller() -> Caller:
    """Return the caller of a view that requires a token."""
    caller = current_request().caller
    if caller is None:
        raise Problem("unauthenticated")
    return caller


def maybe_caller() -> Caller | None:
    """Return the caller of a view for which a token is optional."""
    return current_request().caller


def authenticated() -> Caller | None:
    """Look up the token of the current request, once; None if it has no token."""
    request = current_request()
    return request.caller or identified(app_state(), request)


def identified(state: AppState, request: Request, game: str | None = None) -> Caller | None:
    """Look up who sent a request; with a game, the same query also reads that game's tag."""
    header = request.headers.get("Authorization")
    if header is None:
        return None
    match = BEARER.fullmatch(header)
    caller = state.caller_of(match[1], game) if match else None
    if caller is None:
        state.limiter.count_failure(request)
        raise Problem("unauthenticated", request_slips.bad_authorization(header) or INVALID)
    request.caller = caller
    state.limiter.count_token(request, caller.token)
    return caller
