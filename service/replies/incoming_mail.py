"""Parses incoming mail safely, whatever is in it, in time proportional to its size.

A limited number of bytes, lines and parts reaches the email package, and only functions of it that
take linear time are used. Charsets come from a list, because some of Python's codecs take quadratic
time.

Sender and content are read by the same parser, the email package. An email that another parser
could read differently is odd: the mail server that has checked its sender may have seen another
From header, or another end of the headers.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import HeaderParser
from typing import Any, NamedTuple

from service.replies import quoting
from service.replies.reading import html_text, plain_text

MOST_BYTES = 256 * 1024
"""Bytes of an email that are read; what people write comes at the beginning."""
MOST_LINES = 10_000
MOST_HEADERS = 500
LONGEST_HEADER = 8_000
"""Characters of a header that are kept."""
MOST_PARTS = 50
LONGEST_NAME = 200
"""Characters of the From header in which the writer's name is looked for."""
LONGEST_PART_HEADER = 2_000
"""Bytes of a Content-… header, with its continuation lines."""

_CHARSET = re.compile(
    r"utf-?8|us-ascii|ascii|latin-?1|iso-?8859-?\d{1,2}|windows-125[0-8]|cp125[0-8]|koi8-[ru]"
    r"|gb2312|gbk|gb18030|big5|shift_jis|euc-(?:jp|kr)|iso-2022-jp|utf-16(?:le|be)?"
)
_MULTIBYTE = re.compile(r"gb|big5|shift_jis|euc-|iso-2022|utf-16")
_HEADER_LINE = re.compile(rb"(?:[!-9;-~]+:|[ \t]+[^ \t])[^\x00-\x08\x0b-\x1f\x7f]*")
"""The first or a further line of a header, without control characters (RFC 5322, 2.2)."""
_UNICODE_BREAK = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")
_PART_HEADER = re.compile(rb"content-[a-z-]{1,40}\s{0,5}:", re.IGNORECASE)


class Unreadable(Exception):
    """An email beyond our limits, which no mail program would produce; it is not read."""


class Header(NamedTuple):
    """A header, unfolded, with its name in lower case."""

    name: str
    value: str


class Letter(NamedTuple):
    """The parts of an email that we use."""

    headers: tuple[Header, ...]
    kind: str
    """The media type, such as multipart/report."""
    lines: tuple[str, ...]
    """The lines that its writer wrote, without quotations, signatures and courtesies."""
    reports: tuple[tuple[Header, ...], ...]
    """The fields of parts about another mail: a delivery status, a complaint, its headers."""
    is_odd: bool = False
    """Whether another parser could read it differently; then its sender cannot be trusted."""
    message: tuple[str, ...] = ()
    """The lines with greetings, closings and thanks, for a message to people."""
    aside: tuple[str, ...] = ()
    """Lines that are quoted, a signature or a courtesy."""
    text: tuple[str, ...] = ()
    """All lines of the first text, quotations included."""

    @property
    def has_gaps(self) -> bool:
        """Whether other lines, such as quotations, stand between those of the message."""
        places = [number for number, line in enumerate(self.text) if line in self.message]
        between = self.text[places[0] : places[-1]] if places else ()
        return any(line and line not in self.message for line in between)

    def all(self, name: str) -> list[str]:
        """Return the values of all headers with this name, the topmost first."""
        return [header.value for header in self.headers if header.name == name]

    def single(self, name: str) -> str:
        """Return the value of the only header with this name.

        Empty if there is none, or several.
        """
        values = self.all(name)
        return values[0] if len(values) == 1 else ""


class _ShownText(NamedTuple):
    """The lines of a part."""

    lines: list[str]
    is_html: bool = False
    has_struck: bool = False
    """Whether some text of it is struck out or hidden."""


def read(raw: bytes) -> Letter:
    """Parse an email, leaving out everything beyond our limits."""
    kept, odd_headers = _without_odd_headers(_bounded(raw))
    message = message_from_bytes(kept)
    headers = _headers(message)
    if len(headers) > MOST_HEADERS:
        raise Unreadable("too many headers")
    parts = list(_parts(message))
    reports = tuple(fields for part in parts for fields in _report(part))
    is_odd = odd_headers or _has_odd_line_ends(raw)
    lines, whole, aside = _written(message)
    kind, text = message.get_content_type(), _first_text(parts)
    return Letter(headers, kind, lines, reports, is_odd, whole, aside, text)


def _has_odd_line_ends(raw: bytes) -> bool:
    """Return whether line ends are mixed or not those of mail, or there is a NUL byte."""
    both, returns, feeds = raw.count(b"\r\n"), raw.count(b"\r"), raw.count(b"\n")
    return returns != both or 0 < both < feeds or b"\0" in raw


def _without_odd_headers(mail: bytes) -> tuple[bytes, bool]:
    """Drop lines among the headers that are not headers; return also whether there were any."""
    head, blank, body = mail.partition(b"\n\n")
    lines = head.split(b"\n")
    plain = [line for line in lines if _HEADER_LINE.fullmatch(line)]
    is_odd = plain != lines or lines[0][:1] in (b" ", b"\t") or bool(_UNICODE_BREAK.search(head))
    return b"\n".join(plain) + blank + body, is_odd


def _parts(message: Message) -> Iterator[Message]:
    """Yield the parts of an email in order; an attached email counts as one part."""
    todo = [message]
    while todo:
        part = todo.pop()
        yield part
        if part.get_content_maintype() == "multipart":
            todo += reversed(_subparts(part))


def _subparts(part: Message) -> list[Message]:
    """Return the parts or emails inside a part; empty if it is not made of others."""
    payload: Any = part.get_payload()
    if not isinstance(payload, list):
        return []
    return [subpart for subpart in payload if isinstance(subpart, Message)]


