"""The game page on one screen: what a turn needs can be seen and pressed without scrolling."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.random_games import Table
from tests.site.browser.browser_seat import Seat
from tests.site.late_games import newcomer, open_game, play_until, visit_as
from tests.site.visiting import House, sign_up, violations, visit

TABLES = [
    ("USA", ()),
    ("USA", ("Dice Expansion",)),
    ("Europe", ()),
    ("Europe", ("Dice Expansion",)),
    ("United Kingdom", ("Advanced Technologies",)),
    ("United Kingdom", ("Dice Expansion",)),
]
PARTS = ("#board", "#turn", "#play-side", "#asked", "#facts", "#tickets", "#score")
PRESSED = "#draw .slot, #choose .confirm button, .zoom button, #tickets .ticket"
OUTSIDE = """selector => [...document.querySelectorAll(selector)].filter(part => {
    const box = part.getBoundingClientRect();
    return box.width <= 0 || box.height <= 0 || box.left < 0 || box.top < 0
        || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
}).map(part => part.id || part.outerHTML.slice(0, 80))"""
"""The parts that are not wholly visible without scrolling."""
COVERED = """selector => [...document.querySelectorAll(selector)].filter(part => {
    const box = part.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return !part.contains(hit);
}).map(part => part.outerHTML.slice(0, 80))"""
"""The parts that a press in their middle would not reach."""
TOP = "part => part.getBoundingClientRect().top"
SMALL = """selector => [...document.querySelectorAll(selector)].filter(part => {
    const box = part.getBoundingClientRect();
    const inText = part.matches('a') && [...part.parentElement.childNodes].some(
        node => node.nodeType === Node.TEXT_NODE && /\\p{L}/u.test(node.data));
    return !inText && part.checkVisibility() && (box.width < 44 || box.height < 43.5);
}).map(part => part.outerHTML.slice(0, 80))"""
"""The visible parts that are too small for a thumb; links in running text may be."""
PRESSABLE = (
    "a, button, summary, select, textarea, label:has(> input), "
    "input:not([type=hidden], label > input)"
)


def _turn(page: Page, board: str, variants: tuple[str, ...], **bots: str) -> None:
    """Open a table and keep tickets, so that the whole menu of a turn is open."""
    seat = Seat(page, taps=False)
    seat.open_table(board, *variants, **bots)
    page.locator("#asked .things").first.wait_for()
    seat.tick(page.locator("#asked .things").first)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#asked .things .letter")).to_have_count(0)
    page.locator("#asked").wait_for()


def _seen(page: Page, width: int, height: int) -> dict[str, Any]:
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("scrollTo(0, 0)")
    hand = ["#hand"] if page.locator("#hand").count() else []
    parts = ", ".join((*PARTS, *hand))
    return {
        "outside": page.evaluate(OUTSIDE, f"{parts}, {PRESSED}"),
        "covered": page.evaluate(COVERED, PRESSED),
    }


@pytest.mark.parametrize(("board", "variants"), TABLES)
def test_a_turn_is_on_one_screen(
    house: House, browser: Browser, board: str, variants: tuple[str, ...]
) -> None:
    """Board, hand, market, tickets, turn, scores and options are visible without scrolling."""
    with visit(browser, house, viewport={"width": 1280, "height": 800}) as page:
        sign_up(page, f"Una{TABLES.index((board, variants))}")
        _turn(page, board, variants, easy="3")
        for size in ((1280, 800), (1366, 768), (1920, 1080)):
            assert {"outside": [], "covered": []} == _seen(page, *size), size
        if "Dice Expansion" not in variants:
            expect(page.locator("#draw .slot")).to_have_count(6)
            expect(page.locator("#hand .cards li").first).to_be_visible()
        assert [] == violations(page)


@pytest.mark.parametrize("script", [True, False])
def test_a_phone_shows_the_board_and_one_part(
    house: House,
    browser: Browser,
    script: bool,  # noqa: FBT001
) -> None:
    """Board, hand and question come first; tabs show market, tickets, log and talk."""
    sight = {"java_script_enabled": script, "viewport": {"width": 390, "height": 844}}
    with visit(browser, house, "phone", **sight) as page:
        sign_up(page, f"Pia{script}")
        seat = Seat(page, taps=False)
        seat.open_table("Europe", easy="1")
        seat.tick(page.locator("#asked .things").first)
        page.get_by_role("button", name="Confirm").click()
        while not page.locator("#draw .slot").count():
            page.wait_for_timeout(100) if script else page.reload()
        page.evaluate("scrollTo(0, 0)")
        for selector in ("#board", "#turn", "#hand", "#draw .slot >> nth=0"):
            expect(page.locator(selector)).to_be_in_viewport(ratio=0.4)
        assert [] == page.evaluate(SMALL, PRESSABLE)
        assert [] == page.evaluate(COVERED, "#draw .help > summary, #draw .slot")
        for tab, part in (
            ("Tickets", "#tickets"),
            ("Log", "#story"),
            ("Talk", "#talk"),
            ("Market", "#asked"),
        ):
            page.get_by_role("radio", name=tab, exact=True).check()
            for other in ("#tickets", "#story", "#talk", "#asked"):
                expect(page.locator(other)).to_be_visible(visible=other == part)
            assert [] == page.evaluate(SMALL, PRESSABLE)
            if script:
                assert [] == violations(page)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(page.locator("#hand")).to_be_in_viewport()
        expect(page.locator(".turn")).to_be_in_viewport()
        assert 0 == page.evaluate("document.documentElement.scrollWidth - innerWidth")
        page.goto(f"{page.url}?at=1")
        expect(page.locator("#replay")).to_be_visible()
        assert [] == page.evaluate(SMALL, PRESSABLE)


def test_a_phone_shows_the_choice_before_cards_that_cannot_be_taken(
    house: House, browser: Browser
) -> None:
    """While tickets are chosen, these come first; the market follows below them."""
    with visit(browser, house, "phone", viewport={"width": 390, "height": 844}) as page:
        sign_up(page, "Poul")
        Seat(page, taps=True).open_table("Europe", easy="1")
        ticket, market = page.locator("#asked .things .choice").first, page.locator(".market")
        expect(ticket).to_be_in_viewport(ratio=1)
        expect(market).to_be_visible()
        above, below = (part.evaluate(TOP) for part in (ticket, market))
        assert above < below


def test_a_phone_shows_the_first_answer_on_a_tall_board(house: House, browser: Browser) -> None:
    """Where the board is tall and the hand small, a question is answered without scrolling."""
    player = newcomer(house.desk, "Pelle")
    game = open_game(house.desk, Table("marklin", (), 2), player)
    assert play_until(house.desk, game, [player], lambda decision: "passenger" in decision.kind)
    size = {"width": 390, "height": 844}
    with visit_as(browser, house, player, "phone", viewport=size) as page:
        page.goto(f"/games/{game}")
        first = page.locator("#choose .choice").first
        first.wait_for()
        first.evaluate("answer => answer.id = 'first-answer'")
        assert [] == page.evaluate(COVERED, "#first-answer")
        assert [] == violations(page)


def test_what_is_below_the_game_can_be_pressed_by_thumb(house: House, browser: Browser) -> None:
    """Titles that unfold are high enough, and long text does not squeeze the box beside it."""
    with visit(browser, house, "phone") as page:
        sign_up(page, "Pola")
        Seat(page, taps=True).open_table("USA", easy="1")
        page.get_by_role("radio", name="Log", exact=True).check()
        page.locator("#orders > summary").tap()
        assert [] == page.evaluate(SMALL, PRESSABLE)
        box = page.locator("#orders input[type=checkbox]").bounding_box()
        assert box is not None
        assert (20, 20) == (round(box["width"]), round(box["height"]))
        for path in ("/games/new", "/settings"):
            page.goto(path)
            assert [] == page.evaluate(SMALL, "header a, header button, .tabs a, .pill, footer a")


TITLES = """() => {
    const menu = document.querySelector(".menu"), box = menu.getBoundingClientRect();
    const titles = menu.querySelectorAll(":scope > * > :is(legend, h3, summary)");
    return [...titles].map(title => [title.textContent.trim().replace(/ \\d+$/, ""),
        title.getBoundingClientRect().bottom <= box.bottom]);
}"""
"""The titles of the menu's sections, and whether they can be seen without scrolling."""


def test_the_titles_of_all_sections_are_in_sight(house: House, browser: Browser) -> None:
    """Where a turn offers several long lists, these are folded below their titles."""
    with visit(browser, house, viewport={"width": 1366, "height": 768}) as page:
        sign_up(page, "Tove")
        _turn(page, "Europe", (), easy="1")
        titles = page.evaluate(TITLES)
        assert {"Draw tickets", "Claim a route", "Build a station"} == {name for name, _ in titles}
        assert all(seen for _, seen in titles)
        page.locator("details.sort > summary", has_text="Claim a route").click()
        expect(page.locator(".section[open] .group").first).to_be_visible()
