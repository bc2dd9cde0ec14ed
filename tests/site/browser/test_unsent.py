"""What is pressed without a network is kept, and sent once when the server can be reached."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from store.games import games
from tests.promises.support.web_server import running_web
from tests.site.browser.browser_seat import Seat
from tests.site.visiting import Guest, House, sign_up, violations, visit


def _turn(page: Page, name: str) -> str:
    """Come to the first turn of a game against a bot; return its path."""
    sign_up(page, name)
    seat = Seat(page, taps=False)
    seat.open_table("USA", easy="1")
    seat.tick(page.locator("#asked .things").first)
    page.get_by_role("button", name="Confirm").click()
    page.locator("#draw .slot").first.wait_for()
    return re.sub(r"^https?://[^/]+", "", page.url)


def _version(house: House, path: str) -> int:
    with house.desk.database.reading() as tx:
        table = games.table(tx, path.rsplit("/", 1)[1])
    assert table is not None
    return table.version


@contextmanager
def _no_network(context: BrowserContext) -> Iterator[None]:
    """Cut the network, as in a tunnel; the browser knows that it is offline."""
    context.set_offline(True)
    try:
        yield
    finally:
        context.set_offline(False)


def _card(page: Page) -> None:
    """Press an open card that is no locomotive."""
    page.locator("#draw [data-card]:not([data-card=locomotive])").first.click()


@pytest.mark.parametrize("sight", ["desktop", "phone"])
def test_a_card_taken_in_a_tunnel_is_sent_after_it(
    house: House, browser: Browser, sight: str
) -> None:
    """The choice stays visible while the network is away, and is played once when it is back."""
    with _visit(browser, house, sight) as page:
        path = _turn(page, f"Ugo{sight}")
        before = _version(house, path)
        with _no_network(page.context):
            _card(page)
            note = page.locator("[data-unsent]")
            expect(note).to_be_visible()
            expect(note).to_contain_text("It will be sent when you are online again")
            expect(note).to_contain_text("card")
            assert [] == violations(page)
            _card(page)  # a second press keeps the first choice
            assert before == _version(house, path)
        expect(page.locator(".turn")).to_have_text("Draw your second card.")
        expect(note).to_be_hidden()
        assert before + 1 == _version(house, path)


def test_a_kept_choice_can_be_called_off(house: House, browser: Browser) -> None:
    """“Don’t send it” forgets the choice: nothing is sent, and another one can be made."""
    with _visit(browser, house) as page:
        path = _turn(page, "Una")
        before = _version(house, path)
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.method))
        with _no_network(page.context):
            _card(page)
            expect(page.locator("[data-unsent]")).to_be_visible()
            page.get_by_role("button", name="Don’t send it").click()
            expect(page.locator("[data-unsent]")).to_be_hidden()
            sent.clear()
        page.locator("html:not(.offline)").wait_for()
        _card(page)
        expect(page.locator(".turn")).to_have_text("Draw your second card.")
        assert (1, before + 1) == (sent.count("POST"), _version(house, path))


def test_nothing_is_sent_if_something_else_is_asked(house: House, browser: Browser) -> None:
    """If the player has moved elsewhere meanwhile, the page shows that and sends nothing."""
    with _visit(browser, house) as page:
        path = _turn(page, "Uwe")
        elsewhere = page.context.browser
        assert elsewhere is not None
        other = Guest(house.app)
        for cookie in page.context.cookies():
            other.web.set_cookie(cookie["name"], cookie["value"])
        with _no_network(page.context):
            _card(page)
            expect(page.locator("[data-unsent]")).to_be_visible()
            assert 303 == other.play(path, "draw").status_code
            version = _version(house, path)
        changed = "The decision has changed. What you chose was not sent."
        expect(page.locator("[data-status]")).to_have_text(changed)
        expect(page.locator(".turn")).to_have_text("Draw your second card.")
        expect(page.locator("[data-unsent]")).to_be_hidden()
        assert version == _version(house, path)


def test_a_lost_answer_is_no_second_move(house: House, browser: Browser) -> None:
    """If the move has arrived and only its answer was lost, it is not sent again."""
    with _visit(browser, house) as page:
        path = _turn(page, "Ulf")
        before = _version(house, path)

        def lose_answer(route: Route) -> None:
            route.fetch(max_redirects=0)
            route.abort("connectionreset")

        page.route("**/move", lose_answer, times=1)
        _card(page)
        expect(page.locator(".turn")).to_have_text("Draw your second card.")
        expect(page.locator("[data-unsent]")).to_be_hidden()
        assert before + 1 == _version(house, path)


def test_a_server_behind_a_proxy_that_is_away_is_waited_for(house: House, browser: Browser) -> None:
    """An error page of a proxy does not replace the game; the move is sent when it is gone."""
    with _visit(browser, house) as page:
        path = _turn(page, "Uta")
        before = _version(house, path)
        page.route("**/move", lambda route: route.fulfill(status=502, body="Bad gateway"), times=1)
        _card(page)
        expect(page.locator("[data-unsent]")).to_be_visible()
        expect(page.locator(".turn")).to_have_text("Draw your second card.")
        assert before + 1 == _version(house, path)


def test_a_message_waits_as_well(house: House, browser: Browser) -> None:
    """A message to the table that could not be sent is posted once when the network is back."""
    with _visit(browser, house) as page:
        _turn(page, "Ule")
        with _no_network(page.context):
            page.locator("#talk input[name=text]").fill("Hello from the tunnel")
            page.get_by_role("button", name="Send").click()
            expect(page.locator("[data-unsent]")).to_contain_text("Hello from the tunnel")
        expect(page.locator("#talk ol")).to_contain_text("Hello from the tunnel")
        expect(page.locator("#talk input[name=text]")).to_have_value("")
        expect(page.locator("#talk li")).to_have_count(1)


@contextmanager
def _visit(browser: Browser, house: House, sight: str = "desktop") -> Iterator[Page]:
    """Open a window in which failing requests are expected, and other errors are not."""
    with visit(browser, house, sight, expected=r"net::ERR|status of 502|Failed to load") as page:
        yield page


def test_a_server_that_is_gone_and_comes_back(browser: Browser, tmp_path: Path) -> None:
    """A choice that was pressed while the server was down is played once when it runs again."""
    with running_web(f"sqlite:///{tmp_path}/nightmail.db", "serve") as web:
        house = House(Flask("none"), None, f"http://127.0.0.1:{web.port}")  # type: ignore[arg-type]  # it runs in a process of its own
        with _visit(browser, house) as page:
            _turn(page, "Ute")
            web.stop()
            _card(page)
            expect(page.locator("[data-unsent]")).to_be_visible()
            web.start()
            expect(page.locator(".turn")).to_have_text("Draw your second card.", timeout=20_000)
            expect(page.locator("[data-unsent]")).to_be_hidden()
            page.reload()
            expect(page.locator(".turn")).to_have_text("Draw your second card.")
