"""Whether this machine asks itself: for what is open to nobody else."""

from urllib.parse import urlsplit

from api.http.edge import Request
from service.settings import Settings, is_local

FORWARDED = frozenset({"forwarded", "x-real-ip", "via"})
"""Headers by which proxies say that they speak for others, beside all that are X-Forwarded-…"""


def is_ourselves(request: Request, settings: Settings) -> bool:
    """Whether somebody on this machine asks by its own name, and we are reached only here.

    Whoever comes through a proxy on this machine has its address and is still somebody else; and a
    proxy need not say that it is one, so the address that people use must be of this machine, too.
    """
    return settings.embedded and is_local(settings.public_url) and _is_direct(request)


def is_this_machine(request: Request, settings: Settings) -> bool:
    """Whether a request was sent on this machine, and not passed on by a proxy.

    A proxy that we are told of names whom it speaks for. Without one a public address may be that
    of a proxy which says nothing, so that nobody can be told from it.
    """
    known = is_local(settings.public_url) or settings.trusted_proxies > 0
    return known and _is_direct(request)


def _is_direct(request: Request) -> bool:
    """Whether this machine asks by its own name, and no proxy says that it speaks for another."""
    asked_for = urlsplit(f"//{request.host}").hostname or ""
    hosts = f"//{asked_for}", f"//{request.remote_addr}"
    names = {name.lower() for name, _ in request.headers}
    return (
        all(is_local(host.replace("//::1", "//[::1]")) for host in hosts)
        and names.isdisjoint(FORWARDED)
        and not any(name.startswith("x-forwarded") for name in names)
    )
