"""A mail as it came in, read safely: whatever is in it, that costs little and breaks nothing.

Only so many bytes, lines and parts reach the email package, and of what it makes of them only
what takes time in proportion is used. Charsets are taken from a list, since some of Python's
codecs take the square of it.

Who a letter is from and what it says are read by one parser, the email package. A letter that
another reader could take apart in another way is odd: the mail server that has checked its sender
may have seen another From, or another end of the headers.
"""

import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.message import Message
from email.parser import HeaderParser
from typing import Any, NamedTuple

from service.replies import quoting

KEPT = 256 * 1024
"""So many bytes of a mail are read; what people write stands at the beginning."""
MOST_LINES = 10_000
MOST_HEADERS = 500
LONGEST_HEADER = 8_000
MOST_PARTS = 50
LONGEST_PART_HEADER = 2_000

_CHARSET = re.compile(
    r"utf-?8|us-ascii|ascii|latin-?1|iso-?8859-?\d{1,2}|windows-125[0-8]|cp125[0-8]|koi8-[ru]"
    r"|gb2312|gbk|gb18030|big5|shift_jis|euc-(?:jp|kr)|iso-2022-jp|utf-16(?:le|be)?"
)
_HEADER_LINE = re.compile(rb"(?:[!-9;-~]+:|[ \t]+[^ \t])[^\x00-\x08\x0b-\x1f\x7f]*")
"""A line with which a header begins or goes on, without control characters (RFC 5322, 2.2)."""
_UNICODE_BREAK = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")
_PART_HEADER = re.compile(rb"content-[a-z-]{1,40}\s{0,5}:", re.IGNORECASE)


class Unreadable(Exception):
    """A mail that no mail program makes, and that nobody needs to look into."""


class Header(NamedTuple):
    """One header, unfolded; the name in lower case."""

    name: str
    value: str


class Letter(NamedTuple):
    """What of a mail concerns us."""

    headers: tuple[Header, ...]
    kind: str
    """Its media type, such as multipart/report."""
    lines: tuple[str, ...]
    """What was written above the quotation."""
    reports: tuple[tuple[Header, ...], ...]
    """The fields of parts that are about another mail: its fate, a complaint, its headers."""
    is_odd: bool = False
    """Whether another reader could see other lines or headers in it; then it proves nothing."""

    def all(self, name: str) -> list[str]:
        """The values of all headers of this name, the topmost first."""
        return [header.value for header in self.headers if header.name == name]

    def one(self, name: str) -> str:
        """The value of the only header of this name; empty if there is none, or several."""
        found = self.all(name)
        return found[0] if len(found) == 1 else ""


def read(raw: bytes) -> Letter:
    """A mail, of which everything beyond our limits is left out."""
    kept, odd_headers = _without_odd_headers(_bounded(raw))
    message = message_from_bytes(kept)
    headers = _headers(message)
    if len(headers) > MOST_HEADERS:
        raise Unreadable("too many headers")
    parts = list(_parts(message))
    reports = tuple(fields for part in parts for fields in _report(part))
    is_odd = odd_headers or _has_odd_ends(raw)
    return Letter(headers, message.get_content_type(), tuple(_lines(parts)), reports, is_odd)


def _has_odd_ends(raw: bytes) -> bool:
    """Whether lines end in several ways, or in one that mail does not know, or a NUL is there."""
    both, returns, feeds = raw.count(b"\r\n"), raw.count(b"\r"), raw.count(b"\n")
    return returns != both or 0 < both < feeds or b"\0" in raw


def _without_odd_headers(mail: bytes) -> tuple[bytes, bool]:
    """A mail without lines among its headers that are none, and whether its headers are odd."""
    head, blank, body = mail.partition(b"\n\n")
    lines = head.split(b"\n")
    plain = [line for line in lines if _HEADER_LINE.fullmatch(line)]
    is_odd = plain != lines or lines[0][:1] in (b" ", b"\t") or bool(_UNICODE_BREAK.search(head))
    return b"\n".join(plain) + blank + body, is_odd


def _parts(message: Message) -> Iterator[Message]:
    """The mail's own parts, in order; a mail inside of it is one part."""
    todo = [message]
    while todo:
        part = todo.pop()
        yield part
        if part.get_content_maintype() == "multipart":
            todo += reversed(_inside(part))


def _inside(part: Message) -> list[Message]:
    """The mails or parts of which this one is made, if it is."""
    inner: Any = part.get_payload()
    return [one for one in inner if isinstance(one, Message)] if isinstance(inner, list) else []


def _bounded(raw: bytes) -> bytes:
    """What may be handed to the email package."""
    lines = raw[:KEPT].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", MOST_LINES)
    kept = lines[:MOST_LINES]
    parts = [number for number, line in enumerate(kept) if _PART_HEADER.match(line)]
    types = sum(kept[number][:13].lower() == b"content-type:" for number in parts)
    if types > MOST_PARTS:
        raise Unreadable("too many parts")
    if any(_folded(kept, number) > LONGEST_PART_HEADER for number in parts):
        raise Unreadable("a header that is too long")
    return b"\n".join(kept)


def _folded(lines: Sequence[bytes], number: int) -> int:
    """How long a header is, with the lines on which it goes on; enough to know it is too long."""
    length = len(lines[number])
    while number + 1 < len(lines) and length <= LONGEST_PART_HEADER:
        number += 1
        if lines[number][:1] not in (b" ", b"\t"):
            break
        length += len(lines[number])
    return length


def _headers(message: Message) -> tuple[Header, ...]:
    """The headers at the top, unfolded, each cut where no header of ours goes on."""
    return tuple(Header(name.lower(), _unfolded(value)) for name, value in message.raw_items())


def _unfolded(value: str) -> str:
    # Bytes that are not ASCII come as surrogates; most often they are UTF-8.
    text = value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return " ".join(line.strip() for line in text.split("\n"))[:LONGEST_HEADER].strip()


def _report(part: Message) -> Iterator[tuple[Header, ...]]:
    """What a part says about another mail."""
    kind = part.get_content_type()
    if kind.startswith("message/"):
        for block in _inside(part):
            yield _headers(block)
    elif kind == "text/rfc822-headers":
        yield _headers(HeaderParser().parsestr(_text(part)))


def _lines(parts: Sequence[Message]) -> list[str]:
    """What somebody has written: in plain text if there is some, else in HTML."""
    texts = [part for part in parts if part.get_content_maintype() == "text" and _is_shown(part)]
    for kind in ("text/plain", "text/html"):
        for part in texts:
            if part.get_content_type() == kind:
                return quoting.written(_shown(part, kind))
    return []


def _shown(part: Message, kind: str) -> list[str]:
    """The lines that a reader would see."""
    text = _text(part)
    if kind == "text/html":
        return quoting.lines_of_html(text)
    lines = text.split("\n")
    return quoting.unflowed(lines) if _parameter(part, "format") == "flowed" else lines


def _is_shown(part: Message) -> bool:
    return part.get_content_disposition() != "attachment"


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    said = _parameter(part, "charset")
    charset = said if _CHARSET.fullmatch(said) else "utf-8"
    try:
        text = payload.decode(charset, "replace")
    except LookupError:  # there is no ISO 8859-12
        text = payload.decode("utf-8", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _parameter(part: Message, name: str) -> str:
    found: Any = part.get_param(name)
    return found.lower() if isinstance(found, str) else ""
