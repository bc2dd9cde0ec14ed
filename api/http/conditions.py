"""Conditional and idempotent requests: ETag, If-Match, If-None-Match, Idempotency-Key."""

import re

from flask import Response

from api.http.problems import Problem
from api.http.request import Request, current_request
from api.http.slips import request_slips

TAG = r'(?:W/)?"([\x21\x23-\x7e]*)"'
TAGS = re.compile(rf"\s*{TAG}\s*(?:,\s*{TAG}\s*)*")
VERSION = re.compile("([0-9]{1,9})(?:-[0-9]{1,9})?")
"""A game's ETag: its version, and a count of players joining or leaving, which moves ignore."""
KEY = re.compile(r"[\x20-\x7e]{1,255}")


def expected_versions() -> frozenset[int] | None:
    """Parse the versions in the If-Match header; None if any version will do.

    Weak tags count like strong ones: a proxy that compresses responses weakens their tags, and
    the version is the same either way.
    """
    header = current_request().headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    if not TAGS.fullmatch(header):
        raise Problem("unreadable", request_slips.unquoted_version(header))
    # A tag that is not a version of ours matches nothing.
    matches = (VERSION.fullmatch(tag) for tag in re.findall(TAG, header))
    return frozenset(int(match[1]) for match in matches if match)


def idempotency_key() -> str | None:
    """Read the Idempotency-Key header, under which the request may be repeated."""
    header = current_request().headers.get("Idempotency-Key")
    if header is not None and not KEY.fullmatch(header):
        raise Problem("unreadable", "Idempotency-Key must be 1 to 255 printable ASCII characters.")
    return header


def set_etag(tag: str) -> None:
    """Set the ETag of the response."""
    current_request().tag = quoted(tag)


def quoted(tag: str) -> str:
    """Quote a tag for use in a header."""
    return f'"{tag}"'


def unchanged(tag: str) -> bool:
    """Set the ETag of the response, and check whether the client has this version already."""
    set_etag(tag)
    return matches_etag(current_request(), tag)


def matches_etag(request: Request, tag: str) -> bool:
    """Check whether a request names this tag in If-None-Match."""
    header = request.headers.get("If-None-Match", "")
    return header == request.tag or header.strip() == "*" or tag in re.findall(TAG, header)


def not_modified() -> Response:
    """Make a 304 response."""
    return Response(status=304)
