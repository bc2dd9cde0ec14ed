from ipaddress import IPv4Address

import pytest

from service.notify.hook_targets import LONGEST_URL, Target, is_public, target
from service.refusals import Refused
from service.settings import Settings
from tests.service.conftest import SIGNING
from tests.support.hostile_urls import LITERALS, urls

ENVIRON = {"SECRET_KEYS": SIGNING, "PUBLIC_URL": "https://trains.example.org"}
PUBLIC = Settings.of(ENVIRON)
ANY = Settings.of({**ENVIRON, "WEBHOOK_TARGETS": "any"})


def code(settings: Settings, url: str) -> str:
    """The code with which this URL is refused."""
    with pytest.raises(Refused) as refused:
        target(settings, url)
    return refused.value.code


def test_public_is_the_default_with_a_server() -> None:
    """If PUBLIC_URL is not local, hooks may by default call public addresses only."""
    assert ("public", frozenset({443, 8443})) == (PUBLIC.webhook_targets, PUBLIC.webhook_ports)


def test_there_are_enough_hostile_urls() -> None:
    """There are at least 60 different hostile URLs, as promise 19 says."""
    assert len(set(urls())) == len(urls()) >= 60


@pytest.mark.parametrize("url", urls(), ids=ascii)
def test_hostile_url_is_refused(url: str) -> None:
    """A URL whose address is not public is refused, however it is written."""
    assert "unreadable" == code(PUBLIC, url)


@pytest.mark.parametrize(
    ("url", "meant"),
    [
        ("https://example.org", Target("https", "example.org", 443, "/")),
        ("https://example.org/a/b?c=d&e", Target("https", "example.org", 443, "/a/b?c=d&e")),
        ("https://example.org?c=d", Target("https", "example.org", 443, "/?c=d")),
        ("HTTPS://Hooks.EXAMPLE.org:8443/", Target("https", "hooks.example.org", 8443, "/")),
        ("https://xn--bcher-kva.example.org/~me", None),
        ("https://a_b.example.org/%20", None),
    ],
)
def test_public_url_is_taken(url: str, meant: Target | None) -> None:
    """An https URL with an ordinary host name is accepted and parsed."""
    parsed = target(PUBLIC, url)

    assert parsed == (meant or parsed)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000/hook",
        "http://localhost/",
        "https://[::1]:9/",
        "http://bot:5000/",
        "http://192.168.0.7/",
    ],
)
def test_any_takes_what_is_near(url: str) -> None:
    """With WEBHOOK_TARGETS=any, a hook may be on this machine or its network, without TLS."""
    assert target(ANY, url).host in url


@pytest.mark.parametrize(
    "url",
    [
        "ftp://localhost/",
        "http://ada:secret@localhost/",
        "http://localhost:99999/",
        "http://local host/",
        "http://localhost/#part",
        "http://",
        f"http://localhost/{'a' * LONGEST_URL}",
    ],
)
def test_any_takes_no_nonsense(url: str) -> None:
    """A URL that cannot be called is refused even with WEBHOOK_TARGETS=any."""
    assert "unreadable" == code(ANY, url)


@pytest.mark.parametrize("address", sorted(set(LITERALS.values())))
def test_address_is_not_public(address: str) -> None:
    """Addresses of private networks, and those that embed another address, are not public."""
    assert not is_public(address)


@pytest.mark.parametrize("text", ["", "example.org", "127.1", "256.0.0.1", "1.2.3", "::g"])
def test_what_is_no_address_is_not_public(text: str) -> None:
    """Text that is not an IP address is not public."""
    assert not is_public(text)


def test_the_rest_of_the_internet_is_public() -> None:
    """Of the 256 IPv4 blocks, only 0, 10, 127 and those from 224 on are refused as a whole."""
    refused = {
        first
        for first in range(256)
        if not any(
            is_public(str(IPv4Address(first << 24 | rest))) for rest in (1, 7 << 16, 1 << 22)
        )
    }

    assert {0, 10, 127, *range(224, 256)} == refused


def test_python_alone_would_not_do() -> None:
    """Planted fault: Python's `is_global` calls some of these addresses public."""
    from ipaddress import ip_address  # noqa: PLC0415  # for the planted fault

    fooled = [literal for literal in set(LITERALS.values()) if ip_address(literal).is_global]

    assert [] != fooled
