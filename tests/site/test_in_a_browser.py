"""The pages in a real browser: signing in, opening a table, playing to the end by clicking."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.site.visiting import Guest, House, sign_up, violations, visit
from tests.support.waiting import until

MOST_MOVES = 400
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
"""By how much a page is wider than its screen."""
CUT = "scroll => scroll.scrollWidth - scroll.clientWidth"
"""How much of a table cannot be seen at once."""
LOOK = """() => ({
    over: !!document.querySelector('.turn.over'),
    trains: +([...document.querySelectorAll('#facts dt')].find(
        dt => dt.textContent === 'Trains')?.nextElementSibling.textContent ?? 0),
    draws: !!document.querySelector('#asked .slot input'),
    claims: [...document.querySelectorAll('#asked [data-place] input')].map(input => [
        +(/\\((\\d+) point/.exec(input.parentElement.textContent) || [0, 0])[1],
        input.closest('[data-place]').dataset.place, input.value]),
})"""
"""What a player sees of a page at a glance: trains, cards to draw, and what claims are worth."""


WHERE = """drawn => {
    drawn.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
    const line = drawn.querySelector('path[pointer-events]');
    const box = drawn.getBoundingClientRect();
    if (!line) return [box.x + box.width / 2, box.y + box.height / 2];
    const middle = line.getPointAtLength(line.getTotalLength() / 2);
    const seen = middle.matrixTransform(line.getScreenCTM());
    return [seen.x, seen.y];
}"""
"""The middle of a route or a city on the screen; routes are bent, so that of a box is beside it."""


class Seat:
    """Somebody at a table who presses buttons: with a mouse, or by tapping."""

    def __init__(self, page: Page, *, taps: bool) -> None:
        self.page = page
        self.taps = taps
        self.press = Locator.tap if taps else Locator.click

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
        """Press until the game is over; how many moves that took."""
        page = self.page
        for move in range(MOST_MOVES):
            page.locator("#asked, .turn.over").first.wait_for()
            seen = page.evaluate(LOOK)
            if seen["over"]:
                return move
            self._choose(seen)
            self.press(page.get_by_role("button", name="Confirm"))
            page.locator("html.busy").wait_for(state="detached")
        raise AssertionError("the game has no end")

    def _choose(self, seen: dict[str, Any]) -> None:
        """A quick game: claim what is long, on the board; else draw, or take what comes first."""
        points, place, text = max(seen["claims"], default=(0, "", ""))
        if points and (points >= 4 or seen["trains"] < 12 or not seen["draws"]):
            self._press_board(place)
            self.press(self.page.locator(f'.picked input[value="{text}"]'))
        else:
            first = self.page.locator("#asked input[name=choice]").first
            while not first.is_visible():
                self.press(self.page.locator("#asked details:not([open]) > summary:visible").first)
            self.press(first)

    def _press_board(self, place: str) -> None:
        """Press a route or a city where it is drawn, which then is still in sight."""
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


def _open_table(page: Page, board: str, **bots: str) -> None:
    Seat(page, taps=False).open_table(board, **bots)


def _follow(house: House, page: Page, address: str, subject: str) -> None:
    """Open the link of a letter."""
    link = re.search(r"https?://\S+/(?:confirm|sign-in)/\S+", house.letter(address, subject))
    assert link is not None
    page.goto(link[0])


def test_a_newcomer_plays_to_the_end_by_clicking(house: House, browser: Browser) -> None:
    """Somebody signs up, opens a game against bots, and wins or loses it with the mouse."""
    with visit(browser, house) as page:
        ada = Seat(page, taps=False)
        sign_up(page, "Ada")
        ada.open_table("USA", easy="4")
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


def test_a_name_is_all_that_a_newcomer_needs(house: House, browser: Browser) -> None:
    """From the front page to the first tickets by one field and one button; the zone is known."""
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
    """The page of the invitation notes the browser's zone, and letters name it."""
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
        expect(page.get_by_role("heading", level=1)).to_have_text("You have a seat")
    turn = house.letter("nia@example.org", "eep at least")
    assert "(Asia/Tokyo, UTC+09:00)" in " ".join(turn.split())


def _drag_through(page: Page) -> None:
    """The slider follows the mouse from the last move to the first and on, in one go."""
    slider = page.get_by_role("slider")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] - 8, middle)
    page.mouse.down()
    for part, told in ((0.5, "The game after move"), (0.0, "after move 0 of"), (0.3, "move")):
        page.mouse.move(box["x"] + 8 + part * (box["width"] - 16), middle, steps=4)
        expect(page.locator(".turn")).to_contain_text(told)
    expect(page.locator(".turn")).not_to_contain_text("after move 0 of")
    page.mouse.up()
    at = slider.input_value()
    expect(page.locator("#replay-at")).to_contain_text(f"Move {at} of")
    expect(page.locator(".turn")).to_contain_text(f"after move {at} of")


