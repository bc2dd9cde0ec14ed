"""Installing the pages as an app: the manifest, its icons, and what the browser says to them."""

import io
import json

from flask import Flask
from PIL import Image
from playwright.sync_api import Browser

from tests.site.visiting import House, visit
from tools.icons import FOLDER, icons

MIDDLE = 0.8
"""The diameter of the circle that every mask leaves, compared with the icon."""


def test_the_pages_can_be_installed(app: Flask) -> None:
    """The manifest and its icon are served as what they are, and every page names them."""
    web = app.test_client()
    manifest = web.get("/site/manifest.webmanifest")

    assert "application/manifest+json" == manifest.mimetype
    for icon in json.loads(manifest.text)["icons"]:
        answer = web.get(icon["src"])
        assert (200, icon["type"]) == (answer.status_code, answer.mimetype)
        if icon["type"] == "image/png":
            size = Image.open(io.BytesIO(answer.data)).size
            assert icon["sizes"] == "{}x{}".format(*size)
    assert '<link rel="manifest" href="/site/manifest.webmanifest">' in web.get("/").text
    assert "manifest-src 'self'" in web.get("/").headers["Content-Security-Policy"]
    assert "/" == web.get("/site/offline.js").headers["Service-Worker-Allowed"]


def test_there_are_icons_of_every_kind(app: Flask) -> None:
    """Browsers ask for 192 and 512 pixels, and for an icon that can be cut to a shape."""
    listed = json.loads(app.test_client().get("/site/manifest.webmanifest").text)["icons"]
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= {
        (icon["sizes"], icon["purpose"]) for icon in listed
    }


def test_the_icons_are_those_of_the_sign() -> None:
    """The PNG files are what `python -m tools.icons` makes of `icon.svg`."""
    for name, content in icons().items():
        assert content == (FOLDER / name).read_bytes(), f"run python -m tools.icons for {name}"


def test_a_mask_cuts_off_nothing_but_background() -> None:
    """A maskable icon is opaque, and has one colour outside of the middle circle."""
    icon = Image.open(io.BytesIO(icons()["icon-maskable-512.png"])).convert("RGBA")
    size = icon.width
    outside = {
        icon.getpixel((x, y))
        for x in range(0, size, 4)
        for y in range(0, size, 4)
        if (x - size / 2) ** 2 + (y - size / 2) ** 2 > (MIDDLE * size / 2) ** 2
    }
    assert {(20, 28, 51, 255)} == outside


def test_the_browser_would_install_them(house: House, browser: Browser) -> None:
    """Chromium finds nothing that keeps it from installing the pages."""
    with visit(browser, house) as page:
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        chromium = page.context.new_cdp_session(page)
        assert [] == chromium.send("Page.getAppManifest")["errors"]
        errors = chromium.send("Page.getInstallabilityErrors")["installabilityErrors"]
        # Windows of tests are private ones, in which nothing is installed.
        assert {"in-incognito"} >= {error["errorId"] for error in errors}
