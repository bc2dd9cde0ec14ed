"""Pages that follow a game: nothing jumps, all tabs follow, a sound is heard once."""

import pytest
from playwright.sync_api import Browser, Page, expect

from api.http.app_state import AppState
from service.games import talk
from tests.random_games import Table
from tests.site.browser.browser_seat import MIDDLE
from tests.site.late_games import (
    Decision,
    Player,
    newcomer,
    open_game,
    play_until,
    visit_as,
)
from tests.site.visiting import House

MOVES = 24
TABS = 10
SHIFTED = """() => {
    window.shifts = [];
    new PerformanceObserver(list => {
        for (const {value, sources} of list.getEntries()) {
            const from = ({node}) => node && node.parentElement
                && [node.parentElement.closest('[id]').id, node.textContent.trim().slice(0, 40)];
            shifts.push([value, ...sources.map(from)]);
        }
    }).observe({type: 'layout-shift'});
}"""
"""Records what jumps on a page, and how much."""
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits until the page has been drawn."""


def _turn(decision: Decision) -> bool:
    return decision.kind == "take_turn"


def _move(house: House, game: str, players: list[Player]) -> None:
    """Make one move for whoever is asked first."""
    seen = False

    def is_second(_: Decision) -> bool:
        nonlocal seen
        seen, is_over = True, seen
        return is_over

    play_until(house.desk, game, players, is_second)


@pytest.mark.parametrize("sight", ["desktop", "phone"])
def test_nothing_jumps_when_the_page_updates(house: House, browser: Browser, sight: str) -> None:
    """Over many moves, also of the reader from elsewhere, no part of the page shifts."""
    players = [newcomer(house.desk, f"{name}{sight}") for name in ("Sol", "Siv")]
    game = open_game(house.desk, Table("europe", (), 2), *players)
    play_until(house.desk, game, players, _turn)
    with visit_as(browser, house, players[0], sight) as page:
        page.goto(f"/games/{game}")
        live = page.locator("[data-live]")
        if sight == "phone":
            page.evaluate("scrollTo(0, 230)")  # to the market
        page.evaluate(DRAWN)  # what the script changes when it begins is not an update
        page.evaluate(SHIFTED)
        for _ in range(MOVES):
            tag = str(live.get_attribute("data-tag"))
            _move(house, game, players)
            expect(live).not_to_have_attribute("data-tag", tag)
        assert [] == page.evaluate("shifts")


def test_ten_tabs_of_one_game_follow_it_on_one_stream(house: House, browser: Browser) -> None:
    """Ten tabs of one browser show a move without a reload, and wait at the server once."""
    players = [newcomer(house.desk, name) for name in ("Tim", "Tom")]
    game = open_game(house.desk, Table("usa", (), 2), *players)
    play_until(house.desk, game, players, _turn)
    state: AppState = house.app.extensions["nightmail.state"]
    with visit_as(browser, house, players[0]) as page:
        before = state.places.taken
        tabs = [page, *(page.context.new_page() for _ in range(TABS - 1))]
        for tab in tabs:
            tab.goto(f"/games/{game}")
        tags = [str(tab.locator("[data-live]").get_attribute("data-tag")) for tab in tabs]
        _move(house, game, players)
        for tab, tag in zip(tabs, tags, strict=True):
            expect(tab.locator("[data-live]")).not_to_have_attribute("data-tag", tag)
        assert before + 1 == state.places.taken


STUBBED = """() => {
    window.sounds = 0;
    window.AudioContext = class {
        constructor() { sounds++; this.currentTime = 0; this.destination = {}; }
        createOscillator() {
            return {frequency: {}, connect: next => next, start: () => null, stop: () => null};
        }
        createGain() {
            const change = () => null;
            return {
                gain: {setValueAtTime: change, exponentialRampToValueAtTime: change},
                connect: () => null,
            };
        }
    };
}"""
"""Counts sounds instead of playing them."""
AWAY = "Object.defineProperty(document, 'hidden', {value: true, configurable: true})"
"""Makes the page believe that its tab is in the background."""


@pytest.mark.parametrize("switched_on", [True, False])
def test_a_sound_is_heard_once_a_turn(house: House, browser: Browser, *, switched_on: bool) -> None:
    """In the background a turn sounds once if that is switched on; opening a page never does."""
    players = [newcomer(house.desk, f"{name}{switched_on}") for name in ("Uta", "Udo")]
    game = open_game(house.desk, Table("usa", (), 2), *players)
    play_until(house.desk, game, players, lambda turn: _turn(turn) and turn.player == players[0])
    with visit_as(browser, house, players[0]) as page:
        page.add_init_script(f"({STUBBED})()")
        page.goto(f"/games/{game}")
        page.get_by_label("Play a sound when it is my turn").set_checked(switched_on)
        page.reload()
        assert 0 == page.evaluate("sounds")
        play_until(house.desk, game, players, lambda turn: turn.player == players[1])
        expect(page.locator(".turn.mine")).to_have_count(0)
        page.evaluate(AWAY)
        play_until(house.desk, game, players, lambda turn: turn.player == players[0])
        page.locator(".turn.mine").wait_for()
        talk.say(house.desk, players[1].id, game, "your turn", None)
        expect(page.locator("#talk ol")).to_contain_text("your turn")
        assert int(switched_on) == page.evaluate("sounds")


def test_two_fingers_zoom_the_board(house: House, browser: Browser) -> None:
    """A pinch enlarges the board about its middle, and a tap there still reaches a route."""
    player = newcomer(house.desk, "Zita")
    game = open_game(house.desk, Table("uk", (), 2), player)
    play_until(house.desk, game, [player], _turn)
    with visit_as(browser, house, player, "phone") as page:
        page.goto(f"/games/{game}")
        svg = page.locator("#board svg")
        whole = [float(part) for part in str(svg.get_attribute("viewBox")).split()]
        box = page.locator("#board").bounding_box()
        assert box is not None
        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        _pinch(page, **middle)
        near = [float(part) for part in str(svg.get_attribute("viewBox")).split()]
        assert near[2] < whole[2] / 2
        assert abs(near[0] + near[2] / 2 - whole[2] / 2) < whole[2] / 10
        assert 0 == page.evaluate("scrollY")
        expect(page.locator(".picked")).to_have_count(0)
        page.get_by_role("button", name="Fit").tap()
        route = page.locator("#board .route.can").first
        page.touchscreen.tap(*route.evaluate(MIDDLE))
        expect(page.locator(".picked input:checked")).to_have_count(1)


def _pinch(page: Page, x: float, y: float) -> None:
    """Move two fingers apart."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *apart: float) -> None:
        points = [{"x": x + side, "y": y, "id": n} for n, side in enumerate(apart)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", -20, 20)
    for step in range(30, 81, 10):
        touch("touchMove", -step, step)
    touch("touchEnd")