def test_somebody_comes_back_and_plays_to_the_end_on_a_phone(
    house: House, browser: Browser
) -> None:
    """Signs in by a letter's link on a phone that knows nothing, and taps through a whole game."""
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
        ben.play_out()
        expect(page.locator(".turn.over")).to_contain_text("win")
        assert [] == violations(page)
        assert 0 == page.evaluate(TOO_WIDE)


def test_a_page_follows_the_game(house: House, browser: Browser) -> None:
    """What others do is there without a reload; neither half a sentence nor the focus is lost."""
    other = Guest(house.app, "Dora")
    with visit(browser, house) as page:
        sign_up(page, "Eli")
        _open_table(page, "Europe")
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
"""How the page is laid out, what stands around the part that is live, and how wide the board is."""


def test_a_table_that_begins_gets_its_layout_without_a_reload(
    house: House, browser: Browser
) -> None:
    """The board has all the room, and what stands above it is there, as after a reload."""
    other = Guest(house.app, "Jan")
    with visit(browser, house) as page:
        sign_up(page, "Kim")
        _open_table(page, "Europe")
        other.send(page.url.removeprefix(house.url) + "/join", "/games/open")
        expect(page.locator("#asked")).to_be_visible()
        live = page.evaluate(LAYOUT)
        page.reload()
        assert live == page.evaluate(LAYOUT)


FAILING = """times => {
    const real = window.fetch;
    window.fetch = (...said) =>
        times-- > 0 ? Promise.reject(new TypeError("away")) : real(...said);
}"""


def test_a_page_bears_a_bad_network(house: House, browser: Browser) -> None:
    """Nothing that was written is lost, news come later, and what cannot be done is said."""
    other = Guest(house.app, "Hal")
    with visit(browser, house) as page:
        sign_up(page, "Ina")
        _open_table(page, "Europe")
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


def _fair_play(page: Page) -> str:
    """What the page of a game says about it, unfolded."""
    page.locator("#fair-play summary").click()
    return page.locator("#fair-play").inner_text()


def test_the_browser_makes_its_nonce_after_the_commitment(house: House, browser: Browser) -> None:
    """Whoever opens a table by one press has asked for a commitment before, and sees both."""
    told: list[str] = []
    with visit(browser, house) as page:
        sign_up(page, "Ida")
        page.on("request", lambda sent: told.append(sent.post_data or ""))
        page.on("response", lambda got: told.append(got.url))
        page.get_by_role("button", name="Play against a bot now").click()
        page.wait_for_url(re.compile(r"/games/[A-Za-z0-9_-]{10,}$"))
        nonce, cited = (
            next(filter(None, (re.search(rf"{name}=([0-9a-f]+)", said) for said in told)))[1]
            for name in ("nonce", "commitment")
        )
        answered = next(at for at, said in enumerate(told) if said.endswith("/games/commitment"))
        assert answered < next(at for at, said in enumerate(told) if nonce in said)
        assert (32, 64) == (len(nonce), len(cited))
        shown = _fair_play(page)
        assert nonce in shown
        assert cited in shown


def test_a_form_that_is_changed_gets_another_commitment(house: House, browser: Browser) -> None:
    """Sent again as it was it is the same request; changed, it has a commitment of its own."""
    sent: list[str] = []
    opening = re.compile(r"/games/new$")
    with visit(browser, house) as page:
        sign_up(page, "Jon")
        page.goto("/games/new")
        # The browser stays on the page, as if the answer had been lost.
        page.route(opening, lambda route: route.fulfill(status=204))
        for seats in ("2", "2", "3"):
            page.get_by_label(seats, exact=True).check()
            with page.expect_request(opening) as request:
                page.get_by_role("button", name="Open the table").click()
            sent.append(request.value.post_data or "")
    cited = [re.findall(r"(?:commitment|nonce)=([0-9a-f]{32,})", said) for said in sent]
    assert [2, 2, 2] == [len(both) for both in cited]
    assert cited[0] == cited[1]
    assert not set(cited[0]) & set(cited[2])


