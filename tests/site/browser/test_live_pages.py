"""Live game pages in a real browser, also on a bad network."""

from playwright.sync_api import Browser, expect

from tests.site.browser.browser_seat import Seat, open_table
from tests.site.visiting import Guest, House, sign_up, visit


def test_a_page_follows_the_game(house: House, browser: Browser) -> None:
    """A page shows others' moves without a reload, and keeps a half-typed text and the focus."""
    other = Guest(house.app, "Dora")
    with visit(browser, house) as page:
        sign_up(page, "Eli")
        open_table(page, "Europe")
        expect(page.locator("#seats")).to_contain_text("one more player")
        other.send(page.url.removeprefix(house.url) + "/join", "/games/open")
        expect(page.locator("#asked")).to_be_visible()
        page.locator("#talk input[name=text]").fill("half a sen")
        page.locator("#board").evaluate("board => { board.className += ' old'; board.focus(); }")
        path = page.url.removeprefix(house.url)
        other.play(path, other.choices(path)[0])
        expect(page.locator("#story")).to_contain_text("Dora has chosen tickets")
        expect(page.locator("#board.old")).to_have_count(0)
        expect(page.locator("#board")).to_be_focused()
        expect(page.locator("#talk input[name=text]")).to_have_value("half a sen")


LAYOUT = """() => [
    ...["main", "header.sign > div", "footer"].map(
        wanted => document.querySelector(wanted).className),
    ...[...document.querySelector("main").children].map(part => part.className || part.outerHTML),
    document.querySelector("#board").clientWidth,
]"""
"""The classes of the page's parts, what surrounds the live part, and the width of the board."""


def test_a_table_that_begins_gets_its_layout_without_a_reload(
    house: House, browser: Browser
) -> None:
    """When a game starts, the live page has the same layout as after a reload."""
    other = Guest(house.app, "Jan")
    with visit(browser, house) as page:
        sign_up(page, "Kim")
        open_table(page, "Europe")
        other.send(page.url.removeprefix(house.url) + "/join", "/games/open")
        expect(page.locator("#asked")).to_be_visible()
        live = page.evaluate(LAYOUT)
        page.reload()
        assert live == page.evaluate(LAYOUT)


FAILING = """times => {
    const real = window.fetch;
    window.fetch = (...args) =>
        times-- > 0 ? Promise.reject(new TypeError("away")) : real(...args);
}"""


def test_a_page_bears_a_bad_network(house: House, browser: Browser) -> None:
    """After a failed fetch, updates and messages still get through; an error page is shown."""
    other = Guest(house.app, "Hal")
    with visit(browser, house) as page:
        sign_up(page, "Ina")
        open_table(page, "Europe")
        path = page.url.removeprefix(house.url)
        other.send(path + "/join", "/games/open")
        expect(page.locator("#asked")).to_be_visible()
        page.locator("#board [data-route]").first.dispatch_event("click")
        why = "You can’t claim this now: You can claim a route only as the action of your turn."
        expect(page.locator("[data-status]")).to_have_text(why)
        page.evaluate(FAILING, 1)
        other.play(path, other.choices(path)[0])
        expect(page.locator("#story")).to_contain_text("Hal has chosen tickets")
        written = page.locator("#talk input[name=text]")
        for text, times in (("with script", 0), ("without", 1)):
            page.evaluate(FAILING, times)
            written.fill(text)
            page.get_by_role("button", name="Send").click()
            expect(page.locator("#talk ol")).to_contain_text(text)
            expect(written).to_have_value("")
        other_page = "<html lang=en><title>No</title><main><h1>Not so fast</h1></main></html>"
        page.route("**/say", lambda route: route.fulfill(body=other_page, content_type="text/html"))
        written.fill("too much")
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Not so fast")


def test_a_tab_is_named_after_what_is_in_it(house: House, browser: Browser) -> None:
    """The tab of the players becomes that of the tickets, as soon as there are any."""
    with visit(browser, house, "phone") as page:
        sign_up(page, "Gil")
        seat = Seat(page, taps=True)
        seat.open_table("Germany", easy="1")
        expect(page.locator(".views label")).to_contain_text(["Market", "Players", "Log"])
        page.locator("#choose input[name=choice]").first.tap()
        page.get_by_role("button", name="Confirm").tap()
        expect(page.locator(".views label")).to_contain_text(["Market", "Tickets", "Log"])
