"""A player who uses a real browser with the mouse or by touch."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect

MOST_MOVES = 400
LOOK = """() => ({
    over: !!document.querySelector('.turn.over'),
    trains: +([...document.querySelectorAll('#facts dt')].find(
        dt => dt.textContent === 'Trains')?.nextElementSibling.textContent ?? 0),
    draws: !!document.querySelector('#draw .slot'),
    claims: [...document.querySelectorAll('#choose [data-place] input')].map(input => [
        +(/(\\d+) point/.exec(input.closest('[data-place]').textContent) || [0, 0])[1],
        input.closest('[data-place]').dataset.place, input.value]),
})"""
"""Reads a game page: whether the game is over, trains left, whether to draw, and the claims."""


MIDDLE = """drawn => {
    const line = drawn.querySelector('path[pointer-events]');
    const box = drawn.getBoundingClientRect();
    if (!line) return [box.x + box.width / 2, box.y + box.height / 2];
    const middle = line.getPointAtLength(line.getTotalLength() / 2);
    const seen = middle.matrixTransform(line.getScreenCTM());
    return [seen.x, seen.y];
}"""
"""Returns the middle of a route or a city on the screen.

A route is bent, so the middle of its bounding box can lie beside it.
"""
WHERE = f"""drawn => {{
    drawn.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
    return ({MIDDLE})(drawn);
}}"""
"""Scrolls to a route or a city, and returns its middle on the screen."""


class Seat:
    """A player at a table, who clicks or taps."""

    def __init__(self, page: Page, *, taps: bool) -> None:
        self.page = page
        self.taps = taps
        self.press: Callable[[Locator], None] = Locator.tap if taps else Locator.click

    def open_table(self, board: str, *variants: str, **bots: str) -> None:
        """Open a table and sit down at it."""
        page = self.page
        main = page.get_by_role("navigation", name="Main")
        self.press(main.get_by_role("link", name="New game"))
        self.press(page.get_by_role("navigation", name="Board").get_by_role("link", name=board))
        self.press(page.get_by_label(str(1 + max(1, sum(map(int, bots.values())))), exact=True))
        for strength, number in ({"easy": "0"} | bots).items():
            page.get_by_label(strength).select_option(number)
        for variant in variants:
            self.press(page.get_by_label(variant))
        self.press(page.get_by_role("button", name="Open the table"))
        page.wait_for_url(re.compile(r"/games/[A-Za-z0-9_-]{10,}$"))

    def play_out(self) -> int:
        """Play until the game is over, and return the number of moves."""
        page = self.page
        for move in range(MOST_MOVES):
            page.locator("#asked, .turn.over").first.wait_for()
            seen = page.evaluate(LOOK)
            if seen["over"]:
                return move
            self.answer(seen)
        raise AssertionError("the game has no end")

    def answer(self, seen: dict[str, Any]) -> None:
        """Answer the open decision of the page that was read with `LOOK`."""
        if self._choose(seen):
            self.press(self.page.get_by_role("button", name="Confirm"))
        self.page.locator("html.busy").wait_for(state="detached")

    def _choose(self, seen: dict[str, Any]) -> bool:
        """Play quickly: claim a valuable route on the board, take a card, or do what comes first.

        Return whether the choice has to be confirmed.
        """
        points, place, value = max(seen["claims"], default=(0, "", ""))
        if points and (points >= 4 or seen["trains"] < 12 or not seen["draws"]):
            self._press_board(place)
            self.press(self.page.locator(f'.picked input[value="{value}"]'))
        elif seen["draws"]:
            self.take_card()
            return False
        else:
            first = self.page.locator("#choose input[name=choice]").first
            if (things := first.locator("xpath=ancestor::fieldset[@data-least]")).count():
                self.tick(things)
                return True
            while not first.is_visible():
                self.press(self.page.locator("#asked details:not([open]) > summary:visible").first)
            self.press(first)
        return True

    def take_card(self) -> None:
        """Take the first card that can be taken, if possible an open one; one press is enough."""
        seen = self.page.locator("#draw").get_attribute("data-seen")
        open_cards = self.page.locator("#draw .slot[data-card]")
        deck = self.page.locator("#draw .slot[data-blind]")
        self.press(open_cards.first if open_cards.count() else deck)
        expect(self.page.locator(f"#draw[data-seen='{seen}']")).to_have_count(0)

    def unfold(self, entry: Locator) -> None:
        """Open the sections of the menu until an entry is visible."""
        while not entry.is_visible():
            self.press(self.page.locator("#asked details.sort:not([open]) > summary:visible").first)

    def tick(self, things: Locator) -> None:
        """Tick as few things of an entry as are needed."""
        for place in range(int(things.get_attribute("data-least") or 0)):
            self.press(things.get_by_role("checkbox").nth(place))

    def _press_board(self, place: str) -> None:
        """Press a route or a city on the board, and check that it stays in view."""
        drawn = self.page.locator(f"#board [data-route='{place}'], #board [data-city='{place}']")
        point = drawn.evaluate(WHERE)
        if self.taps:
            self.page.touchscreen.tap(*point)
        else:
            self.page.mouse.click(*point)
            self.page.keyboard.press("Escape")
            expect(self.page.locator("#board")).to_be_focused()
            self.page.mouse.click(*point)
        expect(drawn).to_be_in_viewport()


def open_table(page: Page, board: str, **bots: str) -> None:
    """Open a table with the mouse, and sit down at it."""
    Seat(page, taps=False).open_table(board, **bots)
