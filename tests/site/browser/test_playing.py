"""Playing with few presses: cards, claims, and tickets on the board, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from store.games import games
from tests.site.browser.browser_seat import MIDDLE, Seat
from tests.site.visiting import House, sign_up, violations, visit

COUNT = "window.presses = 0; addEventListener('click', event => presses += event.isTrusted, true)"
"""Counts the presses of the mouse and of keys that press a button."""


def _presses(page: Page) -> int:
    return int(page.evaluate("presses"))


def _turn(page: Page, house: House, name: str, board: str = "USA") -> Callable[[], int]:
    """Come to the first turn of a game; the result counts its moves."""
    sign_up(page, name)
    seat = Seat(page, taps=False)
    seat.open_table(board, easy="1")
    seat.tick(page.locator("#asked .things").first)
    page.get_by_role("button", name="Confirm").click()
    page.locator("#draw .slot").first.wait_for()
    page.evaluate(COUNT)
    game = page.url.rsplit("/", 1)[1]

    def version() -> int:
        with house.desk.database.reading() as tx:
            table = games.table(tx, game)
        assert table is not None
        return table.version

    return version


def test_two_cards_take_two_presses(house: House, browser: Browser) -> None:
    """A card of the market or of the deck is taken with one press, and the turn is over."""
    with visit(browser, house) as page:
        _turn(page, house, "Tove")
        deck = page.locator("#draw [data-blind]")
        deck.click()
        expect(page.locator(".turn")).to_have_text("Draw your second card.")
        page.locator("html.resting").wait_for(state="detached")
        page.locator("#draw [data-card]:not([data-card=locomotive])").first.click()
        expect(page.locator(".turn")).not_to_have_text("Draw your second card.")
        assert (2, 0) == (_presses(page), page.evaluate("scrollY"))


def test_a_claim_takes_two_presses(house: House, browser: Browser) -> None:
    """A route is pressed on the board, its thriftiest payment is chosen, and one press confirms."""
    with visit(browser, house) as page:
        _turn(page, house, "Toni")
        routes = page.locator("#board .route.can")
        route = routes.first.get_attribute("data-route")
        page.mouse.click(*routes.first.evaluate(MIDDLE))
        ways = page.locator(".picked input[name=choice]")
        expect(ways.first).to_be_checked()
        page.keyboard.press("Escape")
        expect(page.locator("[data-chosen]")).to_have_text(
            "Choose here, or click a route on the board."
        )
        expect(page.locator("#choose input:checked")).to_have_count(0)
        page.evaluate("presses = 0")
        page.mouse.click(*routes.first.evaluate(MIDDLE))
        expect(ways.first).to_be_checked()
        page.get_by_role("button", name="Confirm").click()
        expect(page.locator(f"#route-{route} title")).to_contain_text("claimed by Toni")
        assert (2, 0) == (_presses(page), page.evaluate("scrollY"))


def test_a_draw_from_the_deck_can_be_cancelled(house: House, browser: Browser) -> None:
    """For a moment nothing is sent; then “Cancel” or Escape takes the press back."""
    with visit(browser, house) as page:
        version = _turn(page, house, "Tara")
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.method))
        page.clock.install()
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))
        before, deck = version(), page.locator("#draw [data-blind]")
        deck.click()
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
        expect(deck).to_be_focused()
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        page.clock.run_for(5000)
        assert (before, []) == (version(), sent)
        deck.click()
        page.clock.run_for(1500)
        expect(page.locator(".turn")).to_have_text("Draw your second card.")


@pytest.mark.parametrize("slot", ["[data-blind]", "[data-card]:not([data-card=locomotive])"])
def test_a_double_press_draws_one_card(house: House, browser: Browser, slot: str) -> None:
    """Pressed twice in quick succession, the deck or an open card is drawn once."""
    with visit(browser, house) as page:
        version = _turn(page, house, f"Dot{len(slot)}")
        before = version()
        page.locator(f"#draw {slot}").first.dblclick(delay=20)
        expect(page.locator(".turn")).to_have_text("Draw your second card.")
        page.locator("html.resting").wait_for(state="detached")
        assert before + 1 == version()


def test_a_slow_double_press_draws_one_card(house: House, browser: Browser) -> None:
    """A second press right after the answer has come does nothing; a later one counts."""
    with visit(browser, house) as page:
        version = _turn(page, house, "Dora2")
        before = version()
        box = page.locator("#draw [data-card]:not([data-card=locomotive])").first.bounding_box()
        assert box is not None
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.clock.install()
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))
        page.mouse.click(*middle)
        expect(page.locator(".turn")).to_have_text("Draw your second card.")
        page.locator("html.busy").wait_for(state="detached")
        page.mouse.click(*middle)
        page.locator("#draw .slot").first.evaluate("slot => slot.click()")
        page.clock.run_for(2000)
        page.locator("html.busy").wait_for(state="detached")
        assert before + 1 == version()
        page.locator("#draw [data-card]").first.click()
        expect(page.locator(".turn")).not_to_have_text("Draw your second card.")


def test_a_double_press_draws_one_card_without_script(house: House, browser: Browser) -> None:
    """The second form has the same key as the first, so it makes no move of its own."""
    with visit(browser, house, java_script_enabled=False) as page:
        sign_up(page, "Dita")
        seat = Seat(page, taps=False)
        seat.open_table("USA", easy="1")
        seat.tick(page.locator("#asked .things").first)
        page.get_by_role("button", name="Confirm").click()
        while not page.locator("#draw .slot").count():
            page.reload()
        page.locator("#draw [data-card]:not([data-card=locomotive])").first.dblclick()
        expect(page.locator(".turn")).to_have_text("Draw your second card.")
        page.reload()
        expect(page.locator(".turn")).to_have_text("Draw your second card.")


def test_a_ticket_shows_itself_on_the_board(house: House, browser: Browser) -> None:
    """Pointing at a ticket, focusing or pressing it marks its cities and a free way."""
    with visit(browser, house) as page:
        _turn(page, house, "Tilda")
        ticket = page.locator("#tickets .ticket").first
        letter = ticket.locator(".letter").inner_text()
        cities = str(ticket.get_attribute("data-cities")).split()
        way = str(ticket.get_attribute("data-way")).split()
        marked, path = page.locator("#board .at-end"), page.locator("#board .on-way")
        expect(marked).to_have_count(0)
        ticket.hover()
        expect(marked).to_have_count(len(cities))
        expect(path).to_have_count(len(way))
        assert way
        for city in cities:
            expect(page.locator(f"#city-{city}")).to_contain_text(letter)
        page.mouse.move(5, 5)
        expect(marked).to_have_count(0)
        ticket.focus()
        expect(marked).to_have_count(len(cities))
        page.keyboard.press("Enter")
        page.locator("#board").focus()
        expect(marked).to_have_count(len(cities))
        expect(ticket).to_have_attribute("aria-pressed", "true")
        assert [] == violations(page)


def test_what_cannot_be_paid_says_what_is_missing(house: House, browser: Browser) -> None:
    """Pressing a route that costs too much names the cards that are missing."""
    with visit(browser, house) as page:
        _turn(page, house, "Thea")
        dear = page.locator("#route-los_angeles-new_orleans, #board .route:not(.can)").last
        page.mouse.click(*dear.evaluate(MIDDLE))
        expect(page.locator(".shown-status")).to_contain_text("You still need")


def test_the_board_is_zoomed_and_moved(house: House, browser: Browser) -> None:
    """Buttons, wheel and keys zoom; a drag moves the board and presses nothing."""
    with visit(browser, house) as page:
        _turn(page, house, "Zora")
        svg = page.locator("#board svg")
        whole = str(svg.get_attribute("viewBox"))
        page.get_by_role("button", name="Larger").click()
        expect(svg).not_to_have_attribute("viewBox", whole)
        near = str(svg.get_attribute("viewBox"))
        box = page.locator("#board").bounding_box()
        assert box is not None
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] - 90, middle[1] - 60, steps=5)
        page.mouse.up()
        expect(svg).not_to_have_attribute("viewBox", near)
        expect(page.locator(".picked, .shown-status")).to_have_count(0)
        page.get_by_role("button", name="Fit").click()
        expect(svg).to_have_attribute("viewBox", whole)
        page.mouse.move(*middle)
        page.mouse.wheel(0, -200)
        expect(svg).not_to_have_attribute("viewBox", whole)
        page.locator("#board").focus()
        page.keyboard.press("0")
        expect(svg).to_have_attribute("viewBox", whole)
