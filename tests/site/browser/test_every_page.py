"""The pages in a real browser: signing in, opening a table, playing to the end by clicking."""

import re
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.amounts import amount
from tests.site.browser.browser_seat import LOOK, Seat, open_table
from tests.site.browser.test_one_screen import PRESSABLE, SMALL
from tests.site.late_games import few_trains, play_until, players_of
from tests.site.visiting import Guest, House, sign_up, violations, visit
from tests.support.waiting import until

FIRST, TRAINS = 5, amount(5, soak=99)
"""Moves in the beginning, and trains that somebody has left before the end begins."""
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
"""Pixels by which a page is wider than its screen."""
CUT = "scroll => scroll.scrollWidth - scroll.clientWidth"
"""Pixels by which a table is wider than its visible part."""


def _follow(house: House, page: Page, address: str, subject: str) -> None:
    """Open the link in the letter with this subject."""
    link = re.search(r"https?://\S+/(?:confirm|sign-in)/\S+", house.letter(address, subject))
    assert link is not None
    page.goto(link[0])


def test_a_newcomer_plays_to_the_end_by_clicking(house: House, browser: Browser) -> None:
    """A new player signs up, opens a game against bots, and plays it to the end by mouse.

    In `make test` others play the moves in the middle.
    """
    with visit(browser, house) as page:
        ada = Seat(page, taps=False)
        sign_up(page, "Ada")
        ada.open_table("USA", easy="4")
        for _ in range(FIRST):
            page.locator("#asked").wait_for()
            ada.answer(page.evaluate(LOOK))
        _skip_the_middle(house, page)
        ada.play_out()

        expect(page.locator(".turn.over")).to_contain_text("win")
        assert [] == violations(page)
        page.set_viewport_size({"width": 1280, "height": 900})
        assert 0 == page.locator("#sheet .scroll").evaluate(CUT)
        _drag_through(page)
        page.get_by_role("link", name="First").click()
        expect(page.locator(".turn")).to_contain_text("after move 0")
        slider = page.get_by_role("slider")
        slider.focus()
        slider.press("ArrowRight")
        expect(page.locator(".turn")).to_contain_text("after move 1 of")
        assert [] == violations(page)


def _skip_the_middle(house: House, page: Page) -> None:
    """Let the player of this game page play by program, until the end is near."""
    address = page.url
    game = address.rpartition("/")[2].partition("#")[0]
    page.goto("about:blank")  # or it would follow every move
    play_until(house.desk, game, players_of(house.desk, game), few_trains(TRAINS))
    page.goto(address)


def test_a_name_is_all_that_a_newcomer_needs(house: House, browser: Browser) -> None:
    """A name and one button start a game, and the account gets the browser's time zone."""
    with visit(browser, house, timezone_id="America/New_York") as page:
        page.goto("/")
        page.get_by_label("Choose a name").fill("Lea")
        page.get_by_role("button", name="Play against a bot now").click()
        expect(page.locator("#asked")).to_be_visible()
        page.goto("/settings")
        expect(page.get_by_text("Lea is lost when this browser deletes")).to_be_visible()
        expect(page.get_by_label("Time zone")).to_have_value("America/New_York")
        assert [] == violations(page)


def test_who_is_invited_reads_deadlines_by_their_own_clock(house: House, browser: Browser) -> None:
    """Accepting an invitation stores the browser's time zone, and the next letter names it."""
    host = Guest(house.app, "Max")
    host.game(guests="nia@example.org")
    letter = house.letter("nia@example.org", "an invitation to a game")
    link = re.search(r"https?://\S+/invitation/\S+", letter)
    assert link is not None
    with visit(browser, house, timezone_id="Asia/Tokyo") as page:
        page.goto(link[0])
        page.get_by_label("Yes, I’ll play").check()
        page.get_by_label("What should the others call you?").fill("Nia")
        page.get_by_role("button", name="Confirm").click()
        expect(page.locator("#asked")).to_be_visible()  # the table, in a session for the seat
        assert [] == violations(page)
    turn = house.letter("nia@example.org", "eep at least")
    assert "(Asia/Tokyo, UTC+09:00)" in " ".join(turn.split())


