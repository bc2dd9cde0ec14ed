"""Who is calling: the bearer token, and whether it has a scope."""

import re

from api.http.edge import Request, asked
from api.http.frame import Frame, frame
from api.http.problems import Problem
from api.http.request_facts import Caller

BEARER = re.compile(r"(?i:bearer) +(nm_[A-Za-z0-9_-]{1,128})")


def require(scope: str, known: Caller) -> None:
    """Refuse a token that lacks this scope."""
    if scope not in known.scopes:
        raise Problem("forbidden", f"This takes a token with the scope “{scope}”.")


def caller() -> Caller:
    """Who calls a view that needs a scope."""
    known = asked().caller
    if known is None:
        raise Problem("unauthenticated")
    return known


def maybe_caller() -> Caller | None:
    """Who calls a view that welcomes a token."""
    return asked().caller


def authenticated() -> Caller | None:
    """Read the token and look it up, once; None if there is none."""
    request = asked()
    return request.caller or identified(frame(), request)


def identified(frame: Frame, request: Request, game: str | None = None) -> Caller | None:
    """Whoever has sent a request; a game may be looked at together with the token."""
    said = request.headers.get("Authorization")
    if said is None:
        return None
    match = BEARER.fullmatch(said)
    known = frame.caller_of(match[1], game) if match else None
    if known is None:
        frame.limiter.fail(request)
        raise Problem("unauthenticated", "This token is not valid, or not any more.")
    request.caller = known
    frame.limiter.admit_token(request, known.token)
    return known
