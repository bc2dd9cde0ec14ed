"""Checks what an app says about itself: its client id, its redirect address and its scopes.

Nobody registers an app, so all three come with each request, and people see them before they agree.
"""

import re
from typing import NamedTuple
from urllib.parse import parse_qsl

from service.people.tokens import SCOPES

APP_SCOPES = tuple(scope for scope in SCOPES if scope != "manage")
"""What an app may be granted; never to manage the account."""
DEFAULT_SCOPE = "read"
"""What an app gets that names no scopes."""
LONGEST_CLIENT = 80
"""Characters in a client id."""
LONGEST_REDIRECT = 1000
"""Characters in a redirect address."""
LOOPBACK = ("127.0.0.1", "[::1]", "localhost")
"""Hosts that are the reader's own machine; only there may an address be plain HTTP."""
RESPONSE_FIELDS = frozenset({"code", "state", "iss", "error", "error_description", "error_uri"})
"""Query parameters of an authorization response, which no redirect address may have already."""

_CLIENT = re.compile(r"[!-~](?:[ -~]*[!-~])?")
_REDIRECT = re.compile(
    r"(?P<origin>(?P<scheme>https?)://"
    r"(?P<host>\[::1\]|[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
    r"(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*)"
    r"(?::(?P<port>[0-9]{1,5}))?)"
    r"(?P<path>/(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?"
    r"(?:\?(?P<query>(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*))?"
)
"""A URL of RFC 3986 with few ways to write it: no user, no fragment, nothing but ASCII."""
_ADDRESS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}")


class Redirect(NamedTuple):
    """An address at which an app wants its users back, and what people see of it."""

    uri: str
    origin: str
    host: str

    @property
    def is_loopback(self) -> bool:
        """Whether it leads to a program on the reader's own machine."""
        return self.host in LOOPBACK


def is_client_id(text: str) -> bool:
    """Check a client id: short text of visible ASCII characters, with spaces inside."""
    return len(text) <= LONGEST_CLIENT and _CLIENT.fullmatch(text) is not None


def redirect_of(uri: str) -> Redirect | None:
    """Read a redirect address: https, or plain HTTP on a loopback host; None for any other."""
    match = _REDIRECT.fullmatch(uri) if len(uri) <= LONGEST_REDIRECT else None
    if match is None or not _is_host(match["host"]):
        return None
    if match["scheme"] == "http" and match["host"] not in LOOPBACK:
        return None
    if match["port"] is not None and not 1 <= int(match["port"]) <= 65535:
        return None
    names = {name for name, _ in parse_qsl(match["query"] or "", keep_blank_values=True)}
    if names & RESPONSE_FIELDS:
        return None
    return Redirect(uri, match["origin"], match["host"])


def _is_host(host: str) -> bool:
    """Refuse numbers that browsers read as an address, but people do not, such as 0x7f.1."""
    last = host.rpartition(".")[2]
    looks_numeric = last.isdigit() or last.lower().startswith("0x")
    return not looks_numeric or _ADDRESS.fullmatch(host) is not None


def scopes_of(text: str | None) -> str | None:
    """Read a list of scopes, and return it in a fixed order; None if one cannot be granted."""
    scopes = set((text or "").split(" ")) - {""} or {DEFAULT_SCOPE}
    if not scopes.issubset(APP_SCOPES):
        return None
    return " ".join(scope for scope in APP_SCOPES if scope in scopes)
