"""The notebook in a real browser: sketching on the board, by mouse, touch and keyboard."""

import itertools
import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from service.games import moves, reading, table_lookup
from service.games.move_requests import MoveRequest
from tests.site.browser.browser_seat import MIDDLE, WHERE
from tests.site.visiting import Guest, House, violations, visit

FIRST, SECOND, GRAY = "el_paso-houston", "calgary-winnipeg", "houston-new_orleans"
NUMBERS = itertools.count(1)
OUTSIDE = """part => {
    const box = part.getBoundingClientRect();
    return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
}"""
"""Whether a part of the page is not wholly visible."""
SMALL = """() => [...document.querySelectorAll('#notebook button, #notebook select, .views label')]
    .map(part => [part.getBoundingClientRect(), part.outerHTML.slice(0, 80)])
    .filter(([box]) => box.width > 0 && (box.width < 44 || box.height < 43.5))
    .map(([, html]) => html)"""
"""What can be pressed in the notebook and is too small for a thumb."""
PLACE = "part => JSON.stringify(part.getBoundingClientRect())"


class Players:
    """Two players at a table of their own, who have kept their tickets."""

    def __init__(self, house: House) -> None:
        number = next(NUMBERS)
        self.house = house
        self.ada = Guest(house.app, f"Nora{number}")
        self.ben_name = f"Nils{number}"
        self.ben = Guest(house.app, self.ben_name)
        self.path = self.ada.game(easy="0")
        self.ben.send(f"{self.path}/join", self.path)
        self.ada.play(self.path, "keep all")
        self.ben.play(self.path, "keep all")

    def enter(self, page: Page, query: str = "") -> None:
        """Open the game in a browser as the first player."""
        cookie = self.ada.web.get_cookie("nightmail")
        assert cookie is not None
        page.context.add_cookies(
            [{"name": "nightmail", "value": cookie.value, "url": self.house.url}]
        )
        page.goto(f"{self.path}{query}")

    def ben_draws(self) -> None:
        """Let the second player take two cards from the deck, which ends their turn."""
        for _ in range(2):
            self.ben.play(self.path, "draw deck")

    def move_until_claimed(self, route: str) -> None:
        """Play on until the second player has claimed a route; the first one draws cards."""
        desk, game = self.house.desk, self.path.rsplit("/", 1)[1]
        with desk.database.reading() as tx:
            seats = table_lookup.existing(tx, game).seated
        accounts = [seat.account for seat in seats if seat.account]
        for account in itertools.islice(itertools.cycle(accounts), 400):
            decision = reading.decision(desk, game, account, all_options=True)
            if decision is None:
                continue
            texts = [option["text"] for option in decision["options"]]
            is_ben = any(seat.account == account and seat.name == self.ben_name for seat in seats)
            claim = next((text for text in texts if text.startswith(f"claim {route} ")), "")
            text = claim if is_ben and claim else decision["default"]["text"]
            moves.submit(desk, account, game, MoveRequest(text))
            if is_ben and claim:
                return
        raise AssertionError(f"{route} could not be claimed")


def _planned(page: Page, *routes: str) -> None:
    """Wait until exactly these routes are planned, in this order."""
    entries = page.locator("[data-sketched]")
    expect(entries).to_have_count(len(routes))
    for place, route in enumerate(routes):
        expect(entries.nth(place)).to_have_attribute("data-sketched", route)


def _drawn(page: Page, route: str) -> Locator:
    return page.locator(f"#board [data-route='{route}']")


