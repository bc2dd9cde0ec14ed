"""Headers that make a request conditional or repeatable, and the tags they speak of."""

import re

from flask import Response

from api.http.edge import Request, asked
from api.http.problems import Problem

TAG = r'(?:W/)?"([\x21\x23-\x7e]*)"'
TAGS = re.compile(rf"\s*{TAG}\s*(?:,\s*{TAG}\s*)*")
VERSION = re.compile("([0-9]{1,9})(?:-[0-9]{1,9})?")
"""What stands after the version counts comings and goings at the table; moves do not mind them."""
KEY = re.compile(r"[\x20-\x7e]{1,255}")


def expected_versions() -> frozenset[int] | None:
    """The versions that If-Match names; None where any will do.

    A weak tag counts like a strong one: a proxy that compresses makes tags weak on the way out,
    and a version is the same version however it was packed.
    """
    said = asked().headers.get("If-Match")
    if said is None or said.strip() == "*":
        return None
    if not TAGS.fullmatch(said):
        raise Problem("unreadable", 'If-Match must be a version in quotes, such as "57".')
    # A tag that is no number of ours is no version, so it matches none.
    found = (VERSION.fullmatch(tag) for tag in re.findall(TAG, said))
    return frozenset(int(match[1]) for match in found if match)


def idempotency_key() -> str | None:
    """The key under which this request may be repeated."""
    said = asked().headers.get("Idempotency-Key")
    if said is not None and not KEY.fullmatch(said):
        raise Problem("unreadable", "Idempotency-Key must be 1 to 255 printable ASCII characters.")
    return said


def tell_tag(tag: str) -> None:
    """Let the answer carry this tag."""
    asked().tag = quoted(tag)


def quoted(tag: str) -> str:
    """A tag as headers write it."""
    return f'"{tag}"'


def unchanged(tag: str) -> bool:
    """Whether the caller has this version already; either way the answer will carry its tag."""
    tell_tag(tag)
    return has(asked(), tag)


def has(request: Request, tag: str) -> bool:
    """Whether a request names this tag in If-None-Match."""
    said = request.headers.get("If-None-Match", "")
    return said == request.tag or said.strip() == "*" or tag in re.findall(TAG, said)


def not_modified() -> Response:
    """The answer to somebody who has it already."""
    return Response(status=304)
