"""Session cookies: one for the signed-in visitor, and one for each game with a seat session."""

import re

from flask import Response

from api.http.desk import desk
from api.http.request import Id, current_request
from service.links import seat_sessions
from service.people import sessions


def cookie_name() -> str:
    """Return the session cookie's name; with `__Host-` no other host can set it."""
    return "__Host-nightmail" if _is_secure() else "nightmail"


def _seat_cookie_name(game: str) -> str:
    return f"{cookie_name()}-{game}"


def _is_secure() -> bool:
    return desk().settings.public_url.startswith("https:")


def session_cookie() -> str | None:
    """Return the cookie of the signed-in visitor."""
    return current_request().cookies.get(cookie_name())


def seat_cookie(game: str) -> str | None:
    """Return the cookie of a session for one seat of this game."""
    return current_request().cookies.get(_seat_cookie_name(game))


def set_session_cookie(response: Response, token: str) -> Response:
    """Sign the browser in; its sessions for seats end."""
    _end_seat_sessions(response)
    return _set(response, cookie_name(), token, int(sessions.LIFETIME.total_seconds()))


def set_seat_cookie(response: Response, game: str, token: str) -> Response:
    """Let the browser act for one seat of this game."""
    age = int(seat_sessions.LIFETIME.total_seconds())
    return _set(response, _seat_cookie_name(game), token, age)


def clear_session_cookie(response: Response) -> Response:
    """Sign the browser out; its sessions for seats end, too."""
    _end_seat_sessions(response)
    return _clear(response, cookie_name())


def clear_seat_cookie(response: Response, game: str) -> Response:
    """Delete the cookie of a session for one seat of this game."""
    return _clear(response, _seat_cookie_name(game))


def _end_seat_sessions(response: Response) -> None:
    """End all sessions for seats of this browser, and delete their cookies."""
    seat_cookie = re.compile(re.escape(_seat_cookie_name("")) + f"({Id.regex})")
    for name, cookie in current_request().cookies.items():
        if match := seat_cookie.fullmatch(name):
            if visit := seat_sessions.visit_of(desk(), cookie, match[1]):
                seat_sessions.end(desk(), visit.session)
            _clear(response, name)


def _set(response: Response, name: str, value: str, age: int) -> Response:
    response.set_cookie(name, value, age, secure=_is_secure(), httponly=True, samesite="Lax")
    return response


def _clear(response: Response, name: str) -> Response:
    response.delete_cookie(name, secure=_is_secure(), httponly=True, samesite="Lax")
    return response
