"""The colours of pages: those of the system, or light or dark ones chosen in this browser."""

from flask import Response

from api.http.request import current_request

SYSTEM = "system"
THEMES = (SYSTEM, "light", "dark")
COOKIE = "theme"
AGE = 365 * 24 * 3600


def current_theme() -> str:
    """Return the theme that was chosen in this browser."""
    chosen = current_request().cookies.get(COOKIE, SYSTEM)
    return chosen if chosen in THEMES else SYSTEM


def set_theme(response: Response, theme: str, *, secure: bool) -> Response:
    """Keep a theme in this browser; that of the system needs no cookie."""
    if theme in THEMES and theme != SYSTEM:
        response.set_cookie(COOKIE, theme, AGE, secure=secure, httponly=True, samesite="Lax")
    else:
        response.delete_cookie(COOKIE, secure=secure, httponly=True, samesite="Lax")
    return response


def themed(style: str, theme: str) -> str:
    """Return a style sheet in which the chosen theme stands in for that of the system."""
    if theme not in THEMES or theme == SYSTEM:
        return style
    other = "light" if theme == "dark" else "dark"
    style = style.replace(f"(prefers-color-scheme: {theme})", "all")
    style = style.replace(f"(prefers-color-scheme: {other})", "not all")
    return style.replace("color-scheme: light dark", f"color-scheme: {theme}")
