"""URLs that a webhook must not have while only public addresses are allowed."""

import socket

LITERALS = {
    "127.0.0.1": "127.0.0.1",
    "127.1": "127.0.0.1",
    "127.0.1": "127.0.0.1",
    "127.255.255.254": "127.255.255.254",
    "2130706433": "127.0.0.1",
    "0x7f000001": "127.0.0.1",
    "0x7f.0.0.1": "127.0.0.1",
    "0x7f.1": "127.0.0.1",
    "0177.0.0.1": "127.0.0.1",
    "017700000001": "127.0.0.1",
    "0": "0.0.0.0",  # noqa: S104  # to be refused
    "0.0.0.0": "0.0.0.0",  # noqa: S104  # to be refused
    "0.1.2.3": "0.1.2.3",
    "10.0.0.1": "10.0.0.1",
    "167772161": "10.0.0.1",
    "012.0.0.1": "10.0.0.1",
    "100.64.0.1": "100.64.0.1",
    "100.127.255.254": "100.127.255.254",
    "169.254.169.254": "169.254.169.254",
    "2852039166": "169.254.169.254",
    "0xa9fea9fe": "169.254.169.254",
    "172.16.0.1": "172.16.0.1",
    "172.31.255.254": "172.31.255.254",
    "192.0.0.8": "192.0.0.8",
    "192.0.0.170": "192.0.0.170",
    "192.0.2.1": "192.0.2.1",
    "192.88.99.1": "192.88.99.1",
    "192.168.0.1": "192.168.0.1",
    "198.18.0.1": "198.18.0.1",
    "198.51.100.7": "198.51.100.7",
    "203.0.113.9": "203.0.113.9",
    "224.0.0.1": "224.0.0.1",
    "239.255.255.250": "239.255.255.250",
    "240.0.0.1": "240.0.0.1",
    "255.255.255.255": "255.255.255.255",
    "[::]": "::",
    "[::1]": "::1",
    "[0:0:0:0:0:0:0:1]": "::1",
    "[::127.0.0.1]": "::127.0.0.1",
    "[::ffff:127.0.0.1]": "::ffff:127.0.0.1",
    "[::ffff:7f00:1]": "::ffff:127.0.0.1",
    "[::ffff:10.0.0.1]": "::ffff:10.0.0.1",
    "[::ffff:169.254.169.254]": "::ffff:169.254.169.254",
    "[::ffff:0:127.0.0.1]": "::ffff:0:127.0.0.1",
    "[64:ff9b::127.0.0.1]": "64:ff9b::127.0.0.1",
    "[64:ff9b::a9fe:a9fe]": "64:ff9b::a9fe:a9fe",
    "[64:ff9b:1::10.0.0.1]": "64:ff9b:1::10.0.0.1",
    "[100::1]": "100::1",
    "[2001::1]": "2001::1",
    "[2001:0:7f00:1::]": "2001:0:7f00:1::",
    "[2001:10::1]": "2001:10::1",
    "[2001:20::1]": "2001:20::1",
    "[2001:db8::1]": "2001:db8::1",
    "[2002:7f00:1::]": "2002:7f00:1::",
    "[2002:a9fe:a9fe::1]": "2002:a9fe:a9fe::1",
    "[3fff::1]": "3fff::1",
    "[5f00::1]": "5f00::1",
    "[fc00::1]": "fc00::1",
    "[fd00:ec2::254]": "fd00:ec2::254",
    "[fe80::1]": "fe80::1",
    "[fe80::1%25lo]": "fe80::1%lo",
    "[fe80::5efe:10.0.0.1]": "fe80::5efe:10.0.0.1",
    "[fec0::1]": "fec0::1",
    "[ff02::1]": "ff02::1",
    "[ff0e::1]": "ff0e::1",
}
"""Spellings of a host, and the IP address that each one stands for."""

NAMES = [
    "localhost",
    "LOCALHOST",
    "localhost.",
    "localhost.localdomain",
    "sub.localhost",
    "printer.local",
    "db.internal",
    "metadata.google.internal",
    "wiki.intranet",
    "nas.lan",
    "router.home.arpa",
    "1.0.0.127.in-addr.arpa",
    "intranet",
    "db",
    "hidden.onion",
    "example.org.",
    "example..org",
    "-example.org",
    "example.0x7f",
    "127.0.0.1.",
    "\uff11\uff12\uff17.0.0.1",  # full-width digits
    "127\u30020\u30020\u30021",  # ideographic full stops
    "\u24db\u24de\u24d2\u24d0lhost",  # circled letters
    "ex%61mple.org",
    "127.0.0.1%00.example.org",
    "127.0.0.1\\.example.org",
]

WHOLE = [
    "",
    "example.org",
    "//example.org/",
    "https:",
    "https://",
    "https:///hook",
    "https://?",
    "http://example.org/",
    "ftp://example.org/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "javascript:alert(1)",
    "https://example.org:22/",
    "https://example.org:25/",
    "https://example.org:80/",
    "https://example.org:0/",
    "https://example.org:65536/",
    "https://example.org:-1/",
    "https://example.org:443x/",
    "https://ada@example.org/",
    "https://ada:secret@example.org/",
    "https://example.org@127.0.0.1/",
    "https://127.0.0.1#@example.org/",
    "https://127.0.0.1\\@example.org/",
    "https://example.org\\@127.0.0.1/",
    "https://exam\tple.org/",
    "https://exam\nple.org/",
    "https://example.org/\r\nHost: localhost",
    "https://example.org/ hook",
    " https://example.org/",
    "https://example.org/#part",
    "https://example.org/\x00",
    "https://[::1",
    "https://::1/",
    "https://[v1.127]/",
    "https://[127.0.0.1]/",
    "https://example.org/" + "a" * 500,
]


def urls() -> list[str]:
    """All hostile URLs."""
    return [*WHOLE, *(f"https://{host}/hook" for host in (*LITERALS, *NAMES))]


def answer(address: str, port: int = 443) -> tuple[object, ...]:
    """The entry that `getaddrinfo` returns for a name with this address."""
    if ":" in address:
        return socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0)
    return socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)
