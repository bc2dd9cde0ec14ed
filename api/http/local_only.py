"""Checks whether a request comes from this machine, for pages that nobody else may see."""

from urllib.parse import urlsplit

from api.http.request import Request
from service.settings import Settings, is_local

FORWARDED = frozenset({"forwarded", "x-real-ip", "via"})
"""Headers that proxies add, besides all X-Forwarded-… headers."""


def is_local_only(request: Request, settings: Settings) -> bool:
    """Check that a request comes from this machine, and that nobody else can reach the service.

    Requests through a local proxy have a local address, too, and a proxy may add no header. So the
    public URL must be local as well.
    """
    return settings.embedded and is_local(settings.public_url) and _is_direct(request)


def is_from_this_machine(request: Request, settings: Settings) -> bool:
    """Check that a request was sent on this machine, and not forwarded by a proxy.

    A trusted proxy names its client. If the public URL is not local and no proxy is trusted, a
    local address may belong to an unknown proxy, so no request counts as local.
    """
    knows_proxies = is_local(settings.public_url) or settings.trusted_proxies > 0
    return knows_proxies and _is_direct(request)


def _is_direct(request: Request) -> bool:
    """Check that host and address are local, and that no proxy header is present."""
    host = urlsplit(f"//{request.host}").hostname or ""
    hosts = f"//{host}", f"//{request.remote_addr}"
    names = {name.lower() for name, _ in request.headers}
    return (
        all(is_local(url.replace("//::1", "//[::1]")) for url in hosts)
        and names.isdisjoint(FORWARDED)
        and not any(name.startswith("x-forwarded") for name in names)
    )
