"""Finds the sender of a letter, and whether our own mail server vouches for it.

The From header alone proves nothing. Our own mail server checks the sender (DMARC) and writes the
result into an Authentication-Results header, above everything that came from outside: above the
first Received header (RFC 8601, sections 4 and 7.1). Anybody can write such a header, so those
further down are ignored.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from service.people import address_fingerprints, profile
from service.refusals import Refused
from service.replies.incoming_mail import LONGEST_HEADER, Header, Letter

_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,250}>")
_AMBIGUOUS = frozenset('<>@;:()[]\\"')
"""Characters that make it unclear, in the name before an address, which address is meant.

A comma does not: some programs write `Lovelace, Ada <ada@example.org>` without quotes, and without
an @ before it no part of that name can be an address.
"""


class Verdict(StrEnum):
    """What our own mail server says about the domain in the From header."""

    PASS = "pass"  # noqa: S105  # a result of DMARC, no password
    FAIL = "fail"
    NONE = "none"
    """The domain has no DMARC policy, the check could not be made, or there is no result."""


def sender_of(letter: Letter) -> str | None:
    """Return the address in the From header of a letter; None unless there is exactly one."""
    claimed = letter.all("from")
    return address_in(claimed[0]) if len(claimed) == 1 else None


def message_id(letter: Letter) -> str | None:
    """Return the Message-ID of a letter, if it is valid, so that an answer can refer to it."""
    match = _MESSAGE_ID.fullmatch(letter.single("message-id"))
    return match[0] if match else None


def address_in(header: str) -> str | None:
    """Return the address in a header, if there is only one way to read it."""
    bare = header.strip()
    if bare.endswith(">"):
        name, _, inside = bare[:-1].rpartition("<")
        if not _is_plain(name.strip()):
            return None
        bare = inside
    if bare != bare.strip():
        return None
    try:
        return profile.checked_email(bare).lower()
    except Refused:
        return None


def _is_plain(name: str) -> bool:
    """Return whether the name before an address is plain words, or one quoted string."""
    if len(name) > 1 and name[0] == name[-1] == '"':
        return '"' not in name[1:-1] and "\\" not in name[1:-1]
    return not _AMBIGUOUS.intersection(name)


def is_same_mailbox(address: str, email: str) -> bool:
    """Return whether two addresses lead to one mailbox, whatever their case and `+` tags."""
    return address_fingerprints.mailbox(address) == address_fingerprints.mailbox(email)


def dmarc_verdict(letter: Letter, authserv: str | None, domain: str) -> Verdict:
    """Return the DMARC result of our own mail server for this domain.

    It has passed only if every result says so for this domain. It has failed if any result says
    so, or has passed for another domain: then the server has read another From header.
    """
    results = _our_dmarc_results(letter, authserv) if authserv else []
    if results and all(result == ("pass", domain) for result in results):
        return Verdict.PASS
    failed = any(result[0] in ("pass", "fail") for result in results if result != ("pass", domain))
    return Verdict.FAIL if failed else Verdict.NONE


def _our_dmarc_results(letter: Letter, authserv: str) -> list[tuple[str, str]]:
    return [
        result
        for value in _trusted_results(letter.headers)
        for result in _dmarc(value, authserv)
        if len(value) < LONGEST_HEADER  # a longer one was cut
    ]


def _trusted_results(headers: Sequence[Header]) -> list[str]:
    """Return the Authentication-Results headers above the first Received header."""
    values: list[str] = []
    for header in headers:
        if header.name == "received":
            return values
        if header.name == "authentication-results":
            values.append(header.value)
    return []  # without a Received header no server of ours has handled it


def _dmarc(value: str, authserv: str) -> Iterator[tuple[str, str]]:
    """Yield the DMARC results in a header of this server, each with the domain that it is about."""
    server, *results = _sections(value)
    if server.lower().split(" ")[0] != authserv:
        return
    for result in results:
        words = [word.partition("=")[::2] for word in result.lower().split()]
        if words and words[0][0] == "dmarc":
            yield words[0][1], dict(words).get("header.from", "")


def _sections(value: str) -> list[str]:
    """Return the parts of a header between semicolons, without comments and quoted strings."""
    depth, quoted, skip = 0, False, False
    kept: list[str] = []
    for char in value:
        if skip:
            skip = False
        elif char == "\\":
            skip = True
        elif quoted or (char == '"' and not depth):
            quoted = char != '"' or not quoted
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= bool(depth)
        elif not depth:
            kept.append(char)
    text = "".join(kept)
    for spaced in (" = ", " =", "= "):
        text = text.replace(spaced, "=")
    return [" ".join(part.split()) for part in text.split(";")]
