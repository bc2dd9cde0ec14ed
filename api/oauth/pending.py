"""Keeps an authorization request in a cookie while its reader signs in, which may take a letter.

The request is too long for the link in that letter. It also belongs to this browser: the app that
sent it waits here. The cookie holds nothing but the query, which is checked again when it returns.
"""

import re

from flask import Response

from api.http.desk import desk
from api.http.request import current_request

LONGEST_QUERY = 3000
"""Bytes of an authorization request, which must fit into a cookie."""
QUERY = re.compile(f"[!-~]{{1,{LONGEST_QUERY}}}")
SECONDS = 3600
"""As long as the link in a sign-in letter is valid."""


def keep(response: Response) -> Response:
    """Keep the query of the current request."""
    query = current_request().query_string.decode("ascii", "replace")
    response.set_cookie(_name(), query, SECONDS, secure=_is_secure(), httponly=True, samesite="Lax")
    return response


def kept_query() -> str:
    """Return the query that was kept; empty if there is none."""
    query = current_request().cookies.get(_name(), "")
    return query if QUERY.fullmatch(query) else ""


def drop(response: Response) -> Response:
    """Forget the query, if one is kept."""
    if kept_query():
        response.delete_cookie(_name(), secure=_is_secure(), httponly=True, samesite="Lax")
    return response


def _name() -> str:
    # Not `nightmail-…`: that is a session for a seat, and those end when somebody signs in.
    return "__Host-nightmail_request" if _is_secure() else "nightmail_request"


def _is_secure() -> bool:
    return desk().settings.public_url.startswith("https:")
