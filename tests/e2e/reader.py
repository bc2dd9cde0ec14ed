"""A player with a mail program: reads the text part of letters, replies, and opens links."""

import re
import smtplib
import urllib.error
import urllib.parse
import urllib.request
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from html.parser import HTMLParser
from typing import NamedTuple

from tests.support.smtp_server import Letter

MX = "mx.example.org"
"""The mail server in front of the inbox; only its DMARC results count."""
ENTRY = re.compile(
    r"^ {1,2}(?P<n>\d+)\. (?P<title>[^:]+?)(?:: (?P<details>.+?))?\s+(?P<link>https?://\S+/a/\S+)$",
    re.MULTILINE | re.DOTALL,
)
LINK = re.compile(r"https?://\S+")
POINTS = re.compile(r" \((\d+) points?\)$")


class OfferedEntry(NamedTuple):
    """An entry of the menu, as a letter lists it."""

    number: int
    title: str
    points: int
    details: str
    """Its ways, or its things."""
    link: str

    @property
    def ways(self) -> list[str]:
        """What can be paid, the thriftiest first."""
        paid = self.details.split(" – ")[0]
        return [way.removeprefix("or ") for way in paid.split("; ")] if paid else []


def text_of(letter: Letter) -> str:
    """The text part of a letter."""
    part = letter.message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def html_of(letter: Letter) -> str:
    """The HTML of a letter."""
    part = letter.message.get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def entries_in(letter: Letter) -> list[OfferedEntry]:
    """The entries of the menu that a letter offers."""
    return [_entry(match) for match in ENTRY.finditer(text_of(letter))]


def _entry(match: re.Match[str]) -> OfferedEntry:
    title = " ".join(match["title"].split())
    points = POINTS.search(title)
    return OfferedEntry(
        int(match["n"]),
        POINTS.sub("", title),
        int(points[1]) if points else 0,
        " ".join((match["details"] or "").split()),
        match["link"],
    )


def links_in(letter: Letter, path: str) -> list[str]:
    """The links in a letter that lead below this path."""
    return [
        link
        for link in LINK.findall(text_of(letter))
        if urllib.parse.urlsplit(link).path.startswith(path)
    ]


def reply(letter: Letter, *lines: str, port: int) -> None:
    """Answer a letter as a mail program does, through the mail server in front of ours."""
    original = letter.message
    message = EmailMessage()
    # The mail server puts its result above all headers that came with the mail.
    message["Authentication-Results"] = f"{MX}; dmarc=pass header.from=example.org"
    message["Received"] = (
        f"from mail.example.org by {MX} with ESMTPS; {localtime():%a, %d %b %Y %T %z}"
    )
    message["From"] = letter.recipient
    message["To"] = str(original["Reply-To"])
    message["Subject"] = f"Re: {original['Subject']}"
    message["Message-ID"] = make_msgid(domain="example.org")
    message["In-Reply-To"] = str(original["Message-ID"])
    quoted = "\n".join(f"> {line}" for line in text_of(letter).splitlines())
    message.set_content("\n".join(lines) + f"\n\nOn some day, Nightmail wrote:\n{quoted}\n")
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as server:
        server.send_message(message, letter.recipient, [str(original["Reply-To"])])


class Form(HTMLParser):
    """The form of a small page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.choices: list[tuple[str, str]] = []
        self.things: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record the fields and choices of the form."""
        attributes = dict(attrs)
        if tag == "input" and attributes.get("type") == "radio":
            self.choices.append((attributes["name"] or "", attributes.get("value") or ""))
        elif tag == "input" and attributes.get("type") == "checkbox":
            if (name := attributes["name"]) == "things":
                self.things.append((name, attributes.get("value") or ""))
        elif tag in ("input", "button") and attributes.get("name"):
            self.fields[attributes["name"] or ""] = attributes.get("value") or ""


def open_form(link: str) -> Form:
    """The form on the page behind a link."""
    with urllib.request.urlopen(link, timeout=30) as answer:  # noqa: S310  # on the loopback
        return Form(answer.read().decode())


def submit_form(link: str, form: Form, *choice: str) -> int:
    """Make a choice on a page, send the form, and return the status of the response."""
    chosen = next(choice_field for choice_field in form.choices if choice_field[1] in choice)
    return _send(link, [*form.fields.items(), chosen])


def submit_first(link: str, form: Form) -> int:
    """Choose the first way on the page of an entry, or all its things, and send the form."""
    chosen = form.things or form.choices[:1]
    return _send(link, [*form.fields.items(), *chosen])


def _send(link: str, fields: list[tuple[str, str]]) -> int:
    request = urllib.request.Request(link, urllib.parse.urlencode(fields).encode())  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
