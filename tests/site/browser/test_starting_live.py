"""A table that begins while its page is open: the page becomes the whole game, scripts and all."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser.browser_seat import MIDDLE, Seat
from tests.site.visiting import House, sign_up, violations, visit
from tests.support.waiting import until

PARTS = (
    *("#strip", "#turn", "#hand", "#board", "#play-side", "#asked", "#market"),
    *("#facts", "#score", "#story", "#talk", "#fair-play", ".zoom", ".views", "[data-sound]"),
)
"""What a game page consists of."""


@pytest.mark.parametrize("sight", ["desktop", "phone"])
def test_two_people_start_a_game(house: House, browser: Browser, sight: str) -> None:
    """When the second player sits down, both see the whole page, and everything on it works."""
    with visit(browser, house, sight) as host, visit(browser, house, sight) as guest:
        sign_up(host, f"Hanna{sight}")
        Seat(host, taps=sight == "phone").open_table("USA", easy="0")
        host.evaluate("window.same = true")
        sign_up(guest, f"Gus{sight}")
        guest.goto(re.sub(r"^https?://[^/]+", "", host.url))
        guest.get_by_label("pink").check()
        guest.get_by_role("button", name="Take a seat").click()
        expect(host.locator("#asked")).to_be_visible()
        parts = [_parts(page) for page in (host, guest)]
        assert parts[0] == parts[1]
        assert parts[0] == [part for part in PARTS if part != "#market"]
        for page in (host, guest):
            _keep_tickets(page, sight)
        mover = _mover(host, guest)
        _everything_works(mover, sight)
        assert host.evaluate("same")
        assert [] == violations(host)


def _parts(page: Page) -> list[str]:
    return [part for part in PARTS if page.locator(part).count()]


def _keep_tickets(page: Page, sight: str) -> None:
    seat = Seat(page, taps=sight == "phone")
    seat.tick(page.locator("#asked .things").first)
    seat.press(page.get_by_role("button", name="Confirm"))
    page.locator("#hand").wait_for()


def _mover(host: Page, guest: Page) -> Page:
    """The player whose turn it is, as soon as a page shows it."""
    until(lambda: any(page.locator("#draw").count() for page in (host, guest)), "a first turn")
    return host if host.locator("#draw").count() else guest


def _everything_works(page: Page, sight: str) -> None:
    """Zoom, a ticket, a route and its way back, a card, and a message; the title says it all."""
    seat = Seat(page, taps=sight == "phone")
    assert page.title().startswith("(1) ")
    before = page.locator("#board svg").get_attribute("viewBox")
    seat.press(page.get_by_role("button", name="Larger"))
    assert before != page.locator("#board svg").get_attribute("viewBox")
    seat.press(page.get_by_role("button", name="Fit"))
    drawn = page.locator("#board .route.can").first
    if sight == "desktop":
        page.mouse.click(*drawn.evaluate(MIDDLE))
        expect(page.locator(".picked input[name=choice]").first).to_be_checked()
        page.keyboard.press("Escape")
        page.locator("#tickets .ticket").first.click()
        expect(page.locator("#tickets .ticket").first).to_have_attribute("aria-pressed", "true")
    seat.take_card()
    if sight == "phone":
        page.get_by_role("radio", name="Talk").check()
    page.locator("#talk input[name=text]").fill("Good evening!")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#talk ol")).to_contain_text("Good evening!")
