"""Decorators that check and document the token scopes an operation requires."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from api.http.auth import authenticated, caller, require
from api.http.problems import Problem
from api.http.request import current_request
from api.http.slips import request_slips
from api.schemas.spec import documented
from service.people.oauth.clients import APP_SCOPES

P = ParamSpec("P")
R = TypeVar("R")

NOT_FOR_APPS = "A connected app cannot do this; it takes a token of the account’s own."
EVERY_SCOPE = "This requires a token with all scopes: {names}."


def needs(*scopes: str, apps: bool = True) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Require a token with these scopes; goes directly below the route.

    Without `apps`, the tokens of connected apps are refused: such an operation shows something of
    the account that is not about games.
    """
    apps = apps and set(scopes).issubset(APP_SCOPES)

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
            if caller().is_app and not apps:
                raise Problem("forbidden", NOT_FOR_APPS)
            return view(*args, **more)

        security = [{scheme: list(scopes)} for scheme in _schemes(apps=apps)]
        return documented(guarded, security=security, refusals=["unauthenticated", "forbidden"])

    return decorate


def _schemes(*, apps: bool) -> tuple[str, ...]:
    """Return the names of the security schemes of the document that an operation accepts."""
    return ("token", "oauth2") if apps else ("token",)


def welcomes(view: Callable[P, R]) -> Callable[P, R]:
    """Make a token optional; an invalid one is still refused."""

    @wraps(view)
    def checked(*args: P.args, **more: P.kwargs) -> R:
        if caller := authenticated():
            require("read", caller)  # the view of a seat requires the read scope
        return view(*args, **more)

    return documented(
        checked,
        security=[{}, *({scheme: ["read"]} for scheme in _schemes(apps=True))],
        refusals=["unauthenticated", "forbidden"],
    )
