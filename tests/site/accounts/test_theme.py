"""Light and dark colours: those of the system, or those chosen in a browser."""

import re

import pytest
from flask import Flask

from tests.site.visiting import Guest


def _style(guest: Guest, page: str = "/") -> str:
    (path,) = re.findall(r'<link rel="stylesheet" href="([^"]+)"', guest.web.get(page).text)
    return guest.web.get(path.replace("&amp;", "&")).text


def test_pages_follow_the_system_at_first(app: Flask) -> None:
    """Without a choice the style sheet has both themes, and the system decides."""
    style = _style(Guest(app))
    assert "(prefers-color-scheme: dark)" in style
    assert "(prefers-color-scheme: light)" in style


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_chosen_theme_stays(app: Flask, theme: str) -> None:
    """A chosen theme is used on every page whatever the system prefers, and leads back."""
    guest = Guest(app)
    answer = guest.send("/theme", "/games/open", theme=theme, next="/games/open?seats=2")
    assert (303, "/games/open?seats=2") == (answer.status_code, answer.headers["Location"])
    for page in ("/", "/boards"):
        style = _style(guest, page)
        assert "prefers-color-scheme" not in style
        assert f"color-scheme: {theme};" in style
        assert f'<meta name="color-scheme" content="{theme}">' in guest.web.get(page).text
    ground = {"dark": "#0d1220", "light": "#eef0f4"}
    style = _style(guest)
    media = style.index("@media all" if theme == "dark" else "@media not all")
    assert media < style.index(ground["dark"])
    assert ("theme=dark" in guest.web.get("/boards").text) == (theme == "dark")

    guest.send("/theme", "/", theme="system", next="/")
    assert "(prefers-color-scheme: dark)" in _style(guest)


def test_an_unknown_theme_is_that_of_the_system(app: Flask) -> None:
    """A theme that does not exist changes nothing, in the form, the cookie and the address."""
    guest = Guest(app)
    guest.send("/theme", "/", theme="pink", next="/")
    guest.web.set_cookie("theme", '"><script>')
    assert "(prefers-color-scheme: dark)" in _style(guest)
    assert "<script>" not in guest.web.get("/").text
    assert "(prefers-color-scheme: dark)" in guest.web.get("/pages.css?theme=pink").text


def test_signing_in_leads_back(app: Flask) -> None:
    """The link “Sign in” of a page leads back to it; that of the front page to the games."""
    guest = Guest(app)
    assert (
        'href="/sign-in?next=/games/open%3Fseats%3D2"' in guest.web.get("/games/open?seats=2").text
    )
    for page in ("/", "/sign-in", "/sign-in?next=/boards"):
        assert 'class="strong" href="/sign-in"' in guest.web.get(page).text
