"""Decorators for views: the scopes that an operation asks for, checked and documented."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from api.http.auth import authenticated, caller, require
from api.http.problems import Problem
from api.schemas.spec import documented

P = ParamSpec("P")
R = TypeVar("R")

EVERY_SCOPE = "This takes a token with all scopes: {names}."


def needs(*scopes: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Call the view only with a token that has these scopes; stands right below the route."""

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def guarded(*args: P.args, **more: P.kwargs) -> R:
            if authenticated() is None:
                raise Problem("unauthenticated")
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
    """Let the view be called with or without a token; a wrong one is still refused."""

    @wraps(view)
    def greeted(*args: P.args, **more: P.kwargs) -> R:
        if known := authenticated():
            require("read", known)  # a seat's own sight is for those who may read
        return view(*args, **more)

    return documented(
        greeted, security=[{}, {"token": ["read"]}], refusals=["unauthenticated", "forbidden"]
    )