def _press(page: Page, route: str, *, taps: bool = False) -> None:
    point = _drawn(page, route).evaluate(WHERE if taps else MIDDLE)
    (page.touchscreen.tap if taps else page.mouse.click)(*point)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_sketch_is_made_on_the_board(house: House, browser: Browser, scheme: str) -> None:
    """With the notebook open, presses plan routes and take them out, and play nothing.

    Everything is on one screen, and the board stays where it is.
    """
    players = Players(house)
    with visit(
        browser, house, viewport={"width": 1280, "height": 800}, color_scheme=scheme
    ) as page:
        players.enter(page)
        expect(page.locator("#notebook")).to_be_hidden()
        board = page.locator("#board").evaluate(PLACE)
        page.get_by_role("radio", name="Notebook").check()
        expect(page.locator("#play-side")).to_be_hidden()
        _press(page, FIRST)
        _planned(page, FIRST)
        _press(page, SECOND)
        _planned(page, FIRST, SECOND)
        expect(page.locator("#sketch-sum")).to_contain_text("12 of your 45 trains")
        expect(_drawn(page, FIRST).locator("text")).to_have_text("1")
        expect(page.locator(".picked, .shown-status")).to_have_count(0)
        assert not page.locator("#notebook").evaluate(OUTSIDE)
        assert not page.locator(".views").evaluate(OUTSIDE)
        assert board == page.locator("#board").evaluate(PLACE)
        assert [] == violations(page)
        _press(page, FIRST)
        _planned(page, SECOND)
        expect(_drawn(page, FIRST).locator("text")).to_have_count(0)
        page.reload()
        page.get_by_role("radio", name="Notebook").check()
        _planned(page, SECOND)
        page.get_by_role("radio", name="Table").check()
        expect(page.locator("#play-side")).to_be_visible()
        expect(_drawn(page, SECOND).locator("text")).to_have_text("1")
        assert [] == violations(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_sketch_is_made_on_a_phone(house: House, browser: Browser, scheme: str) -> None:
    """The notebook is a tab; routes are tapped, and everything fits a thumb."""
    players = Players(house)
    with visit(
        browser, house, "phone", color_scheme=scheme, viewport={"width": 360, "height": 740}
    ) as page:
        players.enter(page)
        page.get_by_role("radio", name="Notebook").check()
        for part in ("#asked", "#tickets", "#talk"):
            expect(page.locator(part)).to_be_hidden()
        _press(page, FIRST, taps=True)
        _planned(page, FIRST)
        _press(page, SECOND, taps=True)
        _planned(page, FIRST, SECOND)
        page.get_by_role("button", name="Earlier: Calgary–Winnipeg").tap()
        _planned(page, SECOND, FIRST)
        assert [] == page.evaluate(SMALL)
        assert [] == violations(page)
        assert 0 == page.evaluate("document.documentElement.scrollWidth - innerWidth")
        _press(page, FIRST, taps=True)
        _planned(page, SECOND)


def test_quick_presses_are_all_sent(house: House, browser: Browser) -> None:
    """Presses while another one is on its way wait for it, and none is lost."""
    players = Players(house)
    with visit(browser, house) as page:
        players.enter(page, "?view=notebook")
        points = [_drawn(page, route).evaluate(MIDDLE) for route in (FIRST, SECOND, GRAY)]
        for point in points:
            page.mouse.click(*point)
        _planned(page, FIRST, SECOND, GRAY)
        page.mouse.dblclick(*points[0])
        _planned(page, SECOND, GRAY, FIRST)


def test_a_route_that_can_be_claimed_is_only_planned(house: House, browser: Browser) -> None:
    """With the notebook open its ways to pay do not open; back at the table they do."""
    players = Players(house)
    with visit(browser, house) as page:
        players.enter(page)
        if not page.locator("#asked").count():
            players.ben_draws()
            page.locator("#asked").wait_for()
        page.get_by_role("radio", name="Notebook").check()
        route = "dallas-houston-1"  # any card pays for it
        _press(page, route)
        _planned(page, route)
        expect(page.locator(".picked")).to_have_count(0)
        page.get_by_role("radio", name="Table").check()
        _press(page, route)
        expect(page.locator(".picked")).to_be_visible()
        page.get_by_role("radio", name="Notebook").check()
        expect(page.locator(".picked")).to_have_count(0)
        _press(page, route)
        _planned(page)


def test_another_browser_of_the_account_follows(house: House, browser: Browser) -> None:
    """What is planned in one browser appears in another one of the same account by itself."""
    players = Players(house)
    with visit(browser, house) as here, visit(browser, house) as there:
        players.enter(here, "?view=notebook")
        players.enter(there, "?view=notebook")
        _press(here, FIRST)
        _planned(there, FIRST)
        there.get_by_label("Notes").fill("south first")
        there.get_by_role("button", name="Save").click()
        expect(here.get_by_label("Notes")).to_have_value("south first")


def test_what_becomes_impossible_is_shown(house: House, browser: Browser) -> None:
    """When another player claims a planned route, list and board say so without a reload."""
    players = Players(house)
    with visit(browser, house, expected="status of 400") as page:
        players.enter(page, "?view=notebook")
        _press(page, GRAY)
        _planned(page, GRAY)
        players.move_until_claimed(GRAY)
        entry = page.locator(f"[data-sketched='{GRAY}']")
        expect(entry).to_contain_text("no longer possible")
        expect(entry).to_contain_text("Houston–New Orleans belongs to another player.")
        expect(page.locator("#sketch-sum")).to_contain_text("0 of your")
        assert [] == violations(page)
        assert page.get_by_role("radio", name="Notebook").is_checked()
        _press(page, GRAY)
        _planned(page)
        _press(page, GRAY)
        expect(page.locator(".alert")).to_contain_text("belongs to another player")


def test_a_sketch_is_made_by_keyboard(house: House, browser: Browser) -> None:
    """Routes are added from a list and moved with buttons; the focus stays at the entry."""
    players = Players(house)
    with visit(browser, house) as page:
        players.enter(page)
        page.get_by_role("radio", name="Table").focus()
        page.keyboard.press("ArrowRight")
        while not page.locator("#sketch-route").evaluate("one => one === document.activeElement"):
            page.keyboard.press("Tab")
        page.keyboard.type("El Paso")
        while page.locator("#sketch-route").input_value() != FIRST:
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        _planned(page, FIRST)
        page.locator("#sketch-route").focus()
        page.keyboard.type("Calgary")
        while page.locator("#sketch-route").input_value() != SECOND:
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        _planned(page, FIRST, SECOND)
        page.get_by_role("button", name="Later: El Paso–Houston").focus()
        page.keyboard.press("Enter")
        _planned(page, SECOND, FIRST)
        page.get_by_role("button", name="Remove: Calgary–Winnipeg").focus()
        page.keyboard.press("Enter")
        _planned(page, FIRST)
        expect(page.get_by_role("button", name="Remove: El Paso–Houston")).to_be_focused()


def test_notes_survive_an_update_and_another_window(house: House, browser: Browser) -> None:
    """Half a note stays when the game moves on; a note of another window is not overwritten."""
    players = Players(house)
    with visit(browser, house, expected="status of 412") as page:
        players.enter(page, "?view=notebook")
        field = page.get_by_label("Notes")
        field.press_sequentially("half a no")
        expect(page.get_by_text("Not saved yet.")).to_be_visible()
        players.ben.send(f"{players.path}/say", players.path, text="hello")
        expect(page.locator("#talk")).to_contain_text("hello")
        expect(field).to_have_value("half a no")
        players.ada.send(
            f"{players.path}/notes", players.path, notes="elsewhere", notes_version="0"
        )
        _press(page, FIRST)
        _planned(page, FIRST)
        expect(field).to_have_value("half a no")
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".alert")).to_contain_text("changed in another window")
        expect(field).to_have_value("half a no")
        expect(page.locator(".stored")).to_contain_text("elsewhere")
        assert [] == violations(page)
        field.fill("both: elsewhere, half a note")
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".alert")).to_have_count(0)
        field.press("Control+End")
        field.press_sequentially(" and more ")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Not saved yet.")).to_be_hidden()
        page.reload()
        expect(field).to_have_value(re.compile("and more"))