def test_whoever_sits_down_adds_a_nonce(house: House, browser: Browser) -> None:
    """From the page of the table, whose commitment it has shown, and from the list of tables."""
    kay = Guest(house.app, "Kay")
    games = [kay.game(seats="3", easy="0", title=f"Kay {n}") for n in range(2)]
    with visit(browser, house) as page:
        sign_up(page, "Lou")
        page.goto(games[0])
        page.get_by_role("button", name="Take a seat").click()
        expect(page.locator(".lead")).to_contain_text("You have a seat")
        assert re.search(r"Your random text\s+[0-9a-f]{32}", _fair_play(page))
        page.goto("/games/open")
        page.get_by_role("button", name="Take a seat at Kay 1").click()
        expect(page.locator(".lead")).to_contain_text("You have a seat")
        assert re.search(r"Your random text\s+[0-9a-f]{32}", _fair_play(page))


def test_a_game_is_played_by_keyboard_without_script(house: House, browser: Browser) -> None:
    """Tab, space and enter are enough, and nothing on the way needs a script."""
    with visit(browser, house, java_script_enabled=False) as page:
        sign_up(page, "Flo")
        page.get_by_role("button", name="Play against a bot now").press("Enter")
        page.wait_for_url(re.compile(r"/games/[A-Za-z0-9_-]{10,}$"))
        for _ in range(4):
            while not page.locator("#asked").count():
                page.get_by_role("link", name="Refresh").press("Enter")
            page.locator("#asked input[name=choice]").first.press("Space")
            page.locator("#asked input[name=choice]:checked").press("Enter")
            page.wait_for_load_state()
        expect(page.locator("#story")).to_contain_text("Flo")


PAGES = (
    *("/", "/games", "/games/open", "/games/new?board=europe", "/settings", "/settings/webhooks"),
    *("/boards", "/boards/uk", "/rules", "/ladder", "/mailbox"),
)


@pytest.mark.parametrize(("sight", "scheme"), [("desktop", "light"), ("phone", "dark")])
def test_no_page_keeps_anybody_out(house: House, browser: Browser, sight: str, scheme: str) -> None:
    """Axe finds nothing on any page, by day or by night, and none is wider than its screen."""
    with visit(browser, house, sight, color_scheme=scheme) as page:
        sign_up(page, f"Gil{sight}")
        _open_table(page, "Europe", hard="1")
        game = page.url
        page.locator("#asked input[name=choice]").first.check()
        page.get_by_role("button", name="Confirm").click()
        slot = page.locator("#asked .slot input").first
        assert "light" == slot.evaluate("slot => getComputedStyle(slot).colorScheme")
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
        page.context.clear_cookies()
        for path in ("/", "/sign-in", game):
            page.goto(path)
            assert ([], path) == (violations(page), path)
        for path in ("/", "/sign-in", "/boards/usa", "/boards/europe"):
            page.goto(path)
            assert (0, path) == (page.evaluate(TOO_WIDE), path)


def _save(page: Page) -> None:
    """Whatever a form of the long page has to say is in sight afterwards."""
    page.goto("/settings")
    page.get_by_text("New token").click()
    page.get_by_label("What is it for?").fill("my bot")
    page.get_by_role("button", name="Create token").click()
    expect(page.get_by_text("It is shown only once.")).to_be_in_viewport()
    page.locator("#absences").get_by_label("from").fill("2030-01-01")
    page.locator("#absences").get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_in_viewport()


def _add_hook(page: Page) -> None:
    """Make a hook and let it be told something; its page is open then."""
    page.goto("/settings/webhooks")
    page.get_by_label("URL").fill("http://127.0.0.1:9/")
    page.get_by_role("button", name="Add webhook").click()
    page.get_by_role("button", name="Send a ping").click()
    page.wait_for_url("**/settings/webhooks/*")
    until(lambda: bool(page.reload() and page.locator(".rows li").count()), "it was told")
