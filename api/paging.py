"""Long lists in parts: cursors and `Link` headers."""

import base64
import binascii
import json
from collections.abc import Sequence
from urllib.parse import urlencode

from flask import Response

from api.edge import asked
from api.problems import Problem


def place(cursor: str | None) -> tuple[str, str] | None:
    """Where in the list a cursor stands."""
    if cursor is None:
        return None
    try:
        found = json.loads(base64.urlsafe_b64decode(cursor.encode()))
    except (ValueError, binascii.Error):
        found = None
    match found:
        case [str(first), str(second)] if "\0" not in first + second:
            return first, second
    raise Problem("unreadable", "The cursor is none of ours; take it from a Link header.")


def link_next(response: Response, last: Sequence[str]) -> None:
    """Say where the list goes on after this place."""
    request = asked()
    cursor = base64.urlsafe_b64encode(json.dumps(list(last)).encode()).decode()
    query = urlencode({**request.args.to_dict(), "cursor": cursor})
    response.headers["Link"] = f'<{request.path}?{query}>; rel="next"'
