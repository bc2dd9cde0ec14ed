"""Every kind of decision on every board: accessible, on one screen, and no wider than a phone."""

import pytest
from playwright.sync_api import Browser, Page, expect

from service.boards import atlas
from tests.random_games import Table, sample_of_tables
from tests.site.browser.test_every_page import TOO_WIDE
from tests.site.browser.test_one_screen import COVERED, OUTSIDE, SMALL
from tests.site.late_games import (
    Decision,
    newcomer,
    open_game,
    play_until,
    tables_of,
    visit_as,
)
from tests.site.visiting import House, violations

VISIBLE = "#board, #turn, #hand, #play-side, #asked, #facts, #tickets, #score"
PRESSED = ".slot, .confirm button, .zoom button, .menu:not(:has([type=radio])) .things .choice"
"""What is pressed; things to tick if there is nothing else to choose, else the menu may scroll."""
SIGHTS = (("desktop", "light"), ("phone", "dark"), ("desktop", "dark"), ("phone", "light"))


def _tables() -> list[Table]:
    """One table for every set of rules that a board can have."""
    tables = [table for board in atlas.board_ids() for table in tables_of(board)]
    return list({(table.board, table.rules.board.modules): table for table in tables}.values())


TABLES = sample_of_tables(7, among=_tables())


def _flaws(page: Page, sight: str) -> list[object]:
    """Whatever is wrong with a page on this screen."""
    if sight == "phone":
        small = page.evaluate(SMALL, f"{PRESSED}, .views label, .menu summary, .menu label")
        return [*violations(page), *small, *filter(None, [page.evaluate(TOO_WIDE)])]
    flaws: list[object] = [*violations(page)]
    for width, height in ((1280, 800), (1366, 768)):
        page.set_viewport_size({"width": width, "height": height})
        flaws += page.evaluate(OUTSIDE, f"{VISIBLE}, {PRESSED}") + page.evaluate(COVERED, PRESSED)
    return flaws


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_kind_of_decision_can_be_answered(
    house: House, browser: Browser, table: Table
) -> None:
    """From the first tickets to the result, nothing is inaccessible, hidden, covered or small."""
    number = TABLES.index(table)
    sight, scheme = SIGHTS[number % len(SIGHTS)]
    player = newcomer(house.desk, f"Kay{number}")
    game = open_game(house.desk, table, player)
    seen: list[str] = []

    def is_new(decision: Decision) -> bool:
        new = decision.kind not in seen
        if new:
            seen.append(decision.kind)
        return new

    with visit_as(browser, house, player, sight, color_scheme=scheme) as page:
        while play_until(house.desk, game, [player], is_new):
            page.goto(f"/games/{game}")
            page.locator("#asked").wait_for()
            assert (seen, []) == (seen, _flaws(page, sight))
            page.goto("about:blank")  # or it would follow every move until the next new decision
        page.goto(f"/games/{game}")
        page.locator(".turn.over").wait_for()
        assert [] == violations(page)
        page.get_by_role("link", name="Check this game").click()
        expect(page.get_by_role("link", name="Download the log of this game")).to_be_in_viewport()
    assert {"choose_tickets", "take_turn"} <= {*seen}
