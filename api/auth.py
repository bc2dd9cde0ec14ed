"""Who is calling: the bearer token, and the scope that an operation asks for."""

import re
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from api.edge import Request, asked
from api.frame import Caller, Frame, frame
from api.problems import Problem
from api.spec import documented

P = ParamSpec("P")
R = TypeVar("R")

BEARER = re.compile(r"(?i:bearer) +(nm_[A-Za-z0-9_-]{1,128})")


def needs(scope: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Call the view only with a token that has this scope; stands right below the route."""

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **more: P.kwargs) -> R:
            if authenticated() is None:
                raise Problem("unauthenticated")
            require(scope, caller())
            return view(*args, **more)

        return documented(
            guarded, security=[{"token": [scope]}], refusals=["unauthenticated", "forbidden"]
        )

    return decorate


def welcomes(view: Callable[P, R]) -> Callable[P, R]:
    """Let the view be called with or without a token; a wrong one is still refused."""

    @wraps(view)
    def greeted(*args: P.args, **more: P.kwargs) -> R:
        if known := authenticated():
            require("read", known)  # a seat's own sight is for those who may read
        return view(*args, **more)

    return documented(
        greeted, security=[{}, {"token": ["read"]}], refusals=["unauthenticated", "forbidden"]
    )


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
