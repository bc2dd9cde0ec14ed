"""Paging of long lists: cursors and `Link` headers."""

import base64
import re
from urllib.parse import urlencode

from flask import Response

from api.http.problems import Problem
from api.http.request import current_request

TIME_CURSOR = re.compile(r"([0-9TZ:.-]{1,32})\|([A-Za-z0-9]{1,64})", re.ASCII)
"""A cursor of most lists, which are sorted by time and then by id."""
RATING_CURSOR = re.compile(r"(-?[0-9]{1,6})\|([A-Za-z0-9]{1,64})", re.ASCII)
"""A cursor of the ladder, which is sorted by standing and then by player."""


def decode_cursor(
    cursor: str | None, pattern: re.Pattern[str] = TIME_CURSOR
) -> tuple[str, str] | None:
    """Return the sort key and the id that a cursor stands for."""
    if cursor is None:
        return None
    try:
        text = base64.urlsafe_b64decode(cursor.encode()).decode()
    except ValueError:
        text = ""
    if match := pattern.fullmatch(text):
        return match[1], match[2]
    raise Problem("unreadable", "The cursor is invalid; take it from a Link header.")


def encode_cursor(sort_key: object, id: str) -> str:
    """Make a cursor of a sort key and an id."""
    return base64.urlsafe_b64encode(f"{sort_key}|{id}".encode()).decode()


def link_next(response: Response, **more: object) -> None:
    """Add a `Link` header that leads to the next page."""
    request = current_request()
    query = urlencode({**request.args.to_dict(), **more})
    response.headers["Link"] = f'<{request.path}?{query}>; rel="next"'
