"""A tab that missed what has happened, in a real browser: it says who has moved, and shows it."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser.browser_seat import Seat
from tests.site.visiting import Guest, House, sign_up, visit

KEEPS_STILL = "**/news?*"
"""The stream that a page follows; without it a tab does not learn of moves."""


def _table(page: Page, house: House, name: str, other: str) -> tuple[str, Guest]:
    """A game with another player, at the choice of tickets; its path, and the other player."""
    page.route(KEEPS_STILL, lambda route: route.abort())
    page.context.add_init_script("delete window.SharedWorker")
    sign_up(page, name)
    guest = Guest(house.app, other)
    Seat(page, taps=False).open_table("USA", easy="0")
    path = re.sub(r"^https?://[^/]+", "", page.url)
    guest.send(f"{path}/join", "/games/open")
    page.reload()
    page.locator("#asked").wait_for()
    return path, guest


def _keep_tickets(page: Page) -> None:
    seat = Seat(page, taps=False)
    seat.tick(page.locator("#asked .things").first)
    page.get_by_role("button", name="Confirm").click()


@pytest.mark.parametrize("scripted", [True, False])
def test_a_second_tab_says_that_you_have_moved(
    house: House, browser: Browser, *, scripted: bool
) -> None:
    """After a move in one tab, the other one says so, shows the position, and plays nothing."""
    with visit(browser, house, expected="ERR_FAILED|412", java_script_enabled=True) as page:
        path, _ = _table(page, house, f"Vera{scripted}", f"Vito{scripted}")
        second = page.context.new_page()
        if not scripted:
            second.route("**/site/*.js", lambda route: route.abort())
        second.route(KEEPS_STILL, lambda route: route.abort())
        second.goto(path)
        _keep_tickets(page)
        expect(page.locator("#asked")).to_have_count(0)
        box = second.locator("#asked .things input[type=checkbox]").last
        for ticket in range(2 if scripted else 3):
            second.locator("#asked .things input[type=checkbox]").nth(ticket).check()
        box.check()
        second.get_by_role("button", name="Confirm").click()
        alert = second.locator(".alert")
        expect(alert).to_contain_text("You have already moved, in another window or by email.")
        expect(alert).to_contain_text("Here is the new position; your choice was not played.")
        expect(second.locator("#asked")).to_have_count(0)
        expect(second.locator("#tickets li")).to_have_count(2)


def test_a_stale_tab_names_who_has_moved(house: House, browser: Browser) -> None:
    """A choice for a turn that is long over gets the names of those who have moved since."""
    with visit(browser, house, expected="ERR_FAILED|412") as page:
        path, other = _table(page, house, "Wanda", "Wim")
        mine = Guest(house.app)
        for cookie in page.context.cookies():
            mine.web.set_cookie(cookie["name"], cookie["value"])
        other.play(path, other.choices(path)[0])
        mine.play(path, mine.choices(path)[0])
        mover, waiting = (mine, other) if mine.choices(path) else (other, mine)
        for player in (mover, waiting):
            player.play(path, "draw")
            player.play(path, "draw")
        _keep_tickets(page)
        alert = page.locator(".alert")
        expect(alert).to_contain_text("You have already moved")
        expect(alert).to_contain_text("Wim has moved since.")
        expect(page.locator("#score")).to_be_visible()
