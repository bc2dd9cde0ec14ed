"""A letter as the bytes that are sent.

They are put together here and not by the standard library, whose folding breaks long links in
headers and takes longer than everything else. Every header passes through one function that lets
nothing through which could end a line.
"""

import base64
from binascii import b2a_qp
from collections.abc import Iterable, Sequence
from email.header import Header
from typing import NamedTuple

from engine.text import clean
from workers.channels.mail.letters.render import Written

LONGEST_LINE = 75
"""Of a header with words; links and ids are never folded (RFC 5322 allows 998)."""
IMAGE_LINE = 76
LONGEST_PLAIN = 998
"""Bytes that a line may have which is sent as it is."""


class Image(NamedTuple):
    """A picture inside a letter."""

    cid: str
    png: bytes


class Address(NamedTuple):
    name: str
    email: str


class Head(NamedTuple):
    """One header whose value is made of words, or of ids and links."""

    name: str
    value: str
    words: bool = False


def header(head: Head) -> str:
    """Return a header as it stands in a letter; whatever could end a line becomes harmless."""
    value = clean(head.value)
    if head.words:
        charset = None if value.isascii() else "utf-8"
        folded = Header(value, charset, LONGEST_LINE, head.name).encode(splitchars=" ")
        return f"{head.name}: {folded}".replace("\n", "\r\n")
    return f"{head.name}: {value.encode('ascii', 'replace').decode()}"


def mailbox(address: Address) -> str:
    """Return an address with a name, quoted so that it cannot be taken for an address."""
    name = clean(address.name)
    if name.isascii():
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{quoted}" <{address.email}>'
    return f"{Header(name, 'utf-8', maxlinelen=998).encode()} <{address.email}>"


def assembled(
    heads: Iterable[Head], written: Written, images: Sequence[Image], boundary: str
) -> bytes:
    """Return the whole letter: text, HTML, and the pictures that belong to the HTML."""
    top = "\r\n".join(header(head) for head in heads)
    kind = f'multipart/alternative; boundary="{boundary}"'
    rest = f"\r\nMIME-Version: 1.0\r\nContent-Type: {kind}\r\n\r\n"
    # What HTML says in ASCII can go as it is: no other mail is as quick to write, and to read.
    html = _text_part("html", written.html.encode("ascii", "xmlcharrefreplace"))
    parts = [_text_part("plain", written.text.encode()), _related(html, images, f"r{boundary}")]
    return (top + rest).encode("ascii") + _multipart(parts, boundary)


def _related(html: bytes, images: Sequence[Image], boundary: str) -> bytes:
    if not images:
        return html
    kind = f'multipart/related; boundary="{boundary}"; type="text/html"'
    head = f"Content-Type: {kind}\r\n\r\n".encode("ascii")
    return head + _multipart([html, *map(_image_part, images)], boundary)


def _image_part(image: Image) -> bytes:
    head = (
        "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
        f"Content-ID: <{image.cid}>\r\n"
        'Content-Disposition: inline; filename="board.png"\r\n\r\n'
    )
    body = base64.b64encode(image.png)
    lines = [body[at : at + IMAGE_LINE] for at in range(0, len(body), IMAGE_LINE)]
    return head.encode("ascii") + b"\r\n".join(lines)


def _multipart(parts: Iterable[bytes], boundary: str) -> bytes:
    mark = b"--" + boundary.encode("ascii")
    return b"".join(mark + b"\r\n" + part + b"\r\n" for part in parts) + mark + b"--\r\n"


def _text_part(kind: str, text: bytes) -> bytes:
    as_it_is = text.isascii() and max(map(len, text.split(b"\n"))) <= LONGEST_PLAIN
    encoding = "7bit" if as_it_is else "quoted-printable"
    head = (
        f"Content-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    lines = text.replace(b"\n", b"\r\n")
    return head.encode("ascii") + (lines if as_it_is else b2a_qp(lines, istext=True))
