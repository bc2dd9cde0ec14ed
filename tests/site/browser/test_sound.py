"""The sound that tells a player in another tab that it is their turn."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.browser.browser_seat import Seat
from tests.site.visiting import Guest, House, sign_up, visit

COUNTING = """
    window.sounds = 0;
    const Real = window.AudioContext;
    window.AudioContext = class extends Real {
        constructor(...given) { super(...given); window.sounds += 1; }
    };
    window.away = false;
    Object.defineProperty(document, "hidden", { get: () => window.away });
"""
"""Counts the sounds, and lets a test say whether the tab is in the background."""


@pytest.mark.parametrize("switched_on", [True, False])
def test_a_sound_tells_of_a_turn_in_the_background(
    house: House, browser: Browser, *, switched_on: bool
) -> None:
    """There is one sound when the box is ticked and one with each turn; none without the box."""
    other = Guest(house.app, f"Sara{switched_on}")
    with visit(browser, house) as page:
        page.add_init_script(COUNTING)
        path = _others_turn(page, f"Sven{switched_on}", other)
        box = page.get_by_label("Play a sound when it is my turn")
        expect(box).not_to_be_checked()
        if switched_on:
            box.check()
        before = page.evaluate("sounds")
        assert int(switched_on) == before
        page.evaluate("window.away = true")
        for _ in range(2):
            other.play(path, "draw")
        expect(page.locator(".turn.mine")).to_be_visible()
        page.wait_for_function("number => sounds === number", arg=before + switched_on)
        page.reload()
        expect(box).to_be_checked(checked=switched_on)


def _others_turn(page: Page, name: str, other: Guest) -> str:
    """Come to a turn of the other player; return the path of the game."""
    sign_up(page, name)
    Seat(page, taps=False).open_table("USA", easy="0")
    path = re.sub(r"^https?://[^/]+", "", page.url)
    other.send(f"{path}/join", "/games/open")
    seat = Seat(page, taps=False)
    seat.tick(page.locator("#asked .things").first)
    page.get_by_role("button", name="Confirm").click()
    page.locator(".market-only").wait_for()
    other.play(path, other.choices(path)[0])
    page.reload()  # or it may still show that the other player chooses tickets
    while page.locator("#draw").count():  # once, if the first card is an open locomotive
        seat.take_card()
        page.locator("html.resting").wait_for(state="detached")
    page.locator(".market-only").wait_for()
    return path
