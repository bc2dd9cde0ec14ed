"""Headers that every answer carries: for browsers, caches and pages from elsewhere."""

from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING

from flask import Response

from api.http.edge import Request
from service.settings import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
SHARED = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "ETag, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, "
        "Retry-After, WWW-Authenticate, X-Request-Id"
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""Calls carry a token and never a cookie, so that any page may make them and read the answer."""

OWN = {"Cross-Origin-Resource-Policy": "same-origin"}
PAGE = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
}
"""For pages behind a signed link: they run nothing, load only their style, and are kept nowhere."""
ZONED = {
    "Content-Security-Policy": f"{PAGE['Content-Security-Policy']}; script-src 'self'",
}
"""For the page of an invitation, which runs one file of ours: it notes the reader's time zone."""
SITE = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "Vary": "Cookie",
}
"""For the pages on which people play: scripts and style are files of ours, and nothing is kept.

A page that tells no referrer at all sends its forms with `Origin: null`, as others' forms may be.
"""
SECRET = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow"}
"""For those of them whose address is a secret."""
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
    ),
    "Access-Control-Max-Age": "86400",
}
SECRET_BLUEPRINTS = frozenset({"pages", "mailbox", "settings", "sign_in", "hook_pages"})
"""Blueprints whose pages show a token, a signed link or a letter, or have one in their address."""
NOT_MODIFIED = 304
YEAR = 365 * 24 * 3600


def holds_secrets(request: Request) -> bool:
    """Whether an answer may show a token, a signed link or a letter."""
    return request.blueprint in SECRET_BLUEPRINTS or request.endpoint == "accounts.read_me"


def preflight(request: Request) -> Response | None:
    """The answer to a browser that asks whether a page may make this call."""
    if not is_preflight(request):
        return None
    return Response(status=204, headers=PREFLIGHT if is_shared(request) else None)


def is_preflight(request: Request) -> bool:
    """Whether a browser asks on behalf of a page what that may call."""
    return request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers


def is_shared(request: Request) -> bool:
    """Whether pages from elsewhere may call this address."""
    return request.path.startswith(("/v1/", "/openapi.json"))


Pairs = list[tuple[str, str]]


class Dressed(Response):
    """An answer that puts on what all answers wear when it leaves.

    Werkzeug looks at every header several times; these come from us and need no look.
    """

    worn: Pairs | None = None

    def get_wsgi_response(self, environ: "WSGIEnvironment") -> tuple[Iterable[bytes], str, Pairs]:
        """The body, the status and all headers."""
        body, status, headers = super().get_wsgi_response(environ)
        return body, status, [*headers, *(self.worn or ())]


Wardrobe = Callable[[Request, int, Collection[str]], Pairs]


def wardrobe(settings: Settings) -> Wardrobe:
    """The function that finds what an answer with this status has to put on over what it has."""
    secure = settings.public_url.startswith("https:")
    always = ALWAYS | ({"Strict-Transport-Security": f"max-age={YEAR}"} if secure else {})
    dressed = {True: list((always | SHARED).items()), False: list((always | OWN).items())}
    # The rest guards a body, and whoever is told that nothing has changed has one that is guarded.
    unchanged = {True: list(SHARED.items()), False: list(OWN.items())}

    def wear(request: Request, status: int, has: Collection[str]) -> Pairs:
        more = [("X-Request-Id", request.id), *_allowance(request)]
        if request.tag and status < 400:
            more.append(("ETag", request.tag))
            if "Cache-Control" not in has:
                more += [("Cache-Control", "private, no-cache"), ("Vary", "Authorization")]
        elif "Cache-Control" not in has:
            more.append(("Cache-Control", "no-store"))
        worn = unchanged if status == NOT_MODIFIED else dressed
        for pair in worn[is_shared(request)]:
            if pair[0] not in has:
                more.append(pair)
        return more

    return wear


def _allowance(request: Request) -> Pairs:
    """What is left of the scarcest rate that the request has used."""
    if (left := request.allowance) is None:
        return []
    return [
        ("RateLimit-Limit", str(left.limit)),
        ("RateLimit-Remaining", str(left.remaining)),
        ("RateLimit-Reset", str(left.reset)),
    ]
