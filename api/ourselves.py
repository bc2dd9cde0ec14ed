"""Whether this machine asks itself: for what is open only while it serves nobody else."""

from urllib.parse import urlsplit

from api.edge import Request
from service.settings import Settings, is_local

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")


def is_ourselves(request: Request, settings: Settings) -> bool:
    """Whether somebody on this machine asks by its own name, and we are reached only here.

    Whoever comes through a proxy on this machine has its address and is still somebody else; and a
    proxy need not say that it is one, so the address that people use must be of this machine, too.
    """
    asked_for = urlsplit(f"//{request.host}").hostname or ""
    hosts = f"//{asked_for}", f"//{request.remote_addr}"
    return (
        settings.embedded
        and is_local(settings.public_url)
        and all(is_local(host.replace("//::1", "//[::1]")) for host in hosts)
        and not any(name in request.headers for name in FORWARDED)
    )
