"""Headers that every answer carries: for browsers, caches and pages from elsewhere."""

from collections.abc import Callable

from flask import Response

from api.edge import Request
from service.settings import Settings

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
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
    ),
    "Access-Control-Max-Age": "86400",
}
YEAR = 365 * 24 * 3600


def preflight(request: Request) -> Response | None:
    """The answer to a browser that asks whether a page may make this call."""
    if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
        return None
    return Response(status=204, headers=PREFLIGHT if is_shared(request) else None)


def is_shared(request: Request) -> bool:
    """Whether pages from elsewhere may call this address."""
    return request.path.startswith(("/v1/", "/openapi.json"))


def dresser(settings: Settings) -> Callable[[Request, Response], None]:
    """The function that puts on an answer whatever it does not wear yet."""
    secure = settings.public_url.startswith("https:")
    always = ALWAYS | ({"Strict-Transport-Security": f"max-age={YEAR}"} if secure else {})
    shared, own = always | SHARED, always | OWN

    def dress(request: Request, response: Response) -> None:
        headers = response.headers
        worn = {name for name, _ in headers}
        for name, value in (shared if is_shared(request) else own).items():
            if name not in worn:
                headers.add(name, value)
        if request.tag and response.status_code < 400:
            headers.add("ETag", request.tag)
            if "Cache-Control" not in worn:
                headers.add("Cache-Control", "private, no-cache")
                headers.add("Vary", "Authorization")
        elif "Cache-Control" not in worn:
            headers.add("Cache-Control", "no-store")

    return dress
