"""Mails that attack the reader, and a process that reads them and prints the cost.

`python -m tests.promises.mail.bombs` reads all of them; with `--faulty` it finds quotations with a
regular expression that has nested repetition.
"""

import base64
import json
import re
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from service.replies import incoming_mail, receive, sorting, trust
from service.replies.arrival import Arrival
from service.replies.reading import quotations

CPU = 1.0
"""Seconds of CPU that a mail may cost."""
MEMORY = 64 * 1024 * 1024
MX = "mx.example.net"


def _mail(body: bytes, kind: str = "text/plain", *more: str) -> bytes:
    head = ["From: a@example.org", f"Content-Type: {kind}", *more, "", ""]
    return "\r\n".join(head).encode() + body


def _nested(kind: str, depth: int) -> bytes:
    parts = [f"Content-Type: {kind.format(n)}\r\n\r\n--b{n}\r\n" for n in range(depth)]
    return "".join(parts).encode()


def _coded(body: bytes, kind: str = "text/plain") -> bytes:
    return _mail(base64.encodebytes(body), kind, "Content-Transfer-Encoding: base64")


K = 1024
BOMBS: dict[str, Callable[[], bytes]] = {
    "multiparts": lambda: _nested("multipart/mixed; boundary=b{}", 2000),
    "as many multiparts as are read": lambda: _nested("multipart/mixed; boundary=b{}", 50)
    + b"\r\n" * 200_000,
    "mails in mails": lambda: b"Content-Type: message/rfc822\r\n\r\n" * 2000,
    "as many mails in mails as are read": lambda: b"Content-Type: message/rfc822\r\n\r\n" * 50
    + b"x\r\n" * 80_000,
    "digests": lambda: _nested("multipart/digest; boundary=b{}", 50) + b"\r\n--b1\r\n\r\n" * 9000,
    "one line": lambda: _mail(b"x" * 10_000 * K),
    "one header": lambda: b"From: " + b"(" * 10_000 * K,
    "headers": lambda: b"".join(b"X-%d: y\r\n" % n for n in range(10_000)),
    "folded header": lambda: b"From: a\r\n" + b" (\r\n" * 100_000,
    "no header": lambda: b"\r\n" * 500_000,
    "parameters": lambda: _mail(b"", "text/plain" + ';"' * 900),
    "long parameters": lambda: _mail(b"", "text/plain" + ';a*0*="' * 100_000),
    "verdicts": lambda: b"Authentication-Results: " + f"{MX}; dmarc=pass;".encode() * 9000
    + b"\r\nReceived: x\r\n\r\n",
    "comments": lambda: b"Authentication-Results: " + b"(" * 7000 + b"\r\nReceived: x\r\n\r\n",
    "punycode": lambda: _coded(b"a-" + b"99999" * 30 * K, "text/plain; charset=punycode"),
    "utf-7": lambda: _coded(b"+AAA-" * 40 * K, "text/plain; charset=utf-7"),
    "utf-16": lambda: _coded(b"\xd8\x00" * 90 * K, "text/plain; charset=utf-16"),
    "marks": lambda: _coded(("e" + "\u0301\u0323" * 90 * K).encode()),
    "blank lines": lambda: _coded(b"\n" * 190 * K),
    "quoted lines": lambda: _coded(b">\n" * 95 * K),
    "nearly quoted": lambda: _coded((b"On " * 300 + b"\n") * 200),
    "German": lambda: _coded(b"Am " + b"schrieb " * 23 * K),
    "English": lambda: _coded(b"On " + b"a wrote " * 23 * K),
    "wrapped": lambda: _coded(b"On a\n" * 38 * K),
    "rules": lambda: _coded(b"_" * 190 * K),
    "flowed": lambda: _coded(b"a \n" * 60 * K, "text/plain; format=flowed"),
    "tags": lambda: _coded(b"<" * 190 * K, "text/html"),
    "tags with ends": lambda: _coded(b"<a>" * 60 * K, "text/html"),
    "html comments": lambda: _coded(b"<!--" * 47 * K, "text/html"),
    "scripts": lambda: _coded(b"<script>" * 23 * K, "text/html"),
    "short scripts": lambda: _coded(b"<script></script" * 11 * K, "text/html"),
    "entities": lambda: _coded(b"&#" + b"9" * 190 * K, "text/html"),
    "more entities": lambda: _coded(b"&notit" * 30 * K, "text/html"),
    "lower case": lambda: _coded(("İ" * 90 * K).encode(), "text/html"),
    "many pages": lambda: _mail(b"".join(
        b"--b\r\nContent-Type: text/html\r\n\r\n" + b"<b>" * 1700 + b"\r\n" for _ in range(48)),
        "multipart/mixed; boundary=b"),
    "pages in choices": lambda: _nested("multipart/alternative; boundary=b{}", 40)
    + b"Content-Type: text/plain\r\n\r\nx\r\n--b39\r\nContent-Type: text/html\r\n\r\n"
    + b"<p>x" * 60 * K,
    "attributes": lambda: _coded(b"<a " + b"a=b " * 45 * K + b">", "text/html"),
    "short attributes": lambda: _mail(b"<a " + b"a " * 127 * K + b">", "text/html"),
    "open attributes": lambda: _coded(b"<a " + b"a='" * 60 * K, "text/html"),
    "styles": lambda: _coded(b'<p style="display:none;color:red">' * 5 * K, "text/html"),
    "one style": lambda: _coded(b'<p style="' + b"border-left:" * 15 * K + b'">', "text/html"),
    "elements inside each other": lambda: _coded(b"<div>" * 37 * K, "text/html"),
    "ends of nothing": lambda: _coded(b"<div>" * 140 + b"</b>" * 46 * K, "text/html"),
    "declarations": lambda: _coded(b"<!x" * 60 * K, "text/html"),
    "instructions": lambda: _coded(b"<?" * 90 * K, "text/html"),
    "ends": lambda: _coded(b"</" * 90 * K, "text/html"),
    "marked sections": lambda: _coded(b"<![if x" * 26 * K, "text/html"),
    "long number in an attribute": lambda: _coded(
        b'<a b="&#' + b"9" * 180 * K + b'">', "text/html"
    ),
    "cells": lambda: _coded(b"<td>1" * 37 * K, "text/html"),
    "quotations in turn": lambda: _coded(b"> a\nb\n" * 30 * K),
    "headers of quotations": lambda: _coded(b"From: a\n" * 20 * K),
    "closings": lambda: _coded(b"Cheers,\n" * 20 * K),
    "armour": lambda: _coded(b"-----BEGIN PGP SIGNED MESSAGE-----\n" * 5 * K),
    "name": lambda: b"From: " + b"=?a?q?" * 1300 + b" <a@example.org>\r\n\r\ndraw",
    "uuencode": lambda: _mail(b"begin 644 x\n" + b"M" * 200 * K, "text/plain",
                              "Content-Transfer-Encoding: x-uuencode"),
    "quoted printable": lambda: _mail(b"=\r\n" * 80 * K, "text/plain",
                                      "Content-Transfer-Encoding: quoted-printable"),
    "reports": lambda: _mail(b"--b\r\nContent-Type: message/delivery-status\r\n\r\n"
                             + b"Status: 5.1.1\r\n\r\n" * 14 * K, "multipart/report; boundary=b"),
}  # fmt: skip


