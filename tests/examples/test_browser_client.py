"""The client of examples/browser-client in a real browser, from an origin of its own."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from store import tables
from tests.service.support.newcomers import rows
from tests.site.visiting import House, open_house, sign_up, violations, visit
from tests.support.waiting import until

CLIENT = Path(__file__).parents[2] / "examples" / "browser-client"
NAME = "Sample browser client"


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Serve a folder from another origin, and return its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def client() -> Iterator[str]:
    """The address of the client."""
    with _served(CLIENT) as address:
        yield address


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A running service."""
    with open_house(tmp_path_factory.mktemp("client")) as opened:
        yield opened


def _ask(page: Page, house: House, client: str) -> None:
    """Open the client, and let it send its user to the service."""
    page.goto(f"{client}?service={house.url}")
    page.get_by_role("button", name="Sign in").click()


def _connect(page: Page, house: House, client: str) -> None:
    _ask(page, house, client)
    page.get_by_role("button", name="Allow").click()
    page.wait_for_url(client)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.wait_for_load_state("networkidle")


def test_the_client_signs_in_and_plays(house: House, browser: Browser, client: str) -> None:
    """From another origin a newcomer signs up, agrees, opens a game and plays a move."""
    with visit(browser, house) as page:
        _ask(page, house, client)
        form = page.locator("form[action='/sign-up']")
        form.get_by_label("Your name at the table").fill("Cleo")
        form.get_by_role("button").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Connect an app?")
        expect(page.locator("main")).to_contain_text(f"{NAME} would like to use your account, Cleo")
        expect(page.locator("main")).to_contain_text(client.rstrip("/"))
        assert [] == violations(page)
        page.get_by_role("button", name="Allow").click()
        page.wait_for_url(client)  # neither the code nor the state stays in the address
        expect(page.locator("#name")).to_have_text("Cleo")

        _play(page, house)
        assert [] == violations(page)

        page.goto("/settings")
        expect(page.locator("#apps")).to_contain_text(NAME)
        page.goto(client)
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()
        page.goto("/settings")
        expect(page.locator("#apps")).to_contain_text("You have connected no apps.")


def _play(page: Page, house: House) -> None:
    """Open a game with the client, and keep all tickets."""
    page.get_by_role("button", name="New game against a bot").click()
    boxes = page.locator("#menu").get_by_role("checkbox")
    boxes.first.wait_for()
    # Both choose tickets at once; the bot's move would make the player's out of date.
    until(lambda: [(1,)] == rows(house.desk, tables.games, "version"), "the bot has chosen")
    page.reload()
    page.locator("#games button").click()
    boxes.first.wait_for()
    for box in boxes.all():
        box.check()
    page.locator("#menu").get_by_role("button", name="Play").click()
    expect(page.locator("#story li").first).to_contain_text("Cleo")


def test_who_denies_comes_back_without_access(house: House, browser: Browser, client: str) -> None:
    """The client shows the refusal; the page works without JavaScript of ours, too."""
    with visit(browser, house) as page:
        sign_up(page, "Dora")
        _ask(page, house, client)
        page.get_by_role("button", name="Deny").click()
        page.wait_for_url(client)
        expect(page.get_by_role("alert")).to_contain_text("denied")
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_a_disconnected_client_signs_in_again(house: House, browser: Browser, client: str) -> None:
    """When the player has disconnected the app, it notices, and offers to sign in."""
    with visit(browser, house, expected="401|400") as page:
        sign_up(page, "Elsa")
        _connect(page, house, client)
        page.goto("/settings")
        page.locator("#apps").get_by_role("button", name="Disconnect").click()
        expect(page.locator("#apps")).to_contain_text("Disconnected.")
        page.goto(client)
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_tokens_are_refreshed_once_for_all_tabs(
    house: House, browser: Browser, client: str
) -> None:
    """Two tabs whose token has run out refresh it once, and both go on."""
    with visit(browser, house) as page:
        sign_up(page, "Fay")
        _connect(page, house, client)
        old = page.evaluate(
            """() => {
              const session = JSON.parse(localStorage.session);
              localStorage.session = JSON.stringify({ ...session, until: 0 });
              return session.tokens.refresh_token;
            }"""
        )
        other = page.context.new_page()
        requests: list[str] = []
        for tab in (page, other):
            tab.on("request", lambda sent: requests.append(sent.url))
        page.evaluate("location.reload()")
        other.goto(client)
        for tab in (page, other):
            expect(tab.locator("#name")).to_have_text("Fay")
        assert 1 == len([url for url in requests if url.endswith("/oauth/token")])
        assert old != page.evaluate("JSON.parse(localStorage.session).tokens.refresh_token")


def test_the_client_refuses_answers_that_are_not_its_own(
    house: House, browser: Browser, client: str
) -> None:
    """An answer with another state, or of another server (mix-up), is not exchanged."""
    with visit(browser, house) as page:
        sign_up(page, "Gus")
        requests: list[str] = []
        page.on("request", lambda sent: requests.append(sent.url))
        for forged in ({"state": "forged"}, {"iss": "https://evil.example"}):
            _ask(page, house, client)
            expect(page.get_by_role("heading", level=1)).to_have_text("Connect an app?")
            state = dict(parse_qsl(urlsplit(page.url).query))["state"]
            answer = {"code": "nmc_x", "state": state, "iss": house.url} | forged
            page.goto(f"{client}?{urlencode(answer)}")
            expect(page.get_by_role("alert")).to_contain_text("does not belong to this sign-in")
        assert [] == [url for url in requests if url.endswith("/oauth/token")]
