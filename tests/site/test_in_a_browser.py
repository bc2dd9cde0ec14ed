"""The pages in a real browser: signing in, opening a table, playing to the end by clicking."""

import re

import orjson
import pytest
from playwright.sync_api import Browser, Page, expect

from service import moves, reading
from tests.site.visiting import Guest, House, sign_up, violations, visit
from tests.waiting import until

MOST_MOVES = 400


def _open_table(page: Page, board: str, **bots: str) -> None:
    page.get_by_role("navigation", name="Main").get_by_role("link", name="New game").click()
    page.get_by_role("navigation", name="Board").get_by_role("link", name=board).click()
    for strength, number in ({"easy": "0"} | bots).items():
        page.get_by_label(strength).select_option(number)
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url(re.compile(r"/games/[A-Za-z0-9_-]{10,}$"))


def _best_claim(page: Page) -> tuple[int, str, str] | None:
    """The claim that is worth most: its points, its route and its text."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('#asked [data-place] input')].map(input => [
            +(/\\((\\d+) point/.exec(input.parentElement.textContent) || [0, 0])[1],
            input.closest('[data-place]').dataset.place, input.value])"""
    )
    best = max(found, default=None, key=lambda one: one[0])
    return tuple(best) if best else None


def _choose(page: Page, trains: int) -> None:
    """A quick game: claim what is long, on the board; else draw, or take what comes first."""
    claim, cards = _best_claim(page), page.locator("#asked .slot input")
    if claim and (claim[0] >= 4 or trains < 12 or not cards.count()):
        on_board = f"#board [data-route='{claim[1]}'], #board [data-city='{claim[1]}']"
        page.locator(on_board).dispatch_event("click")
        page.locator(f'#asked input[value="{claim[2]}"]').check()
    else:
        page.locator("#asked input[name=choice]").first.check()


def _play_out(page: Page) -> int:
    """Click until the game is over; how many moves that took."""
    for move in range(MOST_MOVES):
        if page.locator(".turn.over").count():
            return move
        form = page.locator("#asked")
        form.wait_for()
        before = page.locator("[data-tag]").get_attribute("data-tag")
        trains = page.evaluate(
            "() => +[...document.querySelectorAll('#facts dt')].find("
            "dt => dt.textContent === 'Trains').nextElementSibling.textContent"
        )
        _choose(page, trains)
        form.get_by_role("button", name="Play it").click()
        # Whoever buys a technology is asked the same again: only the version tells that it is done.
        page.locator(f"[data-tag='{before}']").wait_for(state="detached")
    raise AssertionError("the game has no end")


def _hurry(house: House, game: str) -> None:
    """Let a game's only person play by another door until somebody has few trains left."""
    desk = house.desk
    with desk.database.reading() as tx:
        table = reading.table_of(tx, game, None)
    (player,) = [seat.account for seat in table.seated if seat.account]
    while True:
        until(lambda: reading.decision(desk, game, player) is not None, "the house plays")
        asked = reading.decision(desk, game, player)
        assert asked is not None
        _, document = reading.game(desk, game, player)
        if min(seat["trains"] for seat in orjson.loads(document)["state"]["seats"]) < 10:
            return
        claims = [one for one in asked["options"] if one["action"]["type"] == "claim"]
        best = max(claims, default=None, key=lambda one: sum(one["action"]["payment"].values()))
        long = best and sum(best["action"]["payment"].values()) > 2
        wanted = best if best and long else asked["options"][0]
        moves.submit(desk, player, game, moves.Wanted(action=wanted["action"]))


def test_a_newcomer_plays_to_the_end_by_clicking(house: House, browser: Browser) -> None:
    """Somebody signs up, opens a game against a bot, and wins or loses it with the mouse."""
    with visit(browser, house) as page:
        sign_up(page, "Ada")
        _open_table(page, "USA", easy="1")
        _play_out(page)

        expect(page.locator(".turn.over")).to_contain_text("win")
        assert [] == violations(page)
        page.get_by_role("link", name="First").click()
        expect(page.locator(".turn")).to_contain_text("after move 0")
        slider = page.get_by_role("slider")
        slider.focus()
        slider.press("ArrowRight")
        expect(page.locator(".turn")).to_contain_text("after move 1 of")
        assert [] == violations(page)


