"""Visitors for page tests: a fast one without JavaScript, and a real browser."""

import html
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page
from sqlalchemy import update
from werkzeug.test import TestResponse

from service.desk import Desk
from service.games.bots import house
from service.notify import mail_folder
from store.tables import accounts
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
_LEAST = re.compile(r'data-least="(\d+)"')
_THING = re.compile(r'name="(things-\d+)" value="([^"]*)"')
_NUMBERS = itertools.count(1)


class House(NamedTuple):
    """A server in this process, with house bots and mail into a folder."""

    app: Flask
    desk: Desk
    url: str

    def letter(self, to: str, subject: str) -> str:
        """Wait for an email to an address with this subject, and return the text of the newest."""
        letters: list[str] = []

        def look() -> bool:
            for letter in mail_folder.listed(self.desk.settings):
                if letter.recipient == to and subject in letter.subject:
                    opened = mail_folder.opened(self.desk.settings, letter.name)
                    letters.append(opened.text if opened else "")
                    return True
            return False

        until(look, f"a letter to {to} about {subject}")
        return letters[0]


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    """Run the server on the loopback interface, with its background workers."""
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
        desk.close()


def free_names(desk: Desk) -> None:
    """Let new accounts have the names of old ones.

    The tests of a process share a server, and which of them run in one process is left to chance.
    """
    with desk.database.writing() as tx:
        tx.execute(update(accounts).values(name_key=accounts.c.id))


@contextmanager
def visit(browser: Browser, house: House, sight: str = "desktop", **more: object) -> Iterator[Page]:
    """Open a browser window; errors in its console fail the test.

    Those that the pattern `expected` matches do not; all else is for the browser.
    """
    expected = str(more.pop("expected", ""))
    # Without smooth scrolling and animations there is nothing to wait for.
    still = {"base_url": house.url, "reduced_motion": "reduce"}
    chosen: dict[str, object] = {**SIGHTS[sight], **still, **more}
    context: BrowserContext = browser.new_context(**chosen)  # type: ignore[arg-type]  # as Playwright names them
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "console", lambda message: faults.append(message.text) if message.type == "error" else None
    )
    try:
        yield page
        assert [] == [fault for fault in faults if not (expected and re.search(expected, fault))]
    finally:
        context.close()


def violations(page: Page) -> list[str]:
    """Run axe on a page, past its content security policy, and return the violations."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    report = page.evaluate("rules => axe.run(document, {runOnly: rules})", RULES)
    return [
        f"{violation['id']}: {[node['html'][:120] for node in violation['nodes']]}"
        for violation in report["violations"]
    ]


def sign_up(page: Page, name: str) -> str:
    """Sign up with the form, and return the email address, which no other test uses."""
    address = f"{name.lower()}.{next(_NUMBERS)}@example.org"
    page.goto("/sign-in")
    form = page.locator("form[action='/sign-up']")
    form.get_by_label("Your name at the table").fill(name)
    form.get_by_label("Your email address").fill(address)
    with page.expect_response("**/sign-up") as answer:
        form.get_by_role("button").click()
    assert answer.value.status < 400, f"the name {name} or its address is refused"
    page.wait_for_url("**/games")
    return address


def without_tokens(text: str) -> str:
    """A page without its CSRF tokens, which are masked anew each time."""
    return _CSRF_TOKEN.sub("", text)


class Guest:
    """A visitor without JavaScript."""

    def __init__(self, app: Flask, name: str | None = None) -> None:
        self.app = app
        self.web: FlaskClient = app.test_client()
        if name is not None:
            answer = self.send("/sign-up", "/sign-in", name=name, email=self._address(name))
            assert 303 == answer.status_code, answer.text

    def _address(self, name: str) -> str:
        """The address of a guest; those of further guests of the same name have a number."""
        guests: Counter[str] = self.app.extensions.setdefault("guests", Counter())
        guests[name] += 1
        return f"{name.lower()}{guests[name] if guests[name] > 1 else ''}@example.org"

    def csrf_token(self, path: str) -> str:
        """The CSRF token in the forms of a page."""
        match = _CSRF_TOKEN.search(self.web.get(path).text)
        assert match is not None, path
        return match[1]

    def send(self, path: str, page: str = "/settings", **fields: object) -> TestResponse:
        """Send a form with the CSRF token of a page."""
        return self.web.post(path, data={"csrf_token": self.csrf_token(page), **fields})

    def game(self, **fields: object) -> str:
        """Open a table, and return the path of its page."""
        body = {"board": "usa", "seats": "2", "easy": "1", **fields}
        answer = self.send("/games/new", "/games/new", **body)
        assert 303 == answer.status_code, answer.text
        path = answer.headers["Location"].partition("#")[0]
        self._wait_for_house(path)
        return path

    def _wait_for_house(self, path: str) -> None:
        """Let the house play while it is its turn."""
        while house.play(self.app.extensions["nightmail"], path.rsplit("/", 1)[1]):
            pass

    def choices(self, path: str) -> list[dict[str, object]]:
        """List answers on a game page: each way, and the fewest or all things of a choice."""
        text = self.web.get(path).text
        things: dict[str, list[str]] = {}
        for name, value in _THING.findall(text):
            things.setdefault(name, []).append(html.unescape(value))
        least = dict(zip(things, map(int, _LEAST.findall(text)), strict=True))
        answers: list[dict[str, object]] = []
        for choice in map(html.unescape, _CHOICE.findall(text)):
            name = f"things-{choice}"
            if name not in things:
                answers.append({"choice": choice})
                continue
            few, many = things[name][: least[name]], things[name]
            answers += [{"choice": choice, name: some} for some in (few, many)]
        return answers

    def play(self, path: str, choice: str | dict[str, object], **fields: object) -> TestResponse:
        """Send the decision form of a game page: one of its answers, or a move in notation."""
        inputs = dict(re.findall(r'name="(asked|seen)" value="(\d+)"', self.web.get(path).text))
        chosen = {"choice": choice} if isinstance(choice, str) else choice
        shown = {"asked": "0", "seen": "0", **inputs, **chosen}
        answer = self.send(f"{path}/move", path, **{**shown, **fields})
        self._wait_for_house(path)
        return answer
