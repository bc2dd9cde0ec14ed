"""Nonces that a real browser makes after it has received the commitment."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.site.visiting import Guest, House, sign_up, visit


def _fair_play(page: Page) -> str:
    """Unfold the fair play section of a game page, and return its text."""
    page.locator("#fair-play summary").click()
    return page.locator("#fair-play").inner_text()


def test_the_browser_makes_its_nonce_after_the_commitment(house: House, browser: Browser) -> None:
    """The browser sends its nonce after it received the commitment, and the page shows both."""
    requests: list[str] = []
    with visit(browser, house) as page:
        sign_up(page, "Ida")
        page.on("request", lambda sent: requests.append(sent.post_data or ""))
        page.on("response", lambda response: requests.append(response.url))
        page.get_by_role("button", name="Play against a bot now").click()
        page.wait_for_url(re.compile(r"/games/[A-Za-z0-9_-]{10,}$"))
        nonce, cited = (
            next(
                filter(None, (re.search(rf"{name}=([0-9a-f]+)", request) for request in requests))
            )[1]
            for name in ("nonce", "commitment")
        )
        answered = next(
            at for at, request in enumerate(requests) if request.endswith("/games/commitment")
        )
        assert answered < next(at for at, request in enumerate(requests) if nonce in request)
        assert (32, 64) == (len(nonce), len(cited))
        shown = _fair_play(page)
        assert nonce in shown
        assert cited in shown


def test_a_form_that_is_changed_gets_another_commitment(house: House, browser: Browser) -> None:
    """A form sent again unchanged keeps its commitment and nonce; a changed one gets new ones."""
    sent: list[str] = []
    opening = re.compile(r"/games/new$")
    with visit(browser, house) as page:
        sign_up(page, "Jon")
        page.goto("/games/new")
        # A 204 response keeps the browser on the page, as if the real response had been lost.
        page.route(opening, lambda route: route.fulfill(status=204))
        for seats in ("2", "2", "3"):
            page.get_by_label(seats, exact=True).check()
            with page.expect_request(opening) as request:
                page.get_by_role("button", name="Open the table").click()
            sent.append(request.value.post_data or "")
    cited = [re.findall(r"(?:commitment|nonce)=([0-9a-f]{32,})", text) for text in sent]
    assert [2, 2, 2] == [len(both) for both in cited]
    assert cited[0] == cited[1]
    assert not set(cited[0]) & set(cited[2])


def test_whoever_sits_down_adds_a_nonce(house: House, browser: Browser) -> None:
    """Taking a seat adds a nonce, from the page of the table and from the list of tables."""
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
