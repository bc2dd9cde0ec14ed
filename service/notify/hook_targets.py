"""Which addresses players' servers may have (SSRF): checked when added, and at every call.

An address is public only if it is ordinary internet unicast. Addresses that embed another address
(mapped, translated, tunnelled) are all refused, since their real destination is unknown.
"""

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from engine.translate import say, says
from service.refusals import unreadable
from service.settings import Settings

LONGEST_URL = 500
DEFAULT_PORTS = {"http": 80, "https": 443}

_NOT_PUBLIC_4 = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network, unspecified
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local; metadata services of clouds with their credentials
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # documentation, like two more below
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
]
_PUBLIC_6 = IPv6Network("2000::/3")
"""All global unicast ever allocated; mapped, NAT64, local and multicast addresses are outside."""
_NOT_PUBLIC_6 = [
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, among them Teredo, which embeds IPv4
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which embeds IPv4
        "3fff::/20",  # documentation
    )
]
_ISATAP = 0x5EFE
"""The marker in an interface identifier after which an IPv4 address follows."""
_NOT_PUBLIC_ENDINGS = frozenset(
    (
        *("local", "localhost", "localdomain", "internal", "intranet", "private", "corp", "home"),
        *("lan", "arpa", "onion", "test", "invalid", "example", "alt"),
    )
)
_PLAIN = re.compile(r"[!#-;=?-\[\]_a-z~]+")
"""Printable ASCII without characters that programs parse differently, such as a backslash."""
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?:{_LABEL}\.)*{_LABEL}")
_PUBLIC_NAME = re.compile(rf"(?:{_LABEL}\.)+[a-z](?:[a-z0-9-]{{0,61}}[a-z0-9])")
"""Two labels or more, of which the last is not a number in any notation."""


class Target(NamedTuple):
    """The parsed URL of a hook."""

    scheme: str
    host: str
    port: int
    path: str
    """With the query, as in the request line."""


def target(settings: Settings, url: str, field: str = "url") -> Target:
    """Parse and check the URL of a player's server; refuse it if it is not allowed."""
    parsed = url_target(url, field)
    if settings.webhook_targets == "any":
        return parsed
    if parsed.scheme != "https":
        raise unreadable(say("must begin with https://"), field)
    if parsed.port not in settings.webhook_ports:
        ports = ", ".join(map(str, sorted(settings.webhook_ports)))
        raise unreadable(say("must use one of these ports: {ports}.", ports=ports), field)
    if not _may_be_public(parsed.host):
        raise unreadable(say("must lead to a public address."), field)
    return parsed


def url_target(url: str, field: str = "url", longest: int = LONGEST_URL) -> Target:
    """Parse a URL, wherever it leads; refuse it if programs could read it differently."""
    # urlsplit silently drops some of these, and other programs parse some differently.
    if len(url) > longest or not _PLAIN.fullmatch(url):
        raise unreadable(
            says(
                "must be at most {n} plain character without spaces.",
                "must be at most {n} plain characters without spaces.",
                longest,
            ),
            field,
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise unreadable(say("must be a URL such as https://example.org/hook."), field) from None
    host = parts.hostname or ""
    if parts.scheme not in DEFAULT_PORTS or port == 0 or not _is_host(host):
        raise unreadable(say("must be a URL such as https://example.org/hook."), field)
    if "[" in parts.netloc and not isinstance(_literal(host), IPv6Address):
        raise unreadable(say("must be a URL such as https://example.org/hook."), field)
    if "@" in parts.netloc or "#" in url:
        raise unreadable(say("must not contain a user name, a password or a “#”."), field)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, host, port or DEFAULT_PORTS[parts.scheme], path)


def _is_host(host: str) -> bool:
    return len(host) <= 253 and (bool(_NAME.fullmatch(host)) or _literal(host) is not None)


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _may_be_public(host: str) -> bool:
    if _literal(host):
        return is_public(host)
    return bool(_PUBLIC_NAME.fullmatch(host)) and (
        host.rpartition(".")[2] not in _NOT_PUBLIC_ENDINGS
    )


def is_public(literal: str) -> bool:
    """Return whether an address is on the public internet, and not in a private network."""
    address = _literal(literal)
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    if address is None or address.scope_id is not None or address not in _PUBLIC_6:
        return False
    if (int(address) >> 32) & 0xFDFF_FFFF == _ISATAP:  # but for the bit that says “by anybody”
        return False
    return not any(address in network for network in _NOT_PUBLIC_6)
