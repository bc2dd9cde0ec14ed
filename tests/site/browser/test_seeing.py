"""Seeing what happened: live events, the log, the end, and being told, in a real browser."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser.browser_seat import Seat, open_table
from tests.site.visiting import Guest, House, sign_up, violations, visit

PLACES = """() => ["#board", ".market", "#facts", "#tickets", "#score"].map(part => {
    const box = document.querySelector(part).getBoundingClientRect();
    return [part, Math.round(box.x), Math.round(box.y), Math.round(box.width)];
})"""
"""Where the parts of a game page are."""
MOVED = """() => {
    window.moved = [];
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        window.moved.push(this.id || this.className);
        return animate.apply(this, how);
    };
}"""
"""Records what moves on the page."""


def _two(page: Page, house: House, name: str, other: Guest) -> str:
    """Begin a game of two people, both with tickets; return its path."""
    sign_up(page, name)
    open_table(page, "USA")
    path = page.url.removeprefix(house.url)
    other.send(f"{path}/join", "/games/open")
    page.locator("#asked .things").wait_for()
    Seat(page, taps=False).tick(page.locator("#asked .things"))
    page.get_by_role("button", name="Confirm").click()
    page.locator(".market-only").wait_for()
    other.play(path, other.choices(path)[0])
    page.reload()
    return path


def _draw(page: Page) -> None:
    """Take cards until the turn is over; an open locomotive is the only card of a turn."""
    while page.locator("#draw").count():
        Seat(page, taps=False).take_card()
    page.locator(".market-only").wait_for()


def _claim(other: Guest, path: str) -> str:
    """Let the other player claim a route, and return its id; they must be awaited."""
    choice = next(
        choice for choice in other.choices(path) if str(choice["choice"]).partition(":")[2]
    )
    other.play(path, choice)
    return str(choice["choice"])


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_what_others_do_is_seen_and_nothing_jumps(
    house: House, browser: Browser, motion: str
) -> None:
    """Trains that somebody lays appear with a movement, unless motion is unwanted."""
    other = Guest(house.app, f"Olga{len(motion)}")
    with visit(browser, house, reduced_motion=motion) as page:
        path = _two(page, house, f"Otto{len(motion)}", other)
        page.locator("#draw, .market-only").first.wait_for()
        if page.locator("#draw").count():  # the other's turn comes after mine
            _draw(page)
        before = page.evaluate(PLACES)
        page.evaluate(MOVED)
        _claim(other, path)
        expect(page.locator(".latest")).to_contain_text("claims")
        page.locator("#draw").wait_for()
        assert before == page.evaluate(PLACES)
        moved = page.evaluate("moved")
        assert (motion == "no-preference") == any("route-" in name for name in moved)
        assert (motion == "reduce") == (moved == [])


def test_the_whole_log_has_times_and_one_player(house: House, browser: Browser) -> None:
    """The log lists every move with its time; links show one player's moves, and the board."""
    with visit(browser, house) as page:
        sign_up(page, "Lena")
        seat = Seat(page, taps=False)
        seat.open_table("USA", easy="1")
        seat.tick(page.locator("#asked .things").first)
        page.get_by_role("button", name="Confirm").click()
        page.locator("#draw .slot").first.wait_for()
        page.get_by_role("link", name="The whole log, with times").click()
        moves = page.locator(".history > li")
        everything = moves.count()
        expect(moves.first.locator("time")).to_be_visible()
        assert [] == violations(page)
        page.get_by_role("navigation", name="Players").get_by_role("link", name="Lena").click()
        expect(moves.first).to_contain_text("Lena")
        assert 0 < moves.count() < everything
        page.get_by_role("link", name="All players").click()
        expect(moves).to_have_count(everything)
        moves.last.get_by_role("link").click()
        expect(page.locator(".turn")).to_contain_text("after move")


