"""Decorators that check and document the token scopes an operation requires."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from api.http.auth import authenticated, caller, require
from api.http.problems import Problem
from api.http.request import current_request
from api.http.slips import request_slips
from api.schemas.spec import documented

P = ParamSpec("P")
R = TypeVar("R")

EVERY_SCOPE = "This requires a token with all scopes: {names}."


def needs(*scopes: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Require a token with these scopes; goes directly below the route."""

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **more: P.kwargs) -> R:
            if authenticated() is None:
                request = current_request()
                misplaced = request_slips.misplaced_token(request.headers.keys(), request.args)
                raise Problem("unauthenticated", misplaced)
            if len(scopes) > 1 and not caller().scopes.issuperset(scopes):
                raise Problem("forbidden", EVERY_SCOPE.format(names=", ".join(scopes)))
            for scope in scopes:
                require(scope, caller())
            return view(*args, **more)

        return documented(
            guarded, security=[{"token": list(scopes)}], refusals=["unauthenticated", "forbidden"]
        )

    return decorate


def welcomes(view: Callable[P, R]) -> Callable[P, R]:
    """Make a token optional; an invalid one is still refused."""

    @wraps(view)
    def checked(*args: P.args, **more: P.kwargs) -> R:
        if caller := authenticated():
            require("read", caller)  # the view of a seat requires the read scope
        return view(*args, **more)

    return documented(
        checked, security=[{}, {"token": ["read"]}], refusals=["unauthenticated", "forbidden"]
    )