def _drag_through(page: Page) -> None:
    """Drag the replay slider to the first move and on, and check that the page follows."""
    slider = page.get_by_role("slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 8, middle)
    page.mouse.down()
    for part, text in ((0.5, "The game after move"), (0.0, "after move 0 of"), (0.3, "move")):
        page.mouse.move(box["x"] - 4 + part * box["width"], middle, steps=4)
        expect(page.locator(".turn")).to_contain_text(text)
    expect(page.locator(".turn")).not_to_contain_text("after move 0 of")
    page.mouse.up()
    at = slider.input_value()
    expect(page.locator("#replay-at")).to_contain_text(f"Move {at} of")
    expect(page.locator(".turn")).to_contain_text(f"after move {at} of")


def test_somebody_comes_back_and_plays_to_the_end_on_a_phone(
    house: House, browser: Browser
) -> None:
    """A player signs in by mail on a new phone, and plays a game to the end by tapping."""
    with visit(browser, house) as page:
        address = sign_up(page, "Ben")
        _follow(house, page, address, "confirm")
        page.get_by_label("Yes, that’s me").check()
        page.get_by_role("button").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Thank you")
    with visit(browser, house, "phone", color_scheme="dark") as page:
        ben = Seat(page, taps=True)
        page.goto("/games")
        page.get_by_label("The address you signed up with").fill(address)
        ben.press(page.get_by_role("button", name="Send me a link"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Check your mail")
        assert [] == violations(page)
        _follow(house, page, address, "sign in")
        assert [] == violations(page)
        ben.press(page.get_by_label("Sign in as Ben"))
        ben.press(page.get_by_role("button", name="Continue"))
        page.wait_for_url("**/games")
        ben.open_table("Europe", "Dice Expansion", easy="1")
        for _ in range(FIRST):
            page.locator("#asked").wait_for()
            ben.answer(page.evaluate(LOOK))
        _skip_the_middle(house, page)
        ben.play_out()
        expect(page.locator(".turn.over")).to_contain_text("win")
        assert [] == violations(page)
        assert ([], 0) == (page.evaluate(SMALL, PRESSABLE), page.evaluate(TOO_WIDE))


def test_a_game_is_played_by_keyboard_without_script(house: House, browser: Browser) -> None:
    """Without JavaScript, a game is started and played with Enter and Space."""
    with visit(browser, house, java_script_enabled=False) as page:
        sign_up(page, "Flo")
        page.get_by_role("button", name="Play against a bot now").press("Enter")
        page.wait_for_url(re.compile(r"/games/[A-Za-z0-9_-]{10,}$"))
        for _ in range(4):
            while not page.locator("#asked").count():
                page.get_by_role("link", name="Refresh").press("Enter")
            if page.locator("#draw .slot").count():
                page.locator("#draw .slot").first.press("Enter")
            else:
                for box in page.locator("#asked .toggles input").all()[:2]:
                    box.press("Space")
                page.locator("#asked input:checked").last.press("Enter")
            page.wait_for_load_state()
        expect(page.locator("#story")).to_contain_text("Flo")


CONSENT = "/oauth/authorize?" + urlencode(
    {
        "response_type": "code",
        "client_id": "Board",
        "redirect_uri": f"https://app.example/{'x' * 200}",
        "code_challenge": "x" * 43,
        "code_challenge_method": "S256",
    }
)
PAGES = (
    *("/", "/games", "/games/open", "/games/new?board=europe", "/settings", "/settings/webhooks"),
    *(
        "/settings/channels",
        "/settings/held-mail",
        "/boards",
        "/boards/uk",
        "/rules",
        "/ladder",
        "/mailbox",
    ),
    *("/docs", "/docs/api-guide", "/docs/webhooks", "/docs/recipes"),
    *("/device", CONSENT),
)


@pytest.mark.parametrize(("sight", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_no_page_keeps_anybody_out(house: House, browser: Browser, sight: str, scheme: str) -> None:
    """Axe finds no violations on any page, and no page is wider than the screen."""
    with visit(browser, house, sight, color_scheme=scheme) as page:
        sign_up(page, f"Gil{sight}")
        open_table(page, "Europe", hard="1")
        game = page.url
        Seat(page, taps=False).tick(page.locator("#asked .things"))
        assert ([], 0) == (violations(page), page.evaluate(TOO_WIDE))
        page.get_by_role("button", name="Confirm").click()
        page.locator("#draw .slot").first.wait_for()
        for path in [*PAGES, game, f"{game}?at=1"]:
            page.goto(path)
            page.evaluate(
                "document.querySelectorAll('#fair-play').forEach(part => part.open = true)"
            )
            assert ([], path) == (violations(page), path)
            assert (0, path) == (page.evaluate(TOO_WIDE), path)
        _save(page)
        _add_hook(page)
        assert ([], 0) == (violations(page), page.evaluate(TOO_WIDE))
        page.locator(".rows li a").first.click()
        expect(page.locator("pre")).to_contain_text("webhook.ping")
        assert ([], 0) == (violations(page), page.evaluate(TOO_WIDE))
        page.context.clear_cookies()
        for path in ("/", "/sign-in", game):
            page.goto(path)
            assert ([], path) == (violations(page), path)
        for path in ("/", "/sign-in", "/boards/usa", "/boards/europe"):
            page.goto(path)
            assert (0, path) == (page.evaluate(TOO_WIDE), path)


def _save(page: Page) -> None:
    """Send two forms of the settings page, and check that their messages are in view."""
    page.goto("/settings")
    page.get_by_text("New token").click()
    page.get_by_label("What is it for?").fill("my bot")
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_text("It is shown only once.")).to_be_in_viewport()
    page.locator("#absences").get_by_label("from").fill("2030-01-01")
    page.locator("#absences").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_in_viewport()


def _add_hook(page: Page) -> None:
    """Create a webhook, send a ping, and stay on its page until the delivery is listed."""
    page.goto("/settings/webhooks")
    page.get_by_label("URL").fill("http://127.0.0.1:9/")
    page.get_by_role("button", name="Add webhook").click()
    page.get_by_role("button", name="Send a ping").click()
    page.wait_for_url("**/settings/webhooks/*")
    until(lambda: bool(page.reload() and page.locator(".rows li").count()), "it was told")
