"""Visitors to our pages: with a plain client, which is quick, and with a real browser."""

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page
from werkzeug.test import TestResponse

from service.desk import Desk
from service.games import house
from service.notify import mail_folder
from tests.api.serving import fresh_app
from tests.promises.support.web_server import listening
from tests.support.child_servers import free_port
from tests.support.waiting import until
from workers.background.background import Background

AXE = Path(__file__).parents[2] / ".venv/node/node_modules/axe-core/axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIGHTS: dict[str, dict[str, object]] = {
    "desktop": {"viewport": {"width": 1360, "height": 900}},
    "phone": {"viewport": {"width": 360, "height": 740}, "has_touch": True},
}
_CSRF_TOKEN = re.compile(r'name="csrf_token" value="([0-9a-f]+)"')
_CHOICE = re.compile(r'name="choice" value="([^"]*)"')


class House(NamedTuple):
    """A service in this process that plays for the house and delivers mail into a folder."""

    app: Flask
    desk: Desk
    url: str

    def letter(self, to: str, subject: str) -> str:
        """The text of the newest letter to somebody, as soon as it is there."""
        found: list[str] = []

        def look() -> bool:
            for one in mail_folder.listed(self.desk.settings):
                if one.recipient == to and subject in one.subject:
                    opened = mail_folder.opened(self.desk.settings, one.name)
                    found.append(opened.text if opened else "")
                    return True
            return False

        until(look, f"a letter to {to} about {subject}")
        return found[0]


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    """The pages on a socket of the loopback, with everybody who works there."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    app, desk = fresh_app(f"sqlite:///{folder}/nightmail.db", DATA_DIR=str(folder), PUBLIC_URL=url)
    background = Background(desk)
    app.extensions["nightmail"] = desk = background.desk
    background.start()
    try:
        with listening(app, port):
            yield House(app, desk, url)
    finally:
        background.stop()
        desk.database.close()


@contextmanager
def visit(browser: Browser, house: House, sight: str = "desktop", **more: object) -> Iterator[Page]:
    """A page in a window of its own; whatever goes wrong in it is a fault of the test."""
    # Nothing moves softly, so that nobody has to wait for it.
    still = {"base_url": house.url, "reduced_motion": "reduce"}
    chosen: dict[str, object] = {**SIGHTS[sight], **still, **more}
    context: BrowserContext = browser.new_context(**chosen)  # type: ignore[arg-type]  # as Playwright names them
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    try:
        yield page
        assert [] == faults
    finally:
        context.close()


def violations(page: Page) -> list[str]:
    """What axe has to say about a page; it is put there past the page's policy."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
    return [
        f"{one['id']}: {[node['html'][:120] for node in one['nodes']]}"
        for one in found["violations"]
    ]


def sign_up(page: Page, name: str) -> str:
    """Become somebody, by hand; the address."""
    address = f"{name.lower()}@example.org"
    page.goto("/sign-in")
    form = page.locator("form[action='/sign-up']")
    form.get_by_label("Your name at the table").fill(name)
    form.get_by_label("Your email address").fill(address)
    form.get_by_role("button").click()
    page.wait_for_url("**/games")
    return address


class Guest:
    """Somebody with a browser that runs no script."""

    def __init__(self, app: Flask, name: str | None = None) -> None:
        self.app = app
        self.web: FlaskClient = app.test_client()
        if name is not None:
            given = {"name": name, "email": f"{name.lower()}@example.org"}
            self.send("/sign-up", "/sign-in", **given)

    def csrf_token(self, path: str) -> str:
        """The CSRF token in the forms of a page."""
        found = _CSRF_TOKEN.search(self.web.get(path).text)
        assert found is not None, path
        return found[1]

    def send(self, path: str, page: str = "/settings", **fields: object) -> TestResponse:
        """Send a form of ours."""
        return self.web.post(path, data={"csrf_token": self.csrf_token(page), **fields})

    def game(self, **fields: object) -> str:
        """Open a table; the path of its page."""
        wanted = {"board": "usa", "seats": "2", "easy": "1", **fields}
        answer = self.send("/games/new", "/games/new", **wanted)
        assert 303 == answer.status_code, answer.text
        path = answer.headers["Location"].partition("#")[0]
        self._wait_for_house(path)
        return path

    def _wait_for_house(self, path: str) -> None:
        """Let the house play as long as it is its turn."""
        while house.play(self.app.extensions["nightmail"], path.rsplit("/", 1)[1]):
            pass

    def choices(self, path: str) -> list[str]:
        """What can be chosen on the page of a game."""
        return [html.unescape(found) for found in _CHOICE.findall(self.web.get(path).text)]

    def play(self, path: str, choice: str, **fields: object) -> TestResponse:
        """Send the form of a decision."""
        found = dict(re.findall(r'name="(asked|seen)" value="(\d+)"', self.web.get(path).text))
        shown = {"asked": "0", "seen": "0", **found, "choice": choice}
        answer = self.send(f"{path}/move", path, **{**shown, **fields})
        self._wait_for_house(path)
        return answer
