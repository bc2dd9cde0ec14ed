"""Common response headers: security, caching, CORS, rate limits and the request id."""

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from flask import Response

from api.http.request import Request
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
        "Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit-Limit, "
        "RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, WWW-Authenticate, X-Request-Id"
    ),
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""CORS headers: API calls use a token and never a cookie, so any site may make them."""

SAME_ORIGIN = {"Cross-Origin-Resource-Policy": "same-origin"}
PAGE = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
}
"""For pages behind a signed link: no scripts, only our own style sheet, no caching."""
ZONED = {
    "Content-Security-Policy": f"{PAGE['Content-Security-Policy']}; script-src 'self'",
}
"""For the invitation page, whose one script fills in the reader's time zone."""
SITE = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
        "img-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "same-origin",
    "Vary": "Cookie",
}
"""For the pages people play on: our own scripts and styles only, and no caching.

With `no-referrer` browsers would send forms with `Origin: null`, as forms of other sites may.
"""
WORKER = {
    "Content-Security-Policy": "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"
}
"""For the script that runs as a shared worker: a worker obeys the policy of its own file."""
SECRET = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow"}
"""For pages whose URL is a secret."""
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, "
        "traceparent, tracestate, X-Request-Id"
    ),
    "Access-Control-Max-Age": "86400",
}
SECRET_BLUEPRINTS = frozenset(
    {
        *("pages", "mailbox", "settings", "sign_in", "hook_pages", "hosting"),
        *("destination_pages", "destinations"),
    }
)
"""Blueprints whose pages show a token, a signed link or a letter, or have one in their address."""
OAUTH_METADATA = "/.well-known/oauth-authorization-server"
SHARED_PATHS = frozenset(
    {OAUTH_METADATA, "/oauth/token", "/oauth/revoke", "/oauth/device-authorization"}
)
"""Addresses outside the API that apps call from pages of their own."""
NOT_MODIFIED = 304
YEAR = 365 * 24 * 3600


def holds_secrets(request: Request) -> bool:
    """Check whether the response to a request may show a token, a signed link or a letter."""
    return request.blueprint in SECRET_BLUEPRINTS or request.endpoint == "accounts.read_me"


def preflight(request: Request) -> Response | None:
    """Answer a CORS preflight request; None if this is not one."""
    if not is_preflight(request):
        return None
    return Response(status=204, headers=PREFLIGHT if is_shared(request) else None)


def is_preflight(request: Request) -> bool:
    """Check whether this is a CORS preflight request."""
    return request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers


def is_shared(request: Request) -> bool:
    """Check whether pages of other sites may call this URL."""
    return request.path.startswith(("/v1/", "/openapi.json")) or request.path in SHARED_PATHS


Headers = list[tuple[str, str]]


class AppResponse(Response):
    """A response that adds the common headers when it is sent.

    Werkzeug validates every header several times; the common ones are ours and need no check.
    """

    common_headers: Headers | None = None

    def get_wsgi_response(self, environ: "WSGIEnvironment") -> tuple[Iterable[bytes], str, Headers]:
        """Return the body, the status and all headers."""
        body, status, headers = super().get_wsgi_response(environ)
        return body, status, [*headers, *(self.common_headers or ())]


HeadersFor = Callable[[Request, int, Collection[str]], Headers]


def common_headers(
    settings: Settings, of_endpoints: Mapping[str, Headers] = MappingProxyType({})
) -> HeadersFor:
    """Make the function that computes the common headers a response does not have yet.

    `of_endpoints` are headers that all responses of an endpoint have, such as `Deprecation`.
    """
    secure = settings.public_url.startswith("https:")
    always = ALWAYS | ({"Strict-Transport-Security": f"max-age={YEAR}"} if secure else {})
    full = {True: list((always | SHARED).items()), False: list((always | SAME_ORIGIN).items())}
    # A 304 has no body to protect; the client's cached response has the other headers already.
    not_modified = {True: list(SHARED.items()), False: list(SAME_ORIGIN.items())}

    def headers_for(request: Request, status: int, present: Collection[str]) -> Headers:
        more = [("X-Request-Id", request.id), *_allowance(request)]
        more += of_endpoints.get(request.endpoint or "", ())
        if request.tag and status < 400:
            more.append(("ETag", request.tag))
            if "Cache-Control" not in present:
                more += [("Cache-Control", "private, no-cache"), ("Vary", "Authorization")]
        elif "Cache-Control" not in present:
            more.append(("Cache-Control", "no-store"))
        common = not_modified if status == NOT_MODIFIED else full
        for header in common[is_shared(request)]:
            if header[0] not in present:
                more.append(header)
        return more

    return headers_for


def _allowance(request: Request) -> Headers:
    """Return the headers about the rate limit that is closest to being used up."""
    if (left := request.allowance) is None:
        return []
    return [
        ("RateLimit-Limit", str(left.limit)),
        ("RateLimit-Remaining", str(left.remaining)),
        ("RateLimit-Reset", str(left.reset)),
    ]