def _bounded(raw: bytes) -> bytes:
    """Cut an email to what may be handed to the email package, or refuse it."""
    lines = raw[:MOST_BYTES].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", MOST_LINES)
    kept = lines[:MOST_LINES]
    parts = [number for number, line in enumerate(kept) if _PART_HEADER.match(line)]
    types = sum(kept[number][:13].lower() == b"content-type:" for number in parts)
    if types > MOST_PARTS:
        raise Unreadable("too many parts")
    if any(_header_length(kept, number) > LONGEST_PART_HEADER for number in parts):
        raise Unreadable("a header that is too long")
    return b"\n".join(kept)


def _header_length(lines: Sequence[bytes], number: int) -> int:
    """Return the length of a header with its continuation lines, counted until it is too long."""
    length = len(lines[number])
    while number + 1 < len(lines) and length <= LONGEST_PART_HEADER:
        number += 1
        if lines[number][:1] not in (b" ", b"\t"):
            break
        length += len(lines[number])
    return length


def _headers(message: Message) -> tuple[Header, ...]:
    """Return the headers of an email or a part, unfolded and cut to the longest that we read."""
    return tuple(Header(name.lower(), _unfolded(value)) for name, value in message.raw_items())


def _unfolded(value: str) -> str:
    # The email package gives bytes that are not ASCII as surrogates; most often they are UTF-8.
    text = value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return " ".join(line.strip() for line in text.split("\n"))[:LONGEST_HEADER].strip()


def _report(part: Message) -> Iterator[tuple[Header, ...]]:
    """Yield the fields of a part that is about another mail."""
    kind = part.get_content_type()
    if kind.startswith("message/"):
        for block in _subparts(part):
            yield _headers(block)
    elif kind == "text/rfc822-headers":
        yield _headers(HeaderParser().parsestr(_text(part)))


def _written(message: Message) -> quoting.Written:
    """Return what a person wrote, in all parts that are shown, in their order."""
    lines = [line for text in _shown_texts(message) for line in text.lines]
    return quoting.written(lines, _display_name(message))


def _shown_texts(part: Message) -> list[_ShownText]:
    """Return the texts that a mail program would show, each in one form only.

    Plain text comes before HTML, unless it is blank or the HTML has text that is struck out.
    """
    if part.get_content_type() in ("text/plain", "text/html"):
        return [_shown_text(part)] if _is_shown(part) else []
    if part.get_content_maintype() != "multipart":
        return []
    inside = [_shown_texts(subpart) for subpart in _subparts(part)]
    if part.get_content_type() in ("multipart/related", "multipart/signed"):
        inside = inside[:1]
    texts = [text for subpart in inside for text in subpart]
    plain = [text for text in texts if not text.is_html and any(text.lines)]
    pages = [text for text in texts if text.is_html]
    is_choice = part.get_content_type() == "multipart/alternative"
    if plain and pages and is_choice and any(page.has_struck for page in pages):
        return pages
    return plain or pages


def _first_text(parts: Sequence[Message]) -> tuple[str, ...]:
    """Return the lines of the first part that is text, as a mail program would show them."""
    for part in parts:
        if part.get_content_type() in ("text/plain", "text/html") and _is_shown(part):
            lines = _shown_text(part).lines
            return tuple(line.removeprefix(html_text.QUOTED).strip() for line in lines)
    return ()


def _is_shown(part: Message) -> bool:
    """Return whether a text is part of the mail, and not a file."""
    return part.get_content_disposition() != "attachment" and not part.get_filename()


def _shown_text(part: Message) -> _ShownText:
    """Return the lines of a part as a mail program would show them."""
    if part.get_content_type() == "text/html":
        page = html_text.read_page(_text(part))
        return _ShownText(page.lines, is_html=True, has_struck=page.has_struck)
    lines = _text(part).split("\n")
    if _parameter(part, "format") == "flowed":
        lines = plain_text.unflowed(lines, delete_space=_parameter(part, "delsp") == "yes")
    lines = list(plain_text.without_armour(lines))[: quoting.MOST_SCANNED]
    return _ShownText([plain_text.cleaned(line) for line in lines])


def _display_name(message: Message) -> str:
    """Return the name before the address in the From header; empty if there is none."""
    name = str(message.get("from", ""))[:LONGEST_NAME].rpartition("<")[0].strip(' "')
    try:
        return str(make_header(decode_header(name)))
    except (HeaderParseError, LookupError, ValueError):
        return ""


def _text(part: Message) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    declared = _parameter(part, "charset")
    text = _decoded(payload, declared if _CHARSET.fullmatch(declared) else "utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decoded(payload: bytes, charset: str) -> str:
    """Decode bytes: in the charset that they begin with, in UTF-8, or else as declared."""
    if payload.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return payload.decode("utf-16", "replace")
    if charset == "utf-16":  # without a byte order mark; text has most zeros in the high bytes
        charset = "utf-16-be" if payload[::2].count(0) >= payload[1::2].count(0) else "utf-16-le"
    if _MULTIBYTE.match(charset):
        return payload.decode(charset, "replace")
    try:
        return payload.decode("utf-8-sig")  # other text is hardly ever UTF-8 by chance
    except UnicodeDecodeError:
        return payload.decode(_single_byte(charset), "replace")


def _single_byte(charset: str) -> str:
    """Return the declared charset, or the most frequent one if that cannot be right."""
    try:
        name = codecs.lookup(charset).name
    except LookupError:  # there is no ISO 8859-12
        return "cp1252"
    return "cp1252" if name in ("utf-8", "ascii") else name


def _parameter(part: Message, name: str) -> str:
    value: Any = part.get_param(name)
    return value.lower() if isinstance(value, str) else ""
