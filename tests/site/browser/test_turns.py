"""A turn that is opened from an email and played in a real browser."""

from playwright.sync_api import Browser, Page, expect

from service.links import signed_links
from store.games import games
from tests.site.browser.browser_seat import Seat
from tests.site.visiting import Guest, House, violations, visit


def _link(house: House, path: str, name: str) -> str:
    """The turn link of a player in a game."""
    game = path.rsplit("/", 1)[1]
    with house.desk.database.reading() as tx:
        table = games.table(tx, game)
    assert table is not None
    seat = next(seat for seat in table.seated if seat.name == name)
    assert seat.decision_version is not None
    return signed_links.turn(house.desk, game, seat.number, seat.decision_version)


def _table(first: Guest, second: Guest) -> str:
    """A game of two players, before they choose their tickets."""
    path = first.game(easy="0")
    second.send(f"{path}/join", path)
    return path


def _play(page: Page) -> None:
    things = page.locator("#asked .things")
    if page.locator("#draw").count():
        Seat(page, taps=False).take_card()
        return
    Seat(page, taps=False).tick(things.first)
    page.locator("#asked button").last.click()


def test_a_turn_is_opened_and_played(house: House, browser: Browser) -> None:
    """The link leads to the game; talk, live updates and moves work until the turn is over.

    Then the page says so without a reload, and shows what spectators see.
    """
    uma, vic = Guest(house.app, "Uma"), Guest(house.app, "Vic")
    path = _table(uma, vic)
    with visit(browser, house) as page:
        page.goto(_link(house, path, "Uma"))
        assert [] == violations(page)
        page.get_by_label("Continue as Uma").check()
        page.get_by_role("button", name="Continue").click()
        page.wait_for_url(f"**{path}")
        here = page.locator(".note.here")
        expect(here).to_contain_text("You are here as Uma for this turn.")
        expect(page.get_by_text("Resign")).to_have_count(0)
        assert [] == violations(page)
        page.locator("#talk input[name=text]").fill("here by mail")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("#talk ol")).to_contain_text("here by mail")
        vic.send(f"{path}/say", path, text="welcome")
        expect(page.locator("#talk ol")).to_contain_text("welcome")
        while here.get_by_text("You are here as Uma").count():
            if page.locator("#asked").count():
                decision = page.locator("#asked").get_attribute("data-asked")
                _play(page)
                expect(page.locator(f'#asked[data-asked="{decision}"]')).to_have_count(0)
        expect(here).to_contain_text("This move has been made. You now see what spectators see.")
        expect(page.locator("#hand")).to_have_count(0)
        assert [] == violations(page)
        here.get_by_role("link", name="Sign in for everything else").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("ign in")


def test_signing_out_works_on_a_phone(house: House, browser: Browser) -> None:
    """On a small dark screen the line fits, and “Sign out” ends the session."""
    wim, xia = Guest(house.app, "Wim"), Guest(house.app, "Xia")
    path = _table(wim, xia)
    with visit(browser, house, "phone", color_scheme="dark") as page:
        page.goto(_link(house, path, "Wim"))
        page.get_by_label("Continue as Wim").check()
        page.get_by_role("button", name="Continue").click()
        page.wait_for_url(f"**{path}")
        assert [] == violations(page)
        assert 0 == page.evaluate("document.documentElement.scrollWidth - innerWidth")
        page.locator(".note.here").get_by_role("button", name="Sign out").click()
        expect(page.locator(".note.here")).to_have_count(0)
        expect(page.locator("#hand")).to_have_count(0)