def test_a_sketch_is_made_without_script(house: House, browser: Browser) -> None:
    """Without JavaScript the notebook opens with its tab and stays open after a form."""
    players = Players(house)
    with visit(browser, house, java_script_enabled=False) as page:
        players.enter(page)
        page.locator("#view-notebook").press("Space")
        page.get_by_label("Plan a route").select_option("El Paso–Houston")
        page.get_by_role("button", name="Add").click()
        _planned(page, FIRST)
        expect(page.locator("#notebook")).to_be_visible()
        page.get_by_label("Notes").fill("south first")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_label("Notes")).to_have_value("south first")


@pytest.mark.parametrize("scripted", [False, True])
def test_a_sketch_becomes_orders(house: House, browser: Browser, *, scripted: bool) -> None:
    """One button orders the planned routes, with and without JavaScript, and shows the orders."""
    players = Players(house)
    for route in (GRAY, FIRST):
        players.ada.send(f"{players.path}/sketch", players.path, step="add", route=route)
    with visit(browser, house, java_script_enabled=scripted) as page:
        players.enter(page, "?view=notebook")
        page.get_by_role("button", name="Claim these, in this order, as soon as I can").click()
        steps = page.locator("#orders ol li")
        expect(steps).to_have_text([re.compile(f"claim {GRAY}"), re.compile(f"claim {FIRST}")])
        expect(page.locator("#orders")).to_be_visible()
        page.goto(f"{players.path}?view=notebook")
        expect(page.get_by_text("This replaces the orders that you have now.")).to_be_visible()


def test_orders_are_shown_while_one_waits(house: House, browser: Browser) -> None:
    """Orders that are given during somebody else's turn appear, and nothing that is typed is lost.

    When the game changes, they change with it, without a reload.
    """
    players = Players(house)
    if players.ada.choices(players.path):
        for _ in range(2):
            players.ada.play(players.path, "draw deck")
    players.ada.send(f"{players.path}/sketch", players.path, step="add", route=FIRST)
    with visit(browser, house) as page:
        players.enter(page, "?view=notebook")
        page.get_by_role("button", name="Claim these, in this order, as soon as I can").click()
        expect(page.locator("#orders ol li")).to_have_count(1)
        page.get_by_label("Orders", exact=True).fill("draw for 2 turns")
        players.ada.send(f"{players.path}/orders", players.path, orders="draw")
        players.ben_draws()
        expect(page.locator("#orders ol li")).to_have_text(re.compile("^draw"))
        expect(page.get_by_label("Orders", exact=True)).to_have_value("draw for 2 turns")
