"""Answering a decision in a real browser: tickets and dice to toggle, and more locomotives."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser.browser_seat import Seat, open_table
from tests.site.browser.test_every_page import TOO_WIDE
from tests.site.visiting import Guest, House, sign_up, violations, visit

MOST_DRAWS = 60


def _confirm(page: Page) -> None:
    page.get_by_role("button", name="Confirm").click()


def _rolled(page: Page) -> None:
    """Open a table with dice, keep tickets and roll."""
    seat = Seat(page, taps=False)
    seat.open_table("Europe", "Dice Expansion", easy="1")
    seat.tick(page.locator("#asked .things"))
    _confirm(page)
    page.get_by_label("Roll the dice").check()
    _confirm(page)
    expect(page.get_by_role("group", name="Reroll dice")).to_be_visible()


@pytest.mark.parametrize("sight", ["desktop", "phone"])
def test_tickets_are_toggled(house: House, browser: Browser, sight: str) -> None:
    """Ticked tickets are kept; with too few, nothing is sent and the page says how many."""
    with visit(browser, house, sight) as page:
        sign_up(page, f"Tia{sight}")
        open_table(page, "Europe", easy="1")
        expect(page.locator("#story")).to_contain_text("House (easy) has chosen tickets")
        sent: list[str] = []
        page.on(
            "request",
            lambda request: sent.append(request.url) if request.method == "POST" else None,
        )
        boxes = page.locator("#asked").get_by_role("checkbox")
        group = page.get_by_role("group", name="Keep tickets").last
        expect(group).to_have_accessible_description("Choose 2 to 4 of them.")
        names = [box.locator("xpath=..").inner_text() for box in boxes.all()]
        chosen = page.locator("[data-chosen]")
        boxes.nth(1).check()
        expect(chosen).to_have_text(f"Keep tickets: {names[1]}. Choose 2 to 4 of them.")
        _confirm(page)
        expect(page.locator(".shown-status")).to_have_text("Choose 2 to 4 of them.")
        expect(boxes.first).to_be_focused()
        assert ([], [], 0) == (sent, violations(page), page.evaluate(TOO_WIDE))
        for place in (0, 3):
            boxes.nth(place).check()
        boxes.nth(0).uncheck()
        expect(chosen).to_have_text(f"Keep tickets: {names[1]}, {names[3]}")
        _confirm(page)
        mine = page.locator("#tickets .tickets li")
        expect(mine).to_have_count(2)
        for name, ticket in zip((names[1], names[3]), mine.all(), strict=True):
            expect(ticket).to_contain_text(name.partition(" (")[0].partition(" ")[2])


@pytest.mark.parametrize("sight", ["desktop", "phone"])
def test_dice_are_toggled(house: House, browser: Browser, sight: str) -> None:
    """Ticking a die chooses its entry, and only the things of one entry are ticked."""
    with visit(browser, house, sight) as page:
        sign_up(page, f"Dee{sight}")
        _rolled(page)
        reroll = page.get_by_role("group", name="Reroll dice")
        token = page.get_by_role("group", name="Take a single token for two dice")
        for place in (0, 2):
            reroll.get_by_role("checkbox").nth(place).check()
        expect(reroll.get_by_role("radio")).to_be_checked()
        expect(page.locator("[data-chosen]")).to_have_text(
            re.compile(r"Reroll dice: die 1: \w+, die 3: \w+")
        )
        for place in range(3):
            token.get_by_role("checkbox").nth(place).check()
        expect(token.get_by_role("radio")).to_be_checked()
        expect(reroll.get_by_role("checkbox", checked=True)).to_have_count(0)
        _confirm(page)
        expect(page.locator(".shown-status")).to_have_text("Choose exactly 2.")
        assert ([], 0) == (violations(page), page.evaluate(TOO_WIDE))
        reroll.get_by_role("checkbox").nth(4).check()
        expect(token.get_by_role("checkbox", checked=True)).to_have_count(0)
        _confirm(page)
        expect(page.get_by_role("group", name="Reroll dice")).to_have_count(0)
        expect(page.locator("#story")).to_contain_text("reroll")


def test_locomotives_are_offered_where_a_way_takes_more(house: House, browser: Browser) -> None:
    """The number of locomotives can be chosen for a way that takes more, and is paid."""
    with visit(browser, house, "phone") as page:
        seat = Seat(page, taps=False)
        sign_up(page, "Lotte")
        seat.open_table("USA", easy="1")  # without tunnels, which ask for more
        seat.tick(page.locator("#asked .things"))
        _confirm(page)
        _draw_until(page, ".group [data-locomotives]", 2)
        locomotives = page.locator("#locomotives")
        expect(locomotives).to_be_hidden()
        way = page.locator(".group:has([data-locomotives])").first
        for folded in (*way.locator("xpath=ancestor::details").all(), way):
            folded.locator("> summary").click()
        way.locator("[data-locomotives]").first.check()
        numbers = way.locator("[data-locomotives]").first.get_attribute("data-locomotives") or ""
        most = int(numbers.split()[1])
        expect(locomotives).to_have_accessible_name("Locomotives")
        locomotives.select_option(str(most))
        assert ([], 0) == (violations(page), page.evaluate(TOO_WIDE))
        page.get_by_label("Draw tickets").check()
        expect(locomotives).to_be_hidden()
        for place in (0, 1):
            page.locator("#choose [data-locomotives]").nth(place).evaluate("input => input.click()")
            expect(locomotives).to_have_value("")
            locomotives.select_option(locomotives.locator("option:enabled").last.text_content())
        way.locator("[data-locomotives]").first.check()
        locomotives.select_option(str(most))
        _confirm(page)
        sentence = page.locator("#story .mine")
        expect(sentence).to_contain_text(re.compile(rf"\b{most} locomotive"))


def _draw_until(page: Page, selector: str, number: int) -> None:
    """Take cards until the page has this number of what is wanted."""
    for _ in range(MOST_DRAWS):
        page.locator("#draw .slot").first.wait_for()
        if page.locator(selector).count() >= number:
            return
        Seat(page, taps=False).take_card()
    raise AssertionError(selector)


def test_without_script_a_refused_choice_stays_ticked(house: House, browser: Browser) -> None:
    """Without JavaScript the server says how many tickets to keep, and keeps the ticks."""
    # Not with `visit`: the browser reports the refusal in its console.
    context = browser.new_context(
        base_url=house.url, viewport={"width": 360, "height": 740}, java_script_enabled=False
    )
    page = context.new_page()
    try:
        sign_up(page, "Xenia")
        open_table(page, "Europe", easy="1")
        boxes = page.locator("#asked").get_by_role("checkbox")
        boxes.nth(2).check()
        _confirm(page)
        alert = page.get_by_role("alert")
        expect(alert).to_have_text("Choose 2 to 4 of them. You chose 1.")
        expect(alert).to_be_in_viewport()
        assert [False, False, True, False] == [box.is_checked() for box in boxes.all()]
        assert 0 == page.evaluate(TOO_WIDE)
        boxes.nth(0).check()
        _confirm(page)
        expect(page.locator("#tickets .tickets li")).to_have_count(2)
    finally:
        context.close()


def test_ticks_survive_a_move_of_somebody_else(house: House, browser: Browser) -> None:
    """What is ticked stays ticked when the page follows the game."""
    other = Guest(house.app, "Yves")
    with visit(browser, house) as page:
        sign_up(page, "Zoe")
        open_table(page, "Europe")
        path = page.url.removeprefix(house.url)
        other.send(f"{path}/join", "/games/open")
        boxes = page.locator("#asked").get_by_role("checkbox")
        for place in (1, 2):
            boxes.nth(place).check()
        chosen = page.locator("[data-chosen]").inner_text()
        other.play(path, other.choices(path)[0])
        expect(page.locator("#story")).to_contain_text("Yves has chosen tickets")
        assert [False, True, True, False] == [box.is_checked() for box in boxes.all()]
        expect(page.locator("[data-chosen]")).to_have_text(chosen)
        expect(boxes.nth(2)).to_be_focused()