def test_somebody_plays_on_a_phone(house: House, browser: Browser) -> None:
    """The end of a game on a small screen in the dark, on another board."""
    with visit(browser, house, "phone", color_scheme="dark") as page:
        sign_up(page, "Ben")
        _open_table(page, "United Kingdom", easy="1")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        _hurry(house, page.url.rsplit("/", 1)[1])
        _play_out(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert [] == violations(page)


def test_somebody_comes_back_by_mail(house: House, browser: Browser) -> None:
    """An address is confirmed, and then a letter's link signs in a browser that knows nothing."""
    with visit(browser, house) as page:
        address = sign_up(page, "Cem")
        link = re.search(r"\S+/confirm/\S+", house.letter(address, "confirm"))
        assert link is not None
        page.goto(link[0])
        page.get_by_label("Yes, that is me").check()
        page.get_by_role("button").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Thank you")
    with visit(browser, house, "phone") as page:
        page.goto("/games")
        page.get_by_label("The address you have given us").fill(address)
        page.get_by_role("button", name="Send me a link").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Look into your mail")
        assert [] == violations(page)
        link = re.search(r"\S+/sign-in/\S+", house.letter(address, "sign in"))
        assert link is not None
        page.goto(link[0])
        assert [] == violations(page)
        page.get_by_label("Sign in as Cem").check()
        page.get_by_role("button", name="Go on").click()
        page.wait_for_url("**/games")
        expect(page.get_by_role("heading", level=1)).to_have_text("My games")


def test_a_page_follows_the_game(house: House, browser: Browser) -> None:
    """What others do is there without a reload, and half a sentence is not lost."""
    other = Guest(house.app, "Dora")
    with visit(browser, house) as page:
        sign_up(page, "Eli")
        _open_table(page, "Europe")
        expect(page.locator("#seats")).to_contain_text("one more player")
        other.send(page.url.removeprefix(house.url) + "/join", "/games/open")
        expect(page.locator("#asked")).to_be_visible()
        page.locator("#talk input[name=text]").fill("half a sen")
        path = page.url.removeprefix(house.url)
        other.play(path, other.choices(path)[0])
        expect(page.locator("#story")).to_contain_text("Dora has chosen tickets")
        expect(page.locator("#talk input[name=text]")).to_have_value("half a sen")


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
        expect(page.locator("[data-status]")).to_contain_text("You cannot claim this now: ")
        page.evaluate(FAILING, 1)
        other.play(path, other.choices(path)[0])
        expect(page.locator("#story")).to_contain_text("Hal has chosen tickets")
        written = page.locator("#talk input[name=text]")
        for text, times in (("with script", 0), ("without", 1)):
            page.evaluate(FAILING, times)
            written.fill(text)
            page.get_by_role("button", name="Say it").click()
            expect(page.locator("#talk ol")).to_contain_text(text)
            expect(written).to_have_value("")


def test_a_game_is_played_by_keyboard_without_script(house: House, browser: Browser) -> None:
    """Tab, space and enter are enough, and nothing on the way needs a script."""
    with visit(browser, house, java_script_enabled=False) as page:
        sign_up(page, "Flo")
        page.get_by_role("button", name="Play against a bot now").press("Enter")
        page.wait_for_url(re.compile(r"/games/[A-Za-z0-9_-]{10,}$"))
        for _ in range(4):
            while not page.locator("#asked").count():
                page.get_by_role("link", name="Look again").press("Enter")
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
        for path in [*PAGES, game, f"{game}?at=1"]:
            page.goto(path)
            assert ([], path) == (violations(page), path)
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert (0, path) == (wide, path)
        page.context.clear_cookies()
        for path in ("/", "/sign-in", game):
            page.goto(path)
            assert ([], path) == (violations(page), path)