def look(raw: bytes) -> None:
    """Do everything that is done with a mail before its account is known."""
    try:
        letter = incoming_mail.read(raw)
    except incoming_mail.Unreadable:
        return
    sorting.sort(Arrival(letter, "x@example.org"))
    trust.dmarc_verdict(letter, MX, "example.org")
    receive._digest(letter)
    for block in letter.reports:
        dict(block)


def cost(raw: bytes) -> float:
    """Seconds of CPU for a mail; the process is killed if it takes much longer."""
    spent = time.process_time()
    limit = int(spent + CPU) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
    look(raw)
    return time.process_time() - spent


def _faulty(lines: list[str], number: int) -> bool:
    """An expression that once took ten seconds for 22 lines."""
    return re.match(r"(?:\s*On.*\n?)+wrote:", "\n".join(lines[number:])) is not None


def _peak() -> int:
    """Peak memory of this process; unlike rusage, it leaves out what the parent used."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(text.partition("VmHWM:")[2].split()[0]) * 1024


def main() -> None:
    """Read all mails, and print the seconds of each and the memory of all."""
    if "--faulty" in sys.argv:
        quotations._attribution = _faulty  # type: ignore[assignment]  # the fault is planted
        BOMBS["nested"] = lambda: _mail(b"On x\r\n" * 40)
    raws = {name: make() for name, make in BOMBS.items()}
    before = psutil.Process().memory_info().rss
    costs = {name: cost(raw) for name, raw in raws.items()}
    most = _peak() - before
    print(json.dumps({"costs": costs, "memory": most}))  # noqa: T201  # what the test reads


if __name__ == "__main__":
    main()
