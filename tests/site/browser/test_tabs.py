"""Many tabs of one browser, and tabs that were cut off from the server."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.api.serving import fresh_app
from tests.promises.support.web_server import listening
from tests.site.browser.browser_seat import Seat
from tests.site.visiting import Guest, House, sign_up, visit
from tests.support.child_servers import free_port

TABS = 11
"""More than the six connections that a browser opens to one host."""
NO_WORKERS = "delete window.SharedWorker"


def _against(other: Guest, page: Page, house: House) -> str:
    """Open a game on this page, let another player join it, and return its path."""
    page.goto("/games/new?board=usa")
    page.get_by_label("easy").select_option("0")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile(r"/games/[A-Za-z0-9_-]{10,}$"))
    path = page.url.removeprefix(house.url)
    other.send(f"{path}/join", "/games/open")
    expect(page.locator("#asked")).to_be_visible()
    return path


def test_eleven_open_games_share_one_stream(house: House, browser: Browser) -> None:
    """Eleven tabs follow their games without a reload, and no tab opens an event stream itself."""
    other = Guest(house.app, "Nora")
    with visit(browser, house) as page:
        sign_up(page, "Otto")
        context = page.context
        streams: list[str] = []
        context.on(
            "request", lambda sent: streams.append(sent.url) if "/news?" in sent.url else None
        )
        tabs = [page, *(context.new_page() for _ in range(TABS - 1))]
        paths = [_against(other, tab, house) for tab in tabs]
        for tab, path in zip(tabs, paths, strict=True):
            other.play(path, other.choices(path)[0])
            expect(tab.locator("#story")).to_contain_text("Nora has chosen tickets")

    assert [] == streams  # the shared worker opens the stream, not the tabs


def test_without_shared_workers_only_the_tab_in_sight_listens(
    house: House, browser: Browser
) -> None:
    """Without shared workers, a visible tab still follows its game."""
    other = Guest(house.app, "Pia")
    with visit(browser, house) as page:
        page.context.add_init_script(NO_WORKERS)
        sign_up(page, "Quin")
        path = _against(other, page, house)
        other.play(path, other.choices(path)[0])
        expect(page.locator("#story")).to_contain_text("Pia has chosen tickets")


def test_a_move_takes_one_fetch(house: House, browser: Browser) -> None:
    """A move takes one POST and the GET it redirects to; its own event causes no fetch."""
    other = Guest(house.app, "Rhea")
    with visit(browser, house) as page:
        sign_up(page, "Sven")
        path = _against(other, page, house)
        other.play(path, other.choices(path)[0])
        expect(page.locator("#story")).to_contain_text("Rhea has chosen tickets")
        fetched: list[str] = []
        page.on("request", lambda sent: fetched.append(_line(sent, house)))
        Seat(page, taps=False).tick(page.locator("#asked .things"))
        page.locator("#asked button").last.click()
        expect(page.locator('#asked[data-asked="0"]')).to_have_count(0)
        page.wait_for_timeout(1000)  # time for a late event about the move to cause a fetch

    assert [f"POST {path}/move", f"GET {path}"] == fetched


def _line(sent: Request, house: House) -> str:
    return f"{sent.method} {sent.url.removeprefix(house.url)}"


@pytest.mark.parametrize("script", ["", NO_WORKERS], ids=["shared", "alone"])
def test_a_lost_server_is_shown_and_heals(browser: Browser, tmp_path: Path, script: str) -> None:
    """A banner shows while the server is down; afterwards the page catches up with the game."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    app, desk = fresh_app(
        f"sqlite:///{tmp_path}/nightmail.db", DATA_DIR=str(tmp_path), PUBLIC_URL=url
    )
    house, other = House(app, desk, url), Guest(app, "Tess")
    context = browser.new_context(base_url=url)
    context.add_init_script(script)
    try:
        page = context.new_page()
        with listening(app, port):
            sign_up(page, "Ugo")
            path = _against(other, page, house)
            banner = page.locator(".offline-note")
            expect(banner).to_be_hidden()
        expect(banner).to_be_visible()
        other.play(path, other.choices(path)[0])
        with listening(app, port):
            expect(banner).to_be_hidden(timeout=20_000)
            expect(page.locator("#story")).to_contain_text("Tess has chosen tickets")
            page.goto("about:blank")
    finally:
        context.close()
        desk.close()
