"""Long lists in parts: cursors and `Link` headers."""

import base64
import re
from urllib.parse import urlencode

from flask import Response

from api.http.edge import asked
from api.http.problems import Problem

PLACE = re.compile(r"([0-9TZ:.-]{1,32})\|([A-Za-z0-9]{1,64})", re.ASCII)
"""What lists are sorted by: a time, and an id for those of the same moment."""
RUNG = re.compile(r"(-?[0-9]{1,6})\|([A-Za-z0-9]{1,64})", re.ASCII)
"""What the ladder is sorted by: a number, and a player for those of the same strength."""


def place(cursor: str | None, form: re.Pattern[str] = PLACE) -> tuple[str, str] | None:
    """Where in the list a cursor stands."""
    if cursor is None:
        return None
    try:
        said = base64.urlsafe_b64decode(cursor.encode()).decode()
    except ValueError:
        said = ""
    if match := form.fullmatch(said):
        return match[1], match[2]
    raise Problem("unreadable", "The cursor is none of ours; take it from a Link header.")


def cursor(first: object, id: str) -> str:
    """The cursor for this place."""
    return base64.urlsafe_b64encode(f"{first}|{id}".encode()).decode()


def link_next(response: Response, **more: object) -> None:
    """Say with which query the list goes on."""
    request = asked()
    query = urlencode({**request.args.to_dict(), **more})
    response.headers["Link"] = f'<{request.path}?{query}>; rel="next"'
