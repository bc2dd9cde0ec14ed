"""Games played to the end in a real browser: by pressing, by keyboard, without script, by two."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.amounts import amount
from tests.random_games import Table
from tests.site.browser.browser_seat import LOOK, MOST_MOVES, Seat
from tests.site.late_games import (
    few_trains,
    newcomer,
    open_game,
    plain_tables,
    play_until,
    visit_as,
)
from tests.site.visiting import House, violations

TABLES = plain_tables(4)
TRAINS = amount(5, soak=99)
"""The players press from the move on in which somebody has so few trains left."""
SIGHTS = (("desktop", "light"), ("phone", "dark"), ("phone", "light"), ("desktop", "dark"))
FOCUSED = "selector => document.activeElement.matches(selector)"
MOST_TABS = 400


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_board_is_played_to_the_end_by_pressing(
    house: House, browser: Browser, table: Table
) -> None:
    """With mouse or thumb a game comes to its end, and the result is accessible."""
    number = TABLES.index(table)
    sight, scheme = SIGHTS[number % len(SIGHTS)]
    player = newcomer(house.desk, f"Ian{number}")
    game = open_game(house.desk, table._replace(seats=2), player)
    play_until(house.desk, game, [player], few_trains(TRAINS))
    with visit_as(browser, house, player, sight, color_scheme=scheme) as page:
        page.goto(f"/games/{game}")
        Seat(page, taps=sight == "phone").play_out()
        expect(page.locator(".turn.over")).to_contain_text("win")
        assert [] == violations(page)


def test_two_people_play_to_the_end_without_a_reload(house: House, browser: Browser) -> None:
    """The pages of two people follow each other's moves, until both show the result."""
    players = [newcomer(house.desk, name) for name in ("Cleo", "Dirk")]
    game = open_game(house.desk, Table("europe", (), 2), *players)
    play_until(house.desk, game, players, few_trains(4))
    with (
        visit_as(browser, house, players[0]) as first,
        visit_as(browser, house, players[1], "phone") as second,
    ):
        seats = [Seat(first, taps=False), Seat(second, taps=True)]
        for page in (first, second):
            page.goto(f"/games/{game}")
            page.evaluate("window.same = true")
        for _ in range(MOST_MOVES):
            awaited = next((seat for seat in seats if seat.page.locator("#asked").count()), None)
            if awaited:
                awaited.answer(awaited.page.evaluate(LOOK))
            elif any(page.locator(".turn.over").count() for page in (first, second)):
                break
        for page in (first, second):
            expect(page.locator(".turn.over")).to_contain_text("win")
            assert page.evaluate("same")


def test_a_game_is_played_to_the_end_by_keyboard(house: House, browser: Browser) -> None:
    """Tab, Space and Enter are enough to draw, to claim, and to come to the end."""
    player = newcomer(house.desk, "Kira")
    game = open_game(house.desk, Table("usa", (), 2), player)
    play_until(house.desk, game, [player], few_trains(4))
    with visit_as(browser, house, player) as page:
        page.goto(f"/games/{game}")
        for _ in range(MOST_MOVES):
            page.locator("#asked, .turn.over").first.wait_for()
            if page.locator(".turn.over").count():
                break
            _answer_by_keyboard(page)
        expect(page.locator(".turn.over")).to_contain_text("win")


def _answer_by_keyboard(page: Page) -> None:
    """Claim a route if possible, or take a card, or do what comes first."""
    version = page.locator("#asked").get_attribute("data-asked")
    if page.locator("#asked .group > summary:visible").count():
        _tab_to(page, "#asked .group > summary")
        page.keyboard.press("Enter")
        _tab_to(page, ".group input[type=radio]")
        page.keyboard.press("Space")
    elif page.locator("#draw .slot").count():
        page.locator("html.resting").wait_for(state="detached")
        _tab_to(page, "#draw .slot")
        page.keyboard.press("Enter")
    elif (things := page.locator("#asked .things")).count():
        least = int(things.first.get_attribute("data-least") or 0)
        for _ in range(least):
            _tab_to(page, ".things input[type=checkbox]:not(:checked)")
            page.keyboard.press("Space")
    if page.locator("#choose input:checked").count():
        _tab_to(page, ".confirm button[type=submit]")
        page.keyboard.press("Enter")
    expect(page.locator(f"#asked[data-asked='{version}']")).to_have_count(0)


def _tab_to(page: Page, selector: str) -> None:
    """Press Tab until this is focused."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED, selector):
            return
    raise AssertionError(f"the keyboard does not reach {selector}")


def test_a_game_is_played_to_the_end_without_script(house: House, browser: Browser) -> None:
    """Plain forms and links are enough to come to the end."""
    player = newcomer(house.desk, "Noel")
    game = open_game(house.desk, Table("uk", (), 2), player)
    play_until(house.desk, game, [player], few_trains(4))
    with visit_as(browser, house, player, "phone", java_script_enabled=False) as page:
        page.goto(f"/games/{game}")
        for _ in range(MOST_MOVES):
            if page.locator(".turn.over").count():
                break
            if page.locator("#asked").count():
                _answer_without_script(page)
            else:
                page.get_by_role("link", name="Refresh").click()
        expect(page.locator(".turn.over")).to_contain_text("win")
        page.get_by_role("link", name="Back").click()
        expect(page.locator(".turn")).to_contain_text("after move")


def _answer_without_script(page: Page) -> None:
    """Claim a route if possible, or take a card, or do what comes first."""
    groups = page.locator("#asked .group > summary")
    if groups.count():
        Seat(page, taps=False).unfold(groups.first)
        groups.first.click()
        page.locator("#asked .group[open] input[name=choice]").first.check()
    elif page.locator("#draw .slot").count():
        page.locator("#draw .slot").first.click()
        return
    elif page.locator("#asked .things").count():
        Seat(page, taps=False).tick(page.locator("#asked .things").first)
    page.get_by_role("button", name="Confirm").click()