def test_a_turn_is_told_in_the_title(house: House, browser: Browser) -> None:
    """While it is the player's turn, the title begins with (1) and the icon has a mark."""
    other = Guest(house.app, "Nell")
    with visit(browser, house) as page:
        _two(page, house, "Nick", other)
        icon = page.locator('link[rel="icon"]')
        for _ in range(2):
            page.locator("#draw, .market-only").first.wait_for()
            mine = page.locator("#draw").count() > 0
            assert mine == page.title().startswith("(1) ")
            assert mine == str(icon.get_attribute("href")).endswith("icon-turn.svg")
            if mine:
                _draw(page)


def test_unread_talk_is_marked_until_it_is_seen(house: House, browser: Browser) -> None:
    """A message from somebody else counts as unread on a phone until its tab is opened."""
    other = Guest(house.app, "Vera")
    with visit(browser, house, "phone") as page:
        path = _two(page, house, "Vito", other)
        other.send(f"{path}/say", path, text="hello there")
        badge = page.locator(".views [data-unread]")
        expect(badge).to_have_text("1")
        page.get_by_role("radio", name="Talk").check()
        expect(page.locator("#talk")).to_contain_text("hello there")
        expect(badge).to_be_hidden()
        page.reload()
        expect(badge).to_be_hidden()


def test_without_a_network_a_page_says_so(house: House, browser: Browser) -> None:
    """A page that is opened offline says that, and names nobody; later it opens again."""
    # Not with `visit`: the browser reports the lost network in its console.
    context = browser.new_context(base_url=house.url)
    page = context.new_page()
    try:
        sign_up(page, "Olaf")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        context.set_offline(True)
        page.goto("/games")
        expect(page.get_by_role("heading", level=1)).to_have_text("You are offline")
        expect(page.get_by_text("Olaf")).to_have_count(0)
        assert "rgb(238, 240, 244)" == page.evaluate(
            "getComputedStyle(document.body).backgroundColor"
        )
        context.set_offline(False)
        page.get_by_role("link", name="Try again").click()
        expect(page.get_by_role("heading", level=1)).not_to_have_text("You are offline")
    finally:
        context.close()


def test_a_replay_goes_on_by_itself_and_step_by_step(house: House, browser: Browser) -> None:
    """Steps and playing show one move after another without a reload, and stop at the last."""
    with visit(browser, house) as page:
        sign_up(page, "Rita")
        seat = Seat(page, taps=False)
        seat.open_table("USA", easy="1")
        seat.tick(page.locator("#asked .things").first)
        page.get_by_role("button", name="Confirm").click()
        page.locator("#draw .slot").first.wait_for()
        page.goto(f"{page.url}?at=0")
        page.evaluate("window.same = true")
        page.get_by_role("link", name="Next").click()
        expect(page.locator(".turn")).to_contain_text("after move 1 of")
        assert page.url.endswith("?at=1")
        page.get_by_label("Moves per second").select_option("4")
        page.get_by_role("button", name="Play").click()
        expect(page.locator(".turn.mine")).to_be_visible()
        expect(page.get_by_role("slider")).to_have_count(0)
        assert page.evaluate("same")


def test_a_replay_can_be_paused(house: House, browser: Browser) -> None:
    """“Pause” stops a replay at the move that is shown; the next step is the one after it."""
    with visit(browser, house) as page:
        sign_up(page, "Rolf")
        seat = Seat(page, taps=False)
        seat.open_table("USA", easy="1")
        seat.tick(page.locator("#asked .things").first)
        page.get_by_role("button", name="Confirm").click()
        for _ in range(2):
            page.locator("#draw .slot").first.wait_for()
            seat.take_card()
            page.locator("html.resting").wait_for(state="detached")
        page.clock.install()
        page.goto(f"{page.url}?at=0")
        page.get_by_role("button", name="Play").click()
        page.clock.run_for(1000)
        expect(page.locator(".turn")).to_contain_text("after move 1 of")
        page.get_by_role("button", name="Pause").click()
        page.clock.run_for(10_000)
        page.get_by_role("link", name="Next").click()
        expect(page.locator(".turn")).to_contain_text("after move 2 of")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
